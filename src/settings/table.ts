/**
 * The one table of settings: what resolves them, `riskcli config`, its help and the completions read it. It imports
 * nothing, since the help needs it before any command runs; how a text becomes a value stands in values.ts.
 */
export interface Setting {
  /** The name under which an environment stores it. */
  readonly name: string;
  /** The option that beats everything, without dashes. */
  readonly flag?: string;
  /** The variable that beats what is stored. */
  readonly variable?: string;
  /** The text that counts when nobody said anything. */
  readonly fallback?: string;
  readonly help: string;
}

export const SETTINGS = [
  { name: 'base-url', flag: 'base-url', variable: 'RISKCLI_BASE_URL', help: 'address of the service' },
  { name: 'auth', flag: 'auth', fallback: 'x-api-key', help: 'header that carries the key: x-api-key or bearer' },
  {
    name: 'timeout',
    flag: 'timeout',
    variable: 'RISKCLI_TIMEOUT',
    fallback: '30s',
    help: 'time for one wallet, all attempts',
  },
  { name: 'max-wait', flag: 'max-wait', fallback: '60s', help: 'longest wait that rate limits may cost' },
  { name: 'monthly-requests', help: "the plan's requests a month" },
  { name: 'score', help: 'path of the headline score' },
] as const satisfies readonly Setting[];

export type SettingName = (typeof SETTINGS)[number]['name'];

/** The row of `name`; undefined when there is no such setting. */
export function settingNamed(name: string): (Setting & { readonly name: SettingName }) | undefined {
  return SETTINGS.find((setting) => setting.name === name);
}

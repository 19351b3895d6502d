/**
 * The one table of settings: their resolution, `riskcli config`, help and completions are made from it; values.ts
 * parses the values.
 */

export interface Setting {
  /** The name under which an environment stores it. */
  readonly name: string;
  /** The option that beats everything, without dashes. */
  readonly flag?: string;
  /** The variable that beats what is stored. */
  readonly variable?: string;
  /** The default, as text. */
  readonly fallback?: string;
  readonly help: string;
}

export const SETTINGS = [
  { name: 'base-url', flag: 'base-url', variable: 'RISKCLI_BASE_URL', help: 'address of the service' },
  {
    name: 'auth',
    variable: 'RISKCLI_AUTH',
    fallback: 'x-api-key',
    help: 'header to send the key in: x-api-key or bearer',
  },
  {
    name: 'timeout',
    flag: 'timeout',
    variable: 'RISKCLI_TIMEOUT',
    fallback: '30s',
    help: 'time limit for one wallet, retries included',
  },
  {
    name: 'max-wait',
    flag: 'max-wait',
    variable: 'RISKCLI_MAX_WAIT',
    fallback: '60s',
    help: 'longest time to wait for rate limits',
  },
  { name: 'monthly-requests', variable: 'RISKCLI_MONTHLY_REQUESTS', help: "the plan's limit of requests a month" },
  { name: 'score', variable: 'RISKCLI_SCORE', help: 'path to the headline score' },
] as const satisfies readonly Setting[];

export type SettingName = (typeof SETTINGS)[number]['name'];

export const SETTING_NAMES: readonly SettingName[] = SETTINGS.map(({ name }) => name);

/** The member that a flag has among the options of a command: `maxWait` for `max-wait`. */
type MemberName<N extends string> = N extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<MemberName<Rest>>}`
  : N;
const memberName = (flag: string) => flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

type TypedName = Extract<(typeof SETTINGS)[number], { readonly flag: string }>['flag'];

/** What was typed for settings, among the options of a command. */
export type TypedSettings = { readonly [N in TypedName as MemberName<N>]?: string | undefined };

/** The same by the names of the settings. */
export function typedTexts(typed: TypedSettings): ReadonlyMap<string, string> {
  const members = new Map<string, string | undefined>(Object.entries(typed));
  return new Map(
    SETTINGS.flatMap(({ name, flag }: Setting) => {
      const text = flag && members.get(memberName(flag));
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

/** Every variable of our own that the program reads. */
export const VARIABLES: readonly string[] = [
  ...SETTINGS.map(({ variable }) => variable),
  ...['RISKCLI_ENV', 'RISKCLI_API_KEY', 'RISKCLI_API_KEY_FILE', 'RISKCLI_CONFIG_DIR'],
];

/** The row of `name`; undefined when there is no such setting. */
export function settingNamed(name: string): (Setting & { readonly name: SettingName }) | undefined {
  return SETTINGS.find((setting) => setting.name === name);
}

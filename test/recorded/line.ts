/**
 * A command line of a recording, as it stands there:
 *
 *     $ tty=100 RISKCLI_ENV=prod riskcli profile -f @/wallets.csv --where '_meta.score < 400' < @/more.txt
 *
 * `@` is the folder of the scene, `$A` to `$E` and `$GONE` are wallets, `$URL` is the service.
 * Names in lower case say how it runs: `tty=100` on a terminal of so many columns, `service=503`
 * against a service that fails so (`none`: that cannot be reached), `plan=startup` with the limits
 * of a plan, `state=@/state` with a folder for what is learned, `interrupted=SIGINT` with a signal
 * that has come, `settings=stored` with config.json and keys.json in place of variables (`none`:
 * with neither).
 */

const WALLETS: Readonly<Record<string, string>> = {
  A: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  B: '0x52908400098527886E0F7030069857D2E4169EE7',
  C: '0x1111111111111111111111111111111111111111',
  D: '0x2222222222222222222222222222222222222222',
  E: '0x3333333333333333333333333333333333333333',
  GONE: '0x4444444444444444444444444444444444444444',
};

const STAGE = ['tty', 'service', 'plan', 'state', 'interrupted', 'settings'] as const;
type StageName = (typeof STAGE)[number];

export interface Line {
  readonly text: string;
  readonly args: readonly string[];
  readonly stage: Readonly<Partial<Record<StageName, string>>>;
  readonly env: Readonly<Record<string, string>>;
  /** The file that stands behind `<`. */
  readonly stdin: string | undefined;
}

/** What the names in a line stand for. */
export interface Places {
  readonly folder: string;
  readonly url: string;
}

/** @throws when it is no line of a recording. */
export function parseLine(text: string, places: Places): Line {
  const words = (text.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []).map((word) => expanded(word, places));
  const start = words.indexOf('riskcli');
  if (start < 0) throw new Error(`no riskcli in the line ${text}`);
  const settings = words.slice(0, start).map((word) => word.split(/=(.*)/s, 2) as [string, string]);
  const unknown = settings.find(([name]) => name !== name.toUpperCase() && !isStage(name));
  if (unknown) throw new Error(`${unknown[0]} says nothing: ${text}`);
  const end = words.indexOf('<');
  return {
    text,
    args: words.slice(start + 1, end < 0 ? undefined : end),
    stage: Object.fromEntries(settings.filter(([name]) => isStage(name))),
    env: Object.fromEntries(settings.filter(([name]) => !isStage(name))),
    stdin: end < 0 ? undefined : words[end + 1],
  };
}

const isStage = (name: string): name is StageName => STAGE.some((known) => known === name);

function expanded(word: string, { folder, url }: Places): string {
  return word
    .replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double)
    .replace(/\$([A-Z]+)/g, (whole, name) => (name === 'URL' ? url : (WALLETS[name] ?? whole)))
    .replace(/(^|[=:,])@(?=\/|$)/g, `$1${folder}`);
}

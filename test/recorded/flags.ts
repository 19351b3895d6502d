/** Lines for every flag of every command, made from the command table: a right value each, and each kind of refusal once. */
import type { Command } from '../../src/cli/command.ts';
import { GLOBAL_FLAGS, loadCommand } from '../../src/cli/command.ts';
import type { Flag } from '../../src/cli/flag.ts';
import { commands } from '../../src/commands/index.ts';

/** Values that a flag takes, by its name or else by what stands for the value in the help. */
const VALUES: Readonly<Record<string, string>> = {
  '--accept': 'invalid,failed',
  '--base-url': '$URL',
  '--column': 'address',
  '--command': 'printf made-up-key-of-a-vault',
  '--env': 'prod',
  '--fail-if': "'low: _meta.score < 400'",
  '--fail': '10%',
  '--fields': "'_meta.line,score=_meta.score'",
  '--file': '@/more.txt',
  '--as-of': '2026-03-03',
  '--journal': '@/kept.journal',
  '--keep': '@/kept',
  '--sheet': 'Wallets',
  '--since': '1d',
  '--label': 'address',
  '--max-wait': '5m',
  '--output': '@/out.csv',
  '--policy': '@/policy.json',
  '--reason': "'ticket 17'",
  '--rule': 'thin',
  '--rate': '1000',
  '--sort': 'total_collateral_usd',
  '--summary': '@/run.json',
  '--timeout': '5m',
  '--top': '2',
  '--where': "'_meta.score > 400'",
  CONDITION: "'status == scored'",
  DURATION: '1h',
  FILE: '@/out.txt',
  N: '3',
  WALLET: '$B',
  TIME: '0',
  DATE: '2026-03-31',
  WHEN: '2026-03-03',
};

/** Where another value says more. */
const VALUES_OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  profile: { '--format': 'csv' },
  'journal export': { '--format': 'csv' },
  diff: {
    '--format': 'csv',
    '--accept': 'added',
    '--fail-if': "'fell: score.delta < -10'",
    '--fields': 'score,defi_score.risk_level',
    '--sort': 'score.delta',
    '--where': "'score.delta < 0'",
  },
  review: { '--as-of': '2026-03-06', '--format': 'json', '--fail-if': "'low: score < 400'" },
  report: { '--format': 'json', '--output': '@/page.md' },
  sandbox: { '--port': '0' },
};

/** Values that it does not take, by its name or else by what stands for the value. */
const WRONG: Readonly<Record<string, string>> = {
  '--base-url': 'http://api.example',
  '--column': 'nothing',
  '--env': 'no/name',
  '--fields': 'a..b',
  '--label': 'nothing',
  '--output': '@/absent/out.csv',
  CHANGES: 'moved',
  CONDITION: "'_meta.score <'",
  DURATION: 'soon',
  FILE: '@/absent',
  'FILE.json': '@/absent/run.json',
  N: '-1',
  PATH: 'a..b',
  PATHS: 'a..b',
  STATUSES: 'good',
  WALLET: 'nonsense',
  TIME: 'long',
  DATE: '31.3.2026',
  WHEN: '20260303',
};

/** Flags with which a line may print what it prints without them: they change when, how, or what is asked or refused. */
const CHANGES_NOTHING: Readonly<Record<string, readonly string[]>> = {
  health: ['warning', 'critical', 'base-url', 'timeout', 'color', 'quiet', 'debug', 'no-input'],
  'journal prune': ['no-checksum'],
  'keys set': ['timeout'],
  'keys check': ['base-url', 'timeout', 'max-wait'],
  'policy check': ['no-checksum'],
  'policy excuse': ['reason', 'no-checksum'],
  profile: ['column', 'no-checksum', 'max-requests', 'rate', 'concurrency', 'base-url', 'timeout', 'max-wait'],
  report: ['label'],
  review: [
    ...['column', 'no-checksum', 'only-news', 'max-age', 'max-requests', 'rate', 'concurrency'],
    ...['base-url', 'timeout', 'max-wait'],
  ],
  sandbox: ['port', 'latency', 'fail'],
};

/** A line of each command without further flags. */
const LINES: Readonly<Record<string, string>> = {
  profile: 'riskcli profile -f @/few.csv',
  review: 'riskcli review @/few.csv',
  diff: 'riskcli diff @/old.csv @/new.csv',
  health: 'riskcli health',
  'keys set': 'settings=none riskcli keys set --base-url https://api.example < @/key.txt',
  'keys show': 'settings=stored riskcli keys show',
  'keys list': 'settings=stored riskcli keys list',
  'keys remove': 'settings=stored riskcli keys remove',
  'keys check': 'riskcli keys check',
  'config set': 'settings=stored riskcli config set timeout 3s',
  'config get': 'settings=stored riskcli config get timeout',
  'config list': 'settings=stored riskcli config list',
  'config unset': 'settings=stored riskcli config unset timeout',
  'journal show': 'riskcli journal show @/long.journal',
  'journal export': 'riskcli journal export @/long.journal',
  'journal prune': 'riskcli journal prune @/long.journal',
  'policy check': 'riskcli policy check @/policy.json',
  'policy excuse': "riskcli policy excuse @/policy.json $B --rule 'low score' --reason 'ticket 17'",
  doctor: 'riskcli doctor',
  report: 'riskcli report @/new.jsonl',
  sandbox: 'interrupted=SIGINT riskcli sandbox',
  schema: 'riskcli schema health',
  completion: 'riskcli completion tcsh',
};

/** The command whose lines have the global flags: they are the same for all. */
const WITH_GLOBAL_FLAGS = 'health';

/** A line of a command, and the same with more behind it. */
export interface Form {
  readonly command: string;
  readonly base: string;
  readonly variants: readonly Variant[];
}

interface Variant {
  readonly line: string;
  /** Whether it has to print what the line prints without it. */
  readonly changesNothing: boolean;
}

/** The forms of all commands: what is wrong with a value is tried with the first command that has the flag. */
export async function formsOfFlags(): Promise<readonly Form[]> {
  const all = (await Promise.all(commands.map(loadCommand))).flatMap((one) => runnable(one, one.name));
  const refused = new Set<string>();
  return all.map(({ name, flags }) => {
    const base = LINES[name];
    if (base === undefined) throw new Error(`no line for ${name} in LINES`);
    const own = [...flags, ...(name === WITH_GLOBAL_FLAGS ? GLOBAL_FLAGS : [])];
    const variant = (words: string, changesNothing = false) => ({ line: behind(base, words), changesNothing });
    const right = own.flatMap((flag) =>
      rightWords(name, flag).map((words) => variant(words, CHANGES_NOTHING[name]?.includes(flag.long))),
    );
    const wrong = own.flatMap((flag) => wrongWords(flag, refused)).map((words) => variant(words));
    return { command: name, base, variants: [...right, ...wrong] };
  });
}

interface Runnable {
  readonly name: string;
  readonly flags: readonly Flag[];
}

/** A command, or those of a group. */
function runnable({ read, flags = [], subcommands = [] }: Command, name: string): readonly Runnable[] {
  const below = subcommands.flatMap((one) => runnable(one, `${name} ${one.name}`));
  return read ? [{ name, flags }, ...below] : below;
}

/** `words` behind `line`, before its input. */
const behind = (line: string, words: string) => {
  const [before = '', input] = line.split(' < ');
  return `${before} ${words}${input === undefined ? '' : ` < ${input}`}`;
};

function rightWords(command: string, { long, value, choices }: Flag): readonly string[] {
  const name = `--${long}`;
  const known = VALUES_OF[command]?.[name] ?? VALUES[name];
  if (value === undefined) return [name];
  if (known === '') return [];
  const one = known ?? choices?.at(-1) ?? VALUES[value];
  if (one === undefined) throw new Error(`no value for ${name} of ${command} in VALUES`);
  return [`${name} ${one}`];
}

/** A switch with a value, a flag without one, and a value of each kind that a flag does not take: each once. */
function wrongWords({ long, value, choices }: Flag, refused: Set<string>): readonly string[] {
  const name = `--${long}`;
  const once = (kind: string, words: string) => {
    if (refused.has(kind)) return [];
    refused.add(kind);
    return [words];
  };
  if (value === undefined) return once('switch', `${name}=x`);
  const kind = choices ? 'choice' : WRONG[name] ? name : value;
  const wrong = choices ? 'nothing' : WRONG[kind];
  return [...once('no value', name), ...(wrong === undefined ? [] : once(kind, `${name} ${wrong}`))];
}

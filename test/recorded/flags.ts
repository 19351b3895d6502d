/** Lines for every flag of every command with every form of it, made of what `riskcli schema` says. */
import { cli } from '../fixtures/cli/here.ts';

interface Option {
  readonly name: string;
  readonly value: string | null;
  readonly choices: readonly string[] | null;
}

interface Schema {
  readonly commands: readonly { readonly name: string; readonly options: readonly Option[] }[];
  readonly global_options: readonly Option[];
}

/** Values that a flag takes, by its name or else by what stands for the value in the help. */
const VALUES: Readonly<Record<string, string>> = {
  '--accept': 'invalid,failed',
  '--base-url': '$URL',
  '--baseline': '@/old.csv',
  '--column': 'address',
  '--command': 'printf made-up-key-of-a-vault',
  '--env': 'prod',
  '--fail-if': "'low: _meta.score < 400'",
  '--fault': '503:0',
  '--fields': "'_meta.line,score=_meta.score'",
  '--file': '@/more.txt',
  '--fixtures': '@/old.jsonl',
  '--journal': '@/kept.journal',
  '--label': 'address',
  '--max-wait': '5m',
  '--metrics': '@/run.prom',
  '--output': '@/out.csv',
  '--policy': '@/policy.json',
  '--rate': '1000',
  '--score': 'total_collateral_usd',
  '--sort': 'total_collateral_usd:desc',
  '--summary': '@/run.json',
  '--timeout': '5m',
  '--top': '2',
  '--verbose': '--concurrency 1',
  '--where': "'_meta.score > 400'",
  CONDITION: "'status == scored'",
  DURATION: '1h',
  FIELD: 'defi_score.risk_level',
  FILE: '@/out.txt',
  N: '3',
  NAME: 'name',
  OLD: '@/old.csv',
  PATH: 'total_collateral_usd',
  TEXT: "'A title'",
  TIME: '0',
  WHEN: '2026-03-03',
};

/** Where another value says more. */
const VALUES_OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  diff: {
    '--accept': 'added',
    '--fail-if': "'fell: score.delta < -10'",
    '--fields': 'score,defi_score.risk_level',
    '--sort': 'score.delta',
    '--verbose': '',
    '--where': "'change == changed'",
  },
  'journal prune': { '--journal': '' },
  profile: { '--baseline': '@/old.csv -o @/page.md', '--format': 'csv' },
  report: { '--output': '@/page.md' },
  sandbox: { '--port': '0', '--seed': '7' },
};

/** Values that it does not take. */
const WRONG: Readonly<Record<string, string>> = {
  '--base-url': 'http://api.example',
  '--column': 'nothing',
  '--env': 'no/name',
  '--fields': 'a..b',
  '--label': 'nothing',
  '--metrics': '@/run.json',
  '--output': '@/absent/out.csv',
  '--title': "''",
  CHANGES: 'moved',
  CONDITION: "'_meta.score <'",
  DURATION: 'soon',
  FIELD: 'a..b',
  FILE: '@/absent',
  'FILE.json': '@/absent/run.json',
  'KIND[:SHARE]': '503:2',
  N: '-1',
  OLD: '@/absent',
  PATH: 'a..b',
  PATHS: 'a..b',
  STATUSES: 'good',
  TIME: 'long',
  WHEN: '20260303',
};

/** Lines without further flags. Each command's first one is what wrong values are tried with. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  profile: [
    'riskcli profile -f @/wallets.csv',
    'riskcli profile $A',
    'tty=100 riskcli profile $A',
    'riskcli profile $A --json',
    'tty=100 riskcli profile $A $B',
    'tty=100 riskcli profile -f @/few.csv',
    'riskcli profile -f @/few.csv --dry-run',
    'riskcli profile $A --dry-run',
    'riskcli profile $A --curl',
    'riskcli profile -f @/few.csv --curl',
  ],
  review: [
    'riskcli review @/few.csv --journal @/kept.journal',
    'tty=100 riskcli review @/few.csv --journal @/kept.journal',
    'riskcli review @/few.csv --journal @/kept.journal --json',
  ],
  diff: [
    'riskcli diff @/old.csv @/new.csv',
    'tty=100 riskcli diff @/old.jsonl @/new.jsonl',
    'riskcli diff @/old.csv @/new.csv --csv',
    'riskcli diff @/fresh.journal @/long.journal --jsonl',
  ],
  health: [
    'riskcli health',
    'tty=100 riskcli health',
    'riskcli health --json',
    'riskcli health --format nagios',
    'riskcli health --format prometheus',
    'riskcli health --curl',
  ],
  'keys set': ['settings=none riskcli keys set --base-url https://api.example < @/key.txt'],
  'keys show': ['settings=stored riskcli keys show', 'settings=stored tty=80 riskcli keys show'],
  'keys list': ['settings=stored riskcli keys list', 'settings=stored tty=80 riskcli keys list'],
  'keys remove': ['settings=stored riskcli keys remove'],
  'keys check': ['riskcli keys check', 'tty=80 riskcli keys check'],
  'config set': ['settings=stored riskcli config set timeout 3s'],
  'config get': ['settings=stored riskcli config get timeout'],
  'config list': ['settings=stored riskcli config list', 'settings=stored tty=80 riskcli config list'],
  'config unset': ['settings=stored riskcli config unset timeout'],
  'config path': ['riskcli config path'],
  limits: ['settings=stored riskcli limits', 'tty=80 riskcli limits'],
  'journal show': ['riskcli journal show @/long.journal', 'tty=80 riskcli journal show @/long.journal'],
  'journal history': [
    'riskcli journal history @/long.journal $A',
    'tty=80 riskcli journal history @/long.journal $A',
    'riskcli journal history @/long.journal $A --json',
  ],
  'journal export': [
    'riskcli journal export @/long.journal',
    'tty=100 riskcli journal export @/long.journal',
    'riskcli journal export @/long.journal --csv',
    'riskcli journal export @/long.journal -o @/exported.json',
  ],
  'journal prune': [
    'riskcli journal prune @/long.journal --keep 1',
    'riskcli journal prune @/long.journal --older-than 3d --json',
  ],
  'journal erase': ['riskcli journal erase @/long.journal $A', 'riskcli journal erase @/long.journal -f @/more.txt'],
  doctor: ['riskcli doctor', 'tty=80 riskcli doctor', 'settings=stored riskcli doctor --online'],
  report: [
    'riskcli report @/new.jsonl',
    'tty=80 riskcli report @/new.jsonl',
    'riskcli report @/new.jsonl --json',
    'riskcli report @/new.jsonl -o @/report.md',
    'riskcli report @/new.jsonl -o @/report.html',
    'riskcli report @/new.csv --format md',
    'riskcli report @/long.journal --format md',
  ],
  sandbox: ['interrupted=SIGINT riskcli sandbox', 'interrupted=SIGINT tty=80 riskcli sandbox'],
  schema: ['riskcli schema wallet'],
  completion: ['riskcli completion tcsh'],
};

/** A line, and what is put behind it. */
export interface Form {
  readonly command: string;
  readonly base: string;
  readonly variants: readonly string[];
}

/** All forms of each command, a list a command; the values of a flag are tried with each, wrong ones with the first. */
export async function formsOfFlags(): Promise<readonly Form[]> {
  const { stdout } = await cli(['schema', '--all']);
  const { commands, global_options: globals } = JSON.parse(stdout) as Schema;
  const missing = commands.filter(
    ({ name }) => !FORMS[name] && !commands.some((one) => one.name.startsWith(`${name} `)),
  );
  if (missing.length > 0) throw new Error(`no line for ${missing.map(({ name }) => name)} in FORMS`);
  return commands.flatMap(({ name: command, options }) =>
    (FORMS[command] ?? []).map((base, i) => {
      // What is the same for all commands is tried on a pipe and on a terminal.
      const flags = [...options, ...(i < 2 || base.includes('tty=') ? globals : [])];
      const right = flags.flatMap((flag) => rightWords(command, flag));
      const wrong = i === 0 ? flags.flatMap(wrongWords) : [];
      return { command, base, variants: [...right, ...wrong].map((words) => behind(base, words)) };
    }),
  );
}

/** `words` behind `line`, before its input. */
const behind = (line: string, words: string) => {
  const [before = '', input] = line.split(' < ');
  return `${before} ${words}${input === undefined ? '' : ` < ${input}`}`;
};

function rightWords(command: string, { name, value, choices }: Option): readonly string[] {
  const known = VALUES_OF[command]?.[name] ?? VALUES[name];
  if (value === null) return [name === '--verbose' && command === 'profile' ? `${name} ${known}` : name];
  if (known === '') return [];
  const one = known ?? choices?.at(-1) ?? VALUES[value];
  if (one === undefined) throw new Error(`no value for ${name} of ${command} in VALUES`);
  return [`${name} ${one}`];
}

function wrongWords({ name, value, choices }: Option): readonly string[] {
  if (value === null) return [`${name}=x`];
  if (value.includes('ARG')) return [name];
  const wrong = choices ? 'nothing' : (WRONG[name] ?? WRONG[value]);
  return [name, ...(wrong === undefined ? [] : [`${name} ${wrong}`])];
}

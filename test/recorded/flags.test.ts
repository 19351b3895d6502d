/**
 * For every flag of every command a line without it and the same line with it, which must not come
 * to the same.
 */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { GLOBAL_FLAGS } from '../../src/cli/command.ts';
import type { Flag } from '../../src/cli/flag.ts';
import { ExitCode } from '../../src/errors.ts';
import { FORMAT_SWITCHES } from '../../src/row/formats.ts';
import { runnableCommands } from '../fixtures/cli/commands.ts';
import { play, type Result } from './play.ts';

/** A line of each command. */
const LINES: Readonly<Record<string, string>> = {
  profile: 'riskcli profile -f @/few.csv',
  review: 'riskcli review @/few.csv',
  diff: 'riskcli diff @/old.jsonl @/new.jsonl',
  health: 'riskcli health',
  'keys set': 'settings=none riskcli keys set --base-url https://api.example',
  'keys show': 'settings=stored riskcli keys show',
  'keys list': 'settings=stored riskcli keys list',
  'keys remove': 'settings=stored riskcli keys remove',
  'keys check': 'riskcli keys check',
  'config set': 'settings=stored riskcli config set timeout 3s',
  'config get': 'settings=stored riskcli config get timeout',
  'config list': 'settings=stored riskcli config list',
  'config unset': 'settings=stored riskcli config unset timeout',
  'journal show': 'riskcli journal show @/long.journal',
  'journal prune': 'riskcli journal prune @/long.journal',
  'policy check': 'riskcli policy check @/policy.json',
  'policy excuse': 'riskcli policy excuse @/policy.json $B --rule thin',
  doctor: 'riskcli doctor',
  report: 'riskcli report @/new.jsonl',
  sandbox: 'interrupted=SIGINT riskcli sandbox',
  schema: 'riskcli schema health',
  completion: 'riskcli completion bash',
};

/** What is typed for a flag, by its name or else by what stands for its value in the help. */
const TYPED: Readonly<Record<string, string>> = {
  accept: 'invalid,failed',
  'as-of': '2026-03-06',
  'base-url': 'http://127.0.0.1:1',
  column: 'label',
  'fail-if': "'low: score < 400'",
  fields: "'_meta.line,score=_meta.score'",
  keep: '@/kept',
  label: 'address',
  'max-requests': '1',
  output: '@/out.csv',
  policy: '@/policy.json',
  sheet: 'Wallets',
  since: '1d',
  sort: 'total_collateral_usd',
  timeout: '5m',
  top: '2',
  where: "'_meta.score > 400'",
  DURATION: '1h',
  FILE: '@/kept.journal',
  N: '3',
  WALLET: '$B',
};

/**
 * Where a flag needs others beside it, or another value: what is typed without it and, behind `|`,
 * with it.
 */
const TYPED_OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  profile: {
    file: 'riskcli profile | -f @/few.csv',
    'no-checksum': 'riskcli profile -f @/wrong-case.txt | --no-checksum',
    'max-age': 'riskcli profile -f @/wallets.txt --sandbox --journal @/sandbox.journal | --max-age 1h',
    'max-wait': 'service=429 riskcli profile -f @/few.csv | --max-wait 3s',
    rate: 'riskcli profile -f @/wallets.csv --dry-run | --rate 1',
  },
  review: {
    'no-checksum': 'riskcli review @/wrong-case.txt | --no-checksum',
    'max-wait': 'service=429 riskcli review @/few.csv | --max-wait 3s',
    rate: 'riskcli review @/wallets.csv --dry-run | --rate 1',
  },
  diff: {
    accept: "riskcli diff @/old.jsonl @/new.jsonl --fail-if 'score.delta missing' | --accept changed",
    'fail-if': "riskcli diff @/old.jsonl @/new.jsonl | --fail-if 'fell: score.delta < -10'",
    fields: 'riskcli diff @/old.jsonl @/new.jsonl | --fields score,defi_score.risk_level',
    sort: 'riskcli diff @/old.jsonl @/new.jsonl | --sort score.delta',
    where: "riskcli diff @/old.jsonl @/new.jsonl | --where 'score.delta < 0'",
  },
  health: {
    warning: 'riskcli health --format nagios | --warning 1h',
    critical: 'riskcli health --format nagios | --critical 1h',
    env: 'settings=stored riskcli config get timeout | --env prod',
    color: 'riskcli report @/new.jsonl | --color always',
    quiet: 'riskcli profile -f @/few.csv --top 2 | --quiet',
    debug: 'riskcli profile nonsense | --debug',
    'no-input': 'tty=80 settings=none riskcli keys set --base-url https://api.example | --no-input',
  },
  'keys set': {
    check: 'settings=none riskcli keys set --base-url https://api.example < @/key.txt | --check',
    command: 'settings=none riskcli keys set --base-url https://api.example | --command printf made-up-key',
    'base-url': 'settings=none riskcli keys set < @/key.txt | --base-url $URL',
    timeout: 'settings=none riskcli keys set --base-url https://api.example < @/key.txt | --timeout 5m',
    'max-wait': 'settings=none riskcli keys set --base-url $URL --check < @/key.txt | --max-wait 3s',
  },
  'keys check': { 'max-wait': 'service=429 riskcli keys check | --max-wait 3s' },
  'journal prune': {
    'no-checksum':
      'riskcli journal prune @/long.journal --wallet 0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96045 | --no-checksum',
  },
  'policy check': { against: 'riskcli policy check @/policy.json | --against @/new.jsonl' },
  'policy excuse': {
    rule: "riskcli policy excuse @/policy.json $B --reason 'ticket 17' | --rule thin",
    reason: "riskcli policy excuse @/policy.json $B --rule thin | --reason 'ticket 17'",
    until: "riskcli policy excuse @/policy.json $B --rule thin --reason 'ticket 17' | --until 2026-03-31",
    remove: "riskcli policy excuse @/policy.json $B --rule 'low score' | --remove",
    'no-checksum':
      'riskcli policy excuse @/policy.json 0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96045 --rule thin --reason x | --no-checksum',
  },
  report: { output: 'riskcli report @/new.jsonl | -o @/page.html' },
  sandbox: {
    port: 'interrupted=SIGINT riskcli sandbox | --port 0',
    latency: 'interrupted=SIGINT riskcli sandbox | --latency 0',
    fail: 'interrupted=SIGINT riskcli sandbox | --fail 10%',
  },
};

/**
 * What a line like these cannot show: a limit of real time or of parallel requests, a run before,
 * the sandbox's answers.
 */
const UNSEEN: Readonly<Record<string, readonly string[]>> = {
  profile: ['concurrency', 'timeout'],
  review: ['concurrency', 'timeout', 'only-news', 'max-age'],
  health: ['timeout'],
  'keys set': ['timeout', 'max-wait'],
  'keys check': ['timeout'],
  'policy check': ['no-checksum'],
  report: ['label'],
  sandbox: ['port', 'latency', 'fail'],
};

/** What shows that they do something is that the line is refused with them. */
const REFUSED = ['sheet', 'debug', 'no-input'];

/** The command whose lines stand for the flags that all commands have. */
const WITH_GLOBAL_FLAGS = 'health';

interface Probe {
  readonly name: string;
  readonly long: string;
  readonly without: string;
  readonly typed: string;
  /** Whether what they come to has to differ. */
  readonly isSeen: boolean;
  readonly isRefused: boolean;
}

const probes = runnableCommands.flatMap(({ name, command }): readonly Probe[] => {
  const line = LINES[name];
  if (line === undefined) throw new Error(`no line for ${name} in LINES`);
  const flags = [...(command.flags ?? []), ...(name === WITH_GLOBAL_FLAGS ? GLOBAL_FLAGS : [])];
  return flags.map((flag) => {
    const { long } = flag;
    const [without = '', typed = ''] = (TYPED_OF[name]?.[long] ?? `${line} | ${typedFor(name, flag)}`).split(' | ');
    return { name, long, without, typed, isSeen: !UNSEEN[name]?.includes(long), isRefused: REFUSED.includes(long) };
  });
});

function typedFor(command: string, { long, value, choices }: Flag): string {
  if (value === undefined) return `--${long}`;
  const text = TYPED[long] ?? choices?.[1] ?? TYPED[value];
  if (text === undefined) throw new Error(`no value for --${long} of ${command} in TYPED`);
  return `--${long} ${text}`;
}

/** `words` behind `line`, before its input. */
function behind(line: string, words: string): string {
  const [before = '', input] = line.split(' < ');
  return `${before} ${words}${input === undefined ? '' : ` < ${input}`}`;
}

/** What a line comes to, whatever it is called. */
const outcome = async (line: string): Promise<Result> => ({ ...(await play([line]))[0]!, line: '' });

describe('every flag changes what its command does', () => {
  it.each(probes)('changes the result of riskcli $name with --$long', async (probe) => {
    const { name, long, without, typed, isSeen, isRefused } = probe;
    const line = behind(without, typed);
    const [before, after] = [await outcome(without), await outcome(line)];
    const shown = `${name} --${long}`;
    const changes = (does: boolean) => (does ? `${shown} changes what is printed` : `${shown} changes nothing`);
    const refuses = (does: boolean) => (does ? `${line} is refused` : `${line} is accepted`);
    expect(changes(!isDeepStrictEqual(before, after))).toBe(changes(isSeen));
    expect(refuses(after.exitCode === ExitCode.usage)).toBe(refuses(isRefused));
    if (FORMAT_SWITCHES.some((name) => name === long)) {
      expect(after).toEqual(await outcome(behind(without, `--format ${long}`)));
    }
  });
});

/**
 * What happens in a history, from its seed: the service's ways, the lists, who runs what and when,
 * and what goes wrong. A scenario is data, so that it can be shrunk, printed and kept.
 */

import { between, chance, hash, pick, type Random, randomOf, spread } from './random.ts';
import { FAULTS, LIMITER_KINDS, type ServiceOptions, UNREACHABLE } from './service.ts';

/** A change of what follows changes what every seed means: it then gets the next number. */
export const VERSION = 12;

export interface RunEvent {
  readonly at: number;
  readonly do: 'run';
  readonly name: string;
  readonly argv: readonly string[];
  readonly list?: string;
  readonly output?: string;
  readonly journal?: string;
  /**
   * Standard input: the content of a file, in a number of chunks at an interval in milliseconds.
   */
  readonly stdin?: { readonly path: string; readonly pieces: number; readonly gapMs: number };
  /** Differences from the environment of the other runs. */
  readonly env?: Readonly<Record<string, string>>;
  /** The setting monthly-requests. */
  readonly monthly?: number;
  /** The pid namespace: `1` is the host's own. */
  readonly space?: string;
  readonly hostName?: string;
  /** Number of characters after which the reader of its output leaves. */
  readonly readerTakes?: number;
}

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';
const SIGNALS: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** At the nth call of that name, or of any, that a run makes to the disk. */
interface AtCall {
  readonly run: string;
  readonly call: string;
  readonly nth: number;
}

export type ScenarioEvent =
  | RunEvent
  | {
      readonly at: number;
      readonly do: 'signal';
      readonly run: string;
      readonly signal: Signal;
    }
  | { readonly at: number; readonly do: 'kill'; readonly run: string }
  | ({ readonly do: 'kill at call' } & AtCall)
  | ({ readonly do: 'signal at call'; readonly signal: Signal } & AtCall)
  | { readonly at: number; readonly do: 'halt'; readonly run: string; readonly ms: number }
  | ({ readonly do: 'halt at call'; readonly ms: number } & AtCall)
  | ({ readonly do: 'fail call'; readonly code: string; readonly times?: number } & AtCall)
  | ({ readonly do: 'power cut at call' } & AtCall)
  | { readonly at: number; readonly do: 'power cut' }
  | { readonly at: number; readonly do: 'suspend'; readonly ms: number }
  | { readonly at: number; readonly do: 'step clock'; readonly ms: number }
  | { readonly at: number; readonly do: 'delete lock'; readonly journal: string }
  | { readonly at: number; readonly do: 'remove'; readonly path: string }
  /** A user rewrites the list, unless a run is reading it. */
  | { readonly at: number; readonly do: 'edit list'; readonly path: string; readonly text: string }
  /** Limits the free space of the disk to `bytes`; unlimited without it. */
  | { readonly at: number; readonly do: 'fill disk'; readonly bytes?: number }
  | { readonly at: number; readonly do: 'slow disk'; readonly ms: number; readonly until: number }
  | { readonly at: number; readonly do: 'outage'; readonly kind: string; readonly until: number }
  | { readonly at: number; readonly do: 'revoke key'; readonly until: number };

export interface Scenario {
  readonly version: number;
  readonly seed: number;
  /** The true time at its start, milliseconds since 1970. */
  readonly epoch: number;
  /** Initial error of the machine's clock. */
  readonly clock: number;
  readonly service: ServiceOptions;
  /** Their contents, compressed if the name ends in .gz. */
  readonly lists: Readonly<Record<string, string>>;
  readonly events: readonly ScenarioEvent[];
}

const WORK = '/home/u/work';

export function generate(seed: number): Scenario {
  const random = randomOf(VERSION, seed, 'scenario');
  const isReview = chance(random, 0.2);
  const wallets = Array.from({ length: sizeOf(random) }, (_, i) => walletOf(seed, i));
  const lists = listsOf(random, wallets);
  const service = serviceOf(random, isReview);
  const lengthMs = 100 + service.slowest + (wallets.length * 1_000) / Math.min(10, service.rate);
  const cast = { lists: Object.keys(lists), wallets, lengthMs };
  const runs = isReview ? reviewsOf(random, cast) : runsOf(random, cast);
  const edits = isReview ? editsOf(random, { cast, runs, lists }) : [];
  const trouble = troubleOf(random, { runs, lengthMs, wallets: wallets.length, padding: service.padding });
  const epoch = epochOf(random);
  return {
    version: VERSION,
    seed,
    epoch,
    clock: chance(random, 0.1) ? pick(random, [-3600_000, 3600_000, -86_400_000 * 400, 86_400_000 * 3]) : 0,
    service,
    lists,
    events: [...runs, ...edits, ...trouble].sort((one, other) => timeOf(one) - timeOf(other)),
  };
}

const timeOf = (event: ScenarioEvent) => ('at' in event ? event.at : Number.POSITIVE_INFINITY);

/** Most of what goes wrong needs few wallets, and short histories are more. */
function sizeOf(random: Random): number {
  const kind = random();
  if (kind < 0.013) return between(random, 121, 150);
  return kind < 0.06 ? between(random, 30, 120) : Math.round(spread(random, 1, 20));
}

export const walletOf = (seed: number, i: number) =>
  `0x${[0, 1, 2, 3, 4].map((part) => hash(seed, 'wallet', i, part).toString(16).padStart(8, '0')).join('')}`;

/** Months and years end while people work. */
function epochOf(random: Random): number {
  const end = pick(random, [Date.UTC(2031, 0), Date.UTC(2032, 0), Date.UTC(2028, 2), Date.UTC(2030, 10)]);
  return chance(random, 0.2) ? end - between(random, 0, 60_000) : Date.UTC(2030, 4, 17, 11) + between(random, 0, 1e9);
}

function serviceOf(random: Random, isReview: boolean): ServiceOptions {
  const [rate, burst] = pick(random, [
    [10, 20],
    [10, 20],
    [50, 100],
    [200, 400],
    [2, 4],
  ] as const);
  const slowest = Math.round(spread(random, 2, 5_000));
  const faults: Record<string, number> = {};
  const kinds = chance(random, 0.25) ? 0 : between(random, 1, 6);
  for (let i = 0; i < kinds; i++) faults[pick(random, FAULTS)] = pick(random, [0.1, 0.2, 0.3]);
  return {
    kind: pick(random, LIMITER_KINDS),
    rate,
    burst,
    fastest: Math.max(1, Math.round(slowest / pick(random, [1, 3, 50]))),
    slowest,
    lagging: chance(random, 0.3) ? 0.05 : 0,
    longest: pick(random, [8_000, 29_000, 40_000]),
    headers: pick(random, ['all', 'all', 'all', 'none', 'limit', 'stale']),
    wait: pick(random, ['body', 'body', 'header', 'both', 'date', 'none', 'past', 'long']),
    quota: chance(random, 0.16) ? between(random, 1, 40) : undefined,
    unknown: pick(random, [0, 0, 0.1, 0.5]),
    noScore: pick(random, [0, 0.1]),
    padding: pick(random, [0, 100, 3_000, 3_000]),
    faults,
    ...(isReview && { movesEach: Math.round(spread(random, 6 * HOUR, 4 * DAY)) }),
  };
}

function listsOf(random: Random, wallets: readonly string[]): Record<string, string> {
  const lists: Record<string, string> = {};
  const count = chance(random, 0.5) ? 1 : 2;
  for (let i = 0; i < count; i++) {
    const part = i === 0 ? wallets : wallets.filter(() => chance(random, 0.6));
    const rows = part.length > 0 ? part.flatMap((wallet) => rowsOf(random, wallet)) : [...wallets];
    const isCsv = chance(random, 0.4);
    const packing = chance(random, 0.1) ? '.gz' : '';
    lists[`${WORK}/list${i}.${isCsv ? 'csv' : 'txt'}${packing}`] = isCsv ? csvOf(rows) : linesOf(rows);
  }
  if (chance(random, 0.036)) lists[`${WORK}/list0.txt`] = pick(random, ['', '\n\n', '# nobody\n']);
  return lists;
}

const linesOf = (rows: readonly string[]) => `${rows.join('\n')}\n`;

function rowsOf(random: Random, wallet: string): readonly string[] {
  if (chance(random, 0.02)) return [wallet, 'not a wallet'];
  if (chance(random, 0.05)) return [wallet, `0x${wallet.slice(2).toUpperCase()}`];
  return [wallet];
}

const csvOf = (rows: readonly string[]) =>
  `name,address,amount\n${rows.map((row, i) => `"Holder, ${i}",${row},${i * 3}.50\n`).join('')}`;

interface Cast {
  readonly lists: readonly string[];
  readonly wallets: readonly string[];
  /** Approximate time of a run of a list without faults, milliseconds. */
  readonly lengthMs: number;
}

const name = (i: number) => String.fromCharCode(65 + i);

function runsOf(random: Random, cast: Cast): RunEvent[] {
  const isCrowd = chance(random, 0.1);
  const count = isCrowd ? between(random, 3, 4) : pick(random, [1, 2, 2, 2, 3, 3, 4]);
  const journal = chance(random, 0.6) ? `${WORK}/answers.journal` : undefined;
  const monthly = chance(random, 0.15) ? between(random, 1, cast.wallets.length + 10) : undefined;
  const first = listRun(random, cast, { journal, monthly });
  const runs: RunEvent[] = [{ ...first, at: 0, name: 'A' }];
  let at = 0;
  for (let i = 1; i < count; i++) {
    at += isCrowd ? between(random, 0, 30) : whenNext(random, cast.lengthMs);
    const kind = random();
    const next: RunEvent = isCrowd
      ? listRun(random, cast, { journal: undefined, monthly })
      : kind < 0.45
        ? first
        : kind < 0.53
          ? withLess(random, first)
          : kind < 0.75
            ? listRun(random, cast, { journal, monthly })
            : sideRun(random, cast, { journal: first.journal, monthly });
    runs.push({ ...next, ...placeOf(random), at, name: name(i) });
  }
  return runs;
}

/** The same once more, with a smaller budget. */
function withLess(random: Random, run: RunEvent): RunEvent {
  if (run.argv.includes('--max-requests')) return run;
  return { ...run, argv: [...run.argv, '--max-requests', String(between(random, 1, 5))] };
}

/** Most runs are at home; some in a container, some beside it with settings of their own. */
function placeOf(random: Random): Partial<RunEvent> {
  const kind = random();
  if (kind < 0.1) return { space: '2', hostName: pick(random, ['desk', 'box']) };
  if (kind < 0.14) return { env: { RISKCLI_BASE_URL: 'https://other.test' } };
  if (kind < 0.18) return { env: { XDG_STATE_HOME: '/home/u/state' } };
  return {};
}

/** At once, while the one before runs, after it, much later. */
function whenNext(random: Random, lengthMs: number): number {
  const kind = random();
  if (kind < 0.2) return between(random, 0, 30);
  if (kind < 0.6) return Math.round(random() * lengthMs);
  if (kind < 0.9) return Math.round(lengthMs * (1 + random()));
  return Math.round(spread(random, 10_000, 300_000));
}

interface Common {
  readonly journal: string | undefined;
  readonly monthly: number | undefined;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * The same list every week, or every day; sometimes twice at once, and with what people do beside
 * it in between.
 */
function reviewsOf(random: Random, cast: Cast): RunEvent[] {
  const count = pick(random, [2, 2, 3, 3, 4, 5]);
  const [list = ''] = cast.lists;
  const keep = chance(random, 0.3) ? `${WORK}/kept` : undefined;
  const journal = `${keep ?? `${list}.reviews`}/unfinished.journal`;
  const monthly = chance(random, 0.1) ? between(random, 1, 3 * cast.wallets.length) : undefined;
  const first = reviewRun(random, { list, keep, journal, monthly });
  const runs: RunEvent[] = [{ ...first, name: 'A' }];
  let at = 0;
  for (let i = 1; i < count; i++) {
    at += whenReviewed(random, cast.lengthMs);
    const kind = random();
    const next: RunEvent =
      kind < 0.7
        ? first
        : kind < 0.8
          ? reviewRun(random, { list, keep, journal, monthly })
          : kind < 0.9
            ? listRun(random, cast, { journal: undefined, monthly })
            : sideRun(random, cast, { journal, monthly });
    runs.push({ ...next, ...placeOf(random), at, name: name(i) });
  }
  return runs;
}

function whenReviewed(random: Random, lengthMs: number): number {
  const kind = random();
  if (kind < 0.15) return between(random, 0, 30);
  if (kind < 0.25) return Math.round(random() * lengthMs);
  if (kind < 0.4) return Math.round(spread(random, 60_000, 20 * HOUR));
  return (kind < 0.7 ? DAY : 7 * DAY) + between(random, -HOUR, HOUR);
}

interface ReviewPlan extends Common {
  readonly list: string;
  /** That of --keep. */
  readonly keep: string | undefined;
}

function reviewRun(random: Random, { list, keep, journal, monthly }: ReviewPlan): RunEvent {
  const argv = ['review', list];
  if (keep) argv.push('--keep', keep);
  const output = chance(random, 0.4) ? `${WORK}/rows.${pick(random, FORMATS)}` : undefined;
  if (output) argv.push('-o', output);
  if (chance(random, 0.7)) argv.push('--json');
  if (chance(random, 0.2)) argv.push('--only-news');
  if (chance(random, 0.3)) argv.push('--fail-if', 'score < 500');
  if (chance(random, 0.15)) argv.push('--max-age', pick(random, ['60s', '1h', '100h']));
  if (chance(random, 0.3)) argv.push('--since', '1d');
  if (chance(random, 0.1)) argv.push('--max-requests', String(between(random, 1, 30)));
  if (chance(random, 0.1)) argv.push('--timeout', pick(random, ['1s', '3s', '10s']));
  // A review is one write: its reader has left before it, or takes it all.
  const readerTakes = chance(random, 0.1) ? 0 : undefined;
  return {
    at: 0,
    do: 'run',
    name: '',
    argv,
    list,
    output,
    journal,
    monthly,
    ...(readerTakes !== undefined && { readerTakes }),
  };
}

const FORMATS = ['csv', 'jsonl', 'json'];

interface Editing {
  readonly cast: Cast;
  readonly runs: readonly RunEvent[];
  readonly lists: Readonly<Record<string, string>>;
}

/** Between two reviews some wallets go, and others come. */
function editsOf(random: Random, { cast, runs, lists }: Editing): ScenarioEvent[] {
  const [path = ''] = cast.lists;
  if (lists[path] === '' || chance(random, 0.4)) return [];
  const rows = cast.wallets.filter(() => chance(random, 0.8)).flatMap((wallet) => rowsOf(random, wallet));
  const more = Array.from({ length: between(random, 0, 3) }, (_, i) => walletOf(i, cast.wallets.length + i));
  const text = (path.includes('.csv') ? csvOf : linesOf)([...rows, ...more, ...(cast.wallets.slice(0, 1) ?? [])]);
  const before = pick(random, runs).at;
  return [{ at: Math.max(0, before - between(random, 1, 60_000)), do: 'edit list', path, text }];
}

function listRun(random: Random, { lists }: Cast, { journal, monthly }: Common): RunEvent {
  const list = pick(random, lists);
  const format = pick(random, ['csv', 'csv', 'jsonl', 'json']);
  const writes = journal === undefined || chance(random, 0.5);
  const stem = `out-${/list(\d)/.exec(list)?.[1]}`;
  const output = writes ? `${WORK}/${stem}.${format}` : undefined;
  const stdin = chance(random, 0.1)
    ? { path: list, pieces: between(random, 1, 4), gapMs: Math.round(spread(random, 1, 3_000)) }
    : undefined;
  const argv = ['profile', '-f', stdin ? '-' : list];
  if (output) argv.push('-o', output);
  if (!writes) argv.push('--format', format);
  if (journal && (!writes || chance(random, 0.7))) argv.push('--journal', journal);
  const hasJournal = argv.includes('--journal');
  if (chance(random, 0.15)) argv.push('--max-requests', String(between(random, 1, 30)));
  if (chance(random, 0.1)) argv.push('--concurrency', String(between(random, 1, 8)));
  if (chance(random, 0.1)) argv.push('--rate', String(between(random, 1, 20)));
  if (chance(random, 0.1)) argv.push('--timeout', pick(random, ['1s', '3s', '10s']));
  if (chance(random, 0.1)) argv.push('--max-wait', pick(random, ['1s', '5s']));
  if (hasJournal && chance(random, 0.2)) argv.push('--max-age', pick(random, ['1s', '60s', '20h']));
  if (chance(random, 0.1)) argv.push('--fields', pick(random, ['+defi_score.risk_level', 'nothing.like_it']));
  if (chance(random, 0.05)) argv.push('--fail-if', 'score < 500');
  if (chance(random, 0.05)) argv.push('--sort', 'score:desc');
  const readerTakes = !writes && chance(random, 0.9) ? between(random, 0, 600) : undefined;
  return {
    at: 0,
    do: 'run',
    name: '',
    argv,
    list,
    output,
    journal: hasJournal ? journal : output && `${output}.journal`,
    monthly,
    ...(stdin && { stdin }),
    ...(readerTakes !== undefined && { readerTakes }),
  };
}

/** What people do beside a list. */
function sideRun(random: Random, { wallets }: Cast, { journal, monthly }: Common): RunEvent {
  const base = { at: 0, do: 'run', name: '', journal, monthly } as const;
  const file = journal ?? `${WORK}/answers.journal`;
  const kind = random();
  if (kind < 0.22) return { ...base, argv: ['journal', 'prune', file] };
  if (kind < 0.44) return { ...base, argv: ['journal', 'prune', file, '--wallet', pick(random, wallets)] };
  if (kind < 0.68) return { ...base, argv: ['journal', 'show', file] };
  if (kind < 0.87) return { ...base, argv: ['keys', 'show'], journal: undefined };
  return { ...base, argv: ['profile', pick(random, wallets), '--json'], journal: undefined };
}

/** Each as often as it says. */
const weighted = <Name extends string>(often: Readonly<Record<Name, number>>): readonly Name[] =>
  Object.entries<number>(often).flatMap(([name, times]) => Array<Name>(times).fill(name as Name));

/**
 * By how often they are aimed at. A run makes each of the named ones a few times, and one or two
 * with each answer.
 */
const CALLS = weighted({
  any: 4,
  rename: 2,
  unlink: 2,
  write: 2,
  open: 2,
  fsync: 1,
  fdatasync: 1,
  close: 1,
  lstat: 1,
  fstat: 1,
  read: 1,
  ftruncate: 1,
  scandir: 1,
  mkdir: 1,
});
/** Those that a run makes with each answer. */
const WITH_ANSWERS: readonly string[] = ['any', 'write', 'lstat', 'fstat'];

interface Scene extends Pick<Cast, 'lengthMs'> {
  readonly runs: readonly RunEvent[];
  readonly wallets: number;
  /** Characters added to an answer. */
  readonly padding: number;
}

function troubleOf(random: Random, scene: Scene): ScenarioEvent[] {
  // Nothing else goes wrong then: a run that was killed does not wake up to find its lock gone.
  const theft = chance(random, 0.06) ? aimedTheft(random, scene) : [];
  if (theft.length > 0) return theft;
  const count = pick(random, [2, 3, 3, 4, 5, 6]);
  const troubles = Array.from({ length: count }, () => trouble(random, scene)).flat();
  troubles.push(aimedKill(random, scene));
  if (chance(random, 0.2)) troubles.push(aimedKill(random, scene));
  if (chance(random, 0.35)) troubles.push(aimedSignal(random, scene));
  if (chance(random, shareOfCuts(scene))) troubles.push(aimedCut(random, scene));
  if (chance(random, 0.075)) troubles.push(aimedOutage(random, scene));
  return troubles;
}

/** Calls that change what is on the disk, or are to keep it there; the rarest most often. */
const AIMS = weighted({ rename: 9, unlink: 3, fsync: 4, fdatasync: 3, write: 3, open: 2, any: 2 });

const listRuns = (runs: readonly RunEvent[]) => runs.filter(({ list }) => list !== undefined);

/**
 * A kill at one of the first calls that change something: those of later runs find what the first
 * have left.
 */
function aimedKill(random: Random, { runs, wallets }: Scene): ScenarioEvent {
  const call = pick(random, AIMS);
  const most = call === 'any' ? 150 + 5 * wallets : call === 'open' || call === 'write' ? 8 : call === 'rename' ? 1 : 2;
  return { do: 'kill at call', run: pick(random, listRuns(runs)).name, call, nth: Math.round(spread(random, 1, most)) };
}

/** A signal while something is done, and not when its run is over. */
function aimedSignal(random: Random, { runs, wallets }: Scene): ScenarioEvent {
  const run = pick(random, runs).name;
  const nth = Math.round(spread(random, 1, 100 + 5 * wallets));
  return { do: 'signal at call', run, call: 'any', nth, signal: pick(random, SIGNALS) };
}

/** Only what is longer than a sector is torn. */
function shareOfCuts({ wallets, padding }: Scene): number {
  if (padding > 1_000 && wallets >= 4) return 0.9;
  return wallets >= 10 ? 0.6 : 0;
}

/**
 * A power cut when answers of many sectors have been written since the first sync of their journal:
 * it may tear the file.
 */
function aimedCut(random: Random, { runs, wallets }: Scene): ScenarioEvent {
  const run = pick(random, listRuns(runs).slice(0, chance(random, 0.6) ? 1 : 2)).name;
  if (chance(random, 0.8)) return { do: 'power cut at call', run, call: 'fdatasync', nth: 2 };
  return { do: 'power cut at call', run, call: 'write', nth: between(random, 6, 6 + 2 * wallets) };
}

/** A list that finds nobody there, from its first request on, and ends before somebody is. */
function aimedOutage(random: Random, { runs }: Scene): ScenarioEvent {
  const { at } = pick(random, listRuns(runs));
  return { at: at - 1, do: 'outage', kind: pick(random, UNREACHABLE), until: at + between(random, 60_000, 300_000) };
}

/** A run stands still in the middle of its list, and the next one takes its journal meanwhile. */
function aimedTheft(random: Random, { runs, lengthMs }: Scene): ScenarioEvent[] {
  const lists = listRuns(runs).filter(({ journal }) => journal !== undefined);
  const first = lists.find(({ journal }, i) => lists.slice(i + 1).some((later) => later.journal === journal));
  const next = lists.find((later) => later !== first && later.journal === first?.journal);
  if (!first?.journal || !next) return [];
  const at = first.at + between(random, 5, Math.round(lengthMs));
  const ms = Math.max(next.at - at, 1) + Math.round(spread(random, 50, 40_000));
  return [
    { at, do: 'halt', run: first.name, ms },
    { at: Math.max(at, next.at - between(random, 1, 300)), do: 'delete lock', journal: first.journal },
  ];
}

function nthOf(random: Random, call: string, { wallets }: Scene): number {
  if (call === 'any') return Math.round(spread(random, 1, 150 + 20 * wallets));
  if (!WITH_ANSWERS.includes(call)) return Math.round(spread(random, 1, call === 'open' || call === 'close' ? 12 : 2));
  return Math.round(spread(random, 1, 5 + 3 * wallets));
}

function trouble(random: Random, scene: Scene): ScenarioEvent[] {
  const { runs, lengthMs } = scene;
  const { name: run, at: from } = pick(random, runs);
  const list = runs[0];
  // Most runs are over long before the longest would be.
  const at = from + Math.round(random() ** 2 * lengthMs);
  const last = Math.max(...runs.map((one) => one.at));
  const anywhere = chance(random, 0.7) ? at : Math.round(random() * (last + lengthMs));
  const call = pick(random, CALLS);
  const nth = nthOf(random, call, scene);
  const halt = Math.round(spread(random, 5, 200_000));
  switch (pick(random, TROUBLES)) {
    case 'signal':
      return [{ at, do: 'signal', run, signal: pick(random, SIGNALS) }];
    case 'signals': {
      const signal = pick(random, SIGNALS);
      return [
        { at, do: 'signal', run, signal },
        { at: at + Math.round(spread(random, 1, 3_000)), do: 'signal', run, signal },
      ];
    }
    case 'kill':
      return [{ at, do: 'kill', run }];
    case 'kill at call':
      return [{ do: 'kill at call', run, call, nth }];
    case 'halt':
      return [{ at, do: 'halt', run, ms: halt }];
    case 'halt at call':
      return [{ do: 'halt at call', run, call, nth, ms: halt }];
    case 'fail call':
      return [
        {
          do: 'fail call',
          run,
          call,
          nth,
          code: pick(random, ['EIO', 'ENOSPC', 'EACCES', 'EMFILE', 'ENOENT']),
          times: pick(random, [1, 1, 1, 2, 1_000]),
        },
      ];
    case 'power cut':
      return [{ at: anywhere, do: 'power cut' }];
    case 'power cut at call': {
      const growing = chance(random, 0.5) ? pick(random, GROWING) : call;
      return [{ do: 'power cut at call', run, call: growing, nth: nthOf(random, growing, scene) }];
    }
    case 'suspend':
      return [{ at: anywhere, do: 'suspend', ms: Math.round(spread(random, 1_000, 3_600_000)) }];
    case 'step clock':
      return [
        { at: anywhere, do: 'step clock', ms: pick(random, [-1, 1]) * Math.round(spread(random, 1_000, 100_000_000)) },
      ];
    case 'delete lock':
      return list?.journal ? [{ at: anywhere, do: 'delete lock', journal: list.journal }] : [];
    case 'fill disk':
      return [
        { at: chance(random, 0.5) ? 0 : anywhere, do: 'fill disk', bytes: Math.round(spread(random, 1, 60_000)) },
        ...(chance(random, 0.6)
          ? [{ at: anywhere + Math.round(spread(random, 10, 60_000)), do: 'fill disk' } as const]
          : []),
      ];
    case 'slow disk':
      return [
        {
          at: anywhere,
          do: 'slow disk',
          ms: Math.round(spread(random, 1, 3_000)),
          until: anywhere + between(random, 100, 20_000),
        },
      ];
    case 'outage':
      return [
        {
          at: anywhere,
          do: 'outage',
          kind: pick(random, OUTAGES),
          until: anywhere + Math.round(spread(random, 1_000, 300_000)),
        },
      ];
    case 'revoke key':
      return [{ at, do: 'revoke key', until: at + Math.round(spread(random, 1_000, 200_000)) }];
    case 'remove':
      return list?.journal ? [{ at: anywhere, do: 'remove', path: list.journal }] : [];
  }
}

/** Calls between which something is not yet on the disk. */
const GROWING = ['write', 'fdatasync', 'fsync', 'rename'];

/** Most outages are those of a network. */
const OUTAGES = [...FAULTS, ...UNREACHABLE, ...UNREACHABLE, ...UNREACHABLE];

/**
 * By how often each is tried: what seldom comes to pass, since its run is over by then, most often.
 */
const TROUBLES = weighted({
  signal: 8,
  signals: 8,
  kill: 6,
  'kill at call': 1,
  halt: 6,
  'halt at call': 3,
  'fail call': 16,
  'power cut': 5,
  'power cut at call': 9,
  suspend: 2,
  'step clock': 3,
  'delete lock': 5,
  'fill disk': 3,
  'slow disk': 2,
  outage: 7,
  'revoke key': 7,
  remove: 3,
});

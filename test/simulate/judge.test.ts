/** Each clause of the judge sees what it is for, and what excuses a run is taken for an excuse. */
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { History, Incident, RunRecord, SentRequest } from './history.ts';
import { judge } from './judge.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Draft<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? Writable<E>[] : T[K] };

/** A history that a test changes, of two runs one after the other. */
interface World extends Omit<Draft<History>, 'files'> {
  files: Map<string, Buffer>;
  a: Writable<RunRecord>;
  b: Writable<RunRecord>;
}

const [LIST, OUT, JOURNAL] = ['/w/list.txt', '/w/out.csv', '/w/kept.journal'];
const BASE = 'https://api.test';
const KEY = 'wrp_Zb3-kd8_Qm2x7Vt5';
const [ONE = '', TWO = '', NONE = '', UNKNOWN = ''] = [1, 2, 3, 4].map((digit) => `0x${String(digit).repeat(40)}`);
const START = Date.UTC(2030, 4, 17, 11);

const profile = (wallet: string, score: number | null) => ({
  wallet_address: wallet,
  total_collateral_usd: 12.5,
  defi_score: score === null ? null : { defi_score: score },
});

function truth(wallet: string, score = 474) {
  if (wallet === UNKNOWN) return { status: 404, body: '{"error":"unknown"}' };
  return { status: 200, body: JSON.stringify(profile(wallet, wallet === NONE ? null : score)) };
}

function runOf(name: string, extra: Partial<RunRecord> = {}): Writable<RunRecord> {
  const { startedAt = START } = extra;
  return {
    name,
    argv: ['profile', '-f', LIST, '-o', OUT],
    env: { RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: BASE },
    startedAt,
    endedAt: startedAt + 2_000,
    how: 'exit',
    exitCode: 0,
    stdout: '',
    stderr: '',
    signals: [],
    haltedMs: 0,
    diskFaults: 0,
    list: LIST,
    output: OUT,
    journal: `${OUT}.journal`,
    isPeaceful: false,
    space: '1',
    readerTakes: undefined,
    written: undefined,
    ...extra,
  };
}

/**
 * A request that leaves `at` milliseconds after the start of its run, and has its answer half a
 * second later.
 */
function asked(by: RunRecord, wallet: string, { at = 100, ...extra }: Partial<SentRequest> & { at?: number } = {}) {
  const sentAt = by.startedAt + at;
  const { status, body } = truth(wallet);
  const served = status === 200 ? body.replace(/}$/, `,"served":${at}}`) : body;
  const request: SentRequest = {
    run: by.name,
    wallet,
    sentAt,
    arrivedAt: sentAt + 10,
    status,
    body: served,
    fault: undefined,
    deliveredAt: sentAt + 500,
    abandonedAt: undefined,
    ...extra,
  };
  return request;
}

const incident = (kind: string, at: number, detail?: string): Incident => ({ kind, at: START + at, detail });

function worldOf(
  { a, b, requests }: Pick<World, 'a' | 'b' | 'requests'>,
  list: readonly string[],
  files: Readonly<Record<string, string>>,
): World {
  const text = list.map((wallet) => `${wallet}\n`).join('');
  return {
    a,
    b,
    seed: 1,
    clock: 0,
    runs: [a, b],
    requests,
    incidents: [],
    lists: new Map([[LIST, text]]),
    files: new Map(Object.entries({ [LIST]: text, ...files }).map(([path, content]) => [path, Buffer.from(content)])),
    truth,
    limit: { rate: 10, burst: 20, kind: 'fixed window' },
    quota: undefined,
    seen: [],
  };
}

const csv = (...rows: readonly string[]) =>
  ['input,wallet_address,status,total_collateral_usd,score,answered_at,warning,error', ...rows, ''].join('\n');
const scored = (wallet: string) => `${wallet},${wallet},scored,12.5,474,2030-05-17T11:00:01.000Z,,`;
const unscored = (wallet: string) => `${wallet},${wallet},no_score,12.5,,2030-05-17T11:00:01.000Z,,`;
const ROWS = csv(scored(ONE), unscored(NONE));

/** A list of one wallet with a score and one without, asked by A, and by B in peace. */
function good(): World {
  const written = Buffer.from(ROWS);
  const a = runOf('A', { written });
  const b = runOf('B', { startedAt: START + 70_000, isPeaceful: true, written });
  const requests = [asked(a, ONE), asked(a, NONE), asked(b, ONE), asked(b, NONE)];
  return worldOf({ a, b, requests }, [ONE, NONE], { [OUT]: ROWS });
}

/** What B has written. */
function write({ files, b }: World, text: string): void {
  b.written = Buffer.from(text);
  files.set(OUT, b.written);
}

function record(wallet: string, content: string): string {
  const rest = `"wallet":"${wallet}","answered_at":"2030-05-17T11:00:01.000Z","document":${content}}`;
  return `{"crc":"${crc32(rest).toString(16).padStart(8, '0')}",${rest}\n`;
}
const HEADER = `{"riskcli_journal":1,"base_url":"${BASE}"}\n`;

/** The same with a journal that stays: in peace nothing is asked. */
function kept(): World {
  const world = good();
  for (const one of world.runs) Object.assign(one, { argv: [...one.argv, '--journal', JOURNAL], journal: JOURNAL });
  world.requests.length = 2;
  const records = world.requests.map(({ wallet, body = '' }) => record(wallet, body));
  world.files.set(JOURNAL, Buffer.from(HEADER + records.join('')));
  return world;
}

/** A is killed after a while; B asks ONE once more. */
function killed(endedAt = 20_000): World {
  const world = kept();
  Object.assign(world.a, { how: 'kill', endedAt: START + endedAt, exitCode: undefined });
  world.requests.push(asked(world.b, ONE));
  return world;
}

/** A has printed its rows. */
function printed(): World {
  const world = good();
  Object.assign(world.a, {
    argv: ['profile', '-f', LIST, '--format', 'csv'],
    output: undefined,
    journal: undefined,
    stdout: ROWS,
  });
  return world;
}

const WEEK = 7 * 86_400_000;
const FOLDER = `${LIST}.reviews`;
const nameOf = (begun: number) => `${new Date(begun).toISOString().slice(0, 19).replaceAll(':', '')}Z.jsonl`;
const SECOND = `${FOLDER}/${nameOf(START + WEEK)}`;

/** A kept review of one wallet. */
function keptReview(begun: number, score: number): string {
  const counts = { scored: 1, no_score: 0, invalid: 0, failed: 0, pending: 0 };
  const meta = { line: 1, input: ONE, status: 'scored', score, answered_at: new Date(begun + 600).toISOString() };
  const lines = [
    { riskcli_review: 1, begun: new Date(begun).toISOString(), base_url: BASE },
    { ...profile(ONE, score), _meta: meta },
    { riskcli_review_end: 1, rows: 1, counts, exit_code: 0 },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

const NOBODY = { count: 0, rows: [] };
const rowOf = (old: number | null, now: number) => ({ wallet_address: ONE, score: { old, new: now } });
const FELL = { compared_with: { file: nameOf(START) }, changed: { count: 1, rows: [rowOf(480, 470)] } };

/** What a review prints with --json. */
function documentOf(extra: object): string {
  const sections = { to_look_at: NOBODY, not_judged: NOBODY, excused: NOBODY, changed: NOBODY, came: NOBODY };
  const counts = { scored: 1, no_score: 0, invalid: 0, failed: 0, pending: 0 };
  return JSON.stringify({ compared_with: null, rows: 1, wallets: 1, counts, left: NOBODY, ...sections, ...extra });
}

/** Two reviews of one wallet, a week apart: its score fell from 480 to 470. */
function reviews(): World {
  const review = { argv: ['review', LIST, '--json'], output: undefined, journal: `${FOLDER}/unfinished.journal` };
  const a = runOf('A', { ...review, stdout: documentOf({}) });
  const b = runOf('B', { ...review, startedAt: START + WEEK, stdout: documentOf(FELL) });
  const requests = [asked(a, ONE, truth(ONE, 480)), asked(b, ONE, truth(ONE, 470))];
  const files = { [`${FOLDER}/${nameOf(START)}`]: keptReview(START, 480), [SECOND]: keptReview(START + WEEK, 470) };
  return { ...worldOf({ a, b, requests }, [ONE], files), truths: () => [truth(ONE, 480), truth(ONE, 470)] };
}

/** A run beside another with the same journal, long before B. */
function withOther(run: Partial<RunRecord>, other: Partial<RunRecord>): World {
  const world = kept();
  Object.assign(world.a, { endedAt: (run.startedAt ?? START) + 2_000, stderr: TOLD, ...run });
  Object.assign(world.b, { startedAt: START + 7e6, endedAt: START + 7e6 + 1 });
  world.runs.push(runOf('C', { argv: world.a.argv, journal: JOURNAL, ...other }));
  return world;
}

const rulesOf = (world: World) => [...new Set(judge(world).map(({ rule }) => rule))];
const TOLD = 'riskcli: what happened; what to do\n';

/** A rule, a history that keeps it, and what breaks it there. */
type Case = readonly [rule: string, make: () => World, change: (world: World) => unknown];

const ROWS_ARE_WRONG: readonly Case[] = [
  ['an output has not a row for each of the list', good, (world) => write(world, csv(scored(ONE)))],
  ['a row is about another wallet', good, (world) => write(world, csv(unscored(NONE), scored(ONE)))],
  ['a row has a wrong collateral', good, (world) => write(world, ROWS.replace('12.5', '12'))],
  ['a row has a wrong status', good, (world) => write(world, csv(`${ONE},${ONE},failed,,,,,`, unscored(NONE)))],
  [
    'a row without an answer has a score',
    printed,
    ({ a }) => Object.assign(a, { stdout: csv(`${ONE},${ONE},failed,,474,,,`), exitCode: 5, stderr: TOLD }),
  ],
  ['an output cannot be read', good, (world) => write(world, ROWS.slice(0, -30))],
  ['an output is not there', good, ({ b }) => Object.assign(b, { written: undefined })],
  ['a run in peace does not come to its end', good, ({ b }) => Object.assign(b, { exitCode: 8, stderr: TOLD })],
  ['a run in peace has a wrong exit code', good, ({ b }) => Object.assign(b, { exitCode: 3, stderr: TOLD })],
  [
    'a sorted output has not the rows of the list',
    good,
    (world) => {
      world.b.argv = [...world.b.argv, '--sort', 'score'];
      write(world, csv(scored(ONE), scored(ONE)));
    },
  ],
  ['rows on standard output cannot be read', printed, ({ a }) => Object.assign(a, { stdout: ROWS.slice(0, -9) })],
  [
    'a row is older than --max-age allows',
    good,
    ({ b }) => Object.assign(b, { argv: [...b.argv, '--max-age', '60s'] }),
  ],
];

const WHAT_IS_PAID_FOR: readonly Case[] = [
  ['a run asks again what it was answered', good, ({ requests, a }) => requests.push(asked(a, ONE, { at: 1_200 }))],
  ['a run asks one wallet twice at once', good, ({ requests, a }) => requests.push(asked(a, ONE, { at: 300 }))],
  ['a wallet is asked again that was answered', killed, () => {}],
  [
    'a wallet is asked again that was answered',
    good,
    // A refusal that was there before the last answer.
    (world) => {
      const { a, b } = world;
      Object.assign(a, { how: 'kill', endedAt: START + 20_000, exitCode: undefined, written: undefined });
      world.lists = new Map([[LIST, `${TWO}\n${ONE}\n${UNKNOWN}\n`]]);
      world.requests = [asked(a, ONE), asked(a, UNKNOWN, { at: 200 }), asked(b, UNKNOWN)];
    },
  ],
  [
    'two runs ask with one journal at once',
    kept,
    ({ a, runs, requests }) => {
      const other = runOf('C', { argv: a.argv, journal: JOURNAL, startedAt: START + 1_000, endedAt: START + 9_000 });
      a.endedAt = START + 9_000;
      runs.splice(1, 0, other);
      requests.push(asked(other, TWO), asked(a, UNKNOWN, { at: 8_000 }));
    },
  ],
  ['--max-requests is exceeded', good, ({ a }) => Object.assign(a, { argv: [...a.argv, '--max-requests', '1'] })],
  [
    "the month's requests are exceeded",
    good,
    ({ a }) => Object.assign(a, { env: { ...a.env, RISKCLI_MONTHLY_REQUESTS: '1' } }),
  ],
  [
    '--rate is exceeded',
    good,
    ({ a, requests }) => {
      a.argv = [...a.argv, '--rate', '1'];
      requests.push(asked(a, TWO));
    },
  ],
  ['--concurrency is exceeded', good, ({ a }) => Object.assign(a, { argv: [...a.argv, '--concurrency', '1'] })],
  [
    'a wait that was named is not kept',
    good,
    ({ a, requests }) => {
      const refusal = { status: 429, body: '{"error":"slow","retry_after":3}' };
      requests.unshift(asked(a, TWO, refusal), asked(a, TWO, { at: 2_500 }));
      a.endedAt = START + 9_000;
    },
  ],
  [
    'the limit is exceeded again and again',
    good,
    ({ a, requests }) => {
      for (let i = 0; i < 80; i++) {
        requests.push(asked(a, `0x${String(i).padStart(40, '5')}`, { status: 429, at: 600 + i }));
      }
    },
  ],
];

/** Changes the text of the journal. */
const journalWith =
  (change: (text: string) => string) =>
  ({ files }: World) =>
    files.set(JOURNAL, Buffer.from(change(String(files.get(JOURNAL)))));

const FILES_ARE_WRONG: readonly Case[] = [
  [
    'an output is gone after a power cut',
    good,
    (world) => {
      world.incidents.push(incident('power cut', 30_000));
      world.cuts = [{ at: START + 30_000, files: new Map([[OUT, Buffer.from('')]]) }];
    },
  ],
  [
    'a record is not what the service answered',
    kept,
    journalWith(() => HEADER + record(ONE, JSON.stringify(profile(ONE, 1)))),
  ],
  ['a journal has damaged lines', kept, journalWith((text) => text.replace('11:00:01', '11:00:02'))],
  ['a journal is torn', kept, journalWith((text) => text.slice(0, -5))],
  ['a journal has no header', kept, journalWith(() => '')],
  ['a journal is of another service', kept, journalWith((text) => text.replace('api.test', 'api.other'))],
  [
    'a part of the key is shown',
    good,
    (world) => write(world, csv(scored(ONE), `"x${KEY.slice(5, 11)}",${unscored(NONE).slice(43)}`)),
  ],
  ['a lock is left behind', good, ({ files }) => files.set(`${OUT}.journal.lock`, Buffer.from('1 2 3'))],
  [
    'a temporary file is left behind',
    good,
    ({ files }) => files.set('/w/.out.csv.0123456789abcdef.tmp', Buffer.from('x')),
  ],
  [
    'the journal of a finished list is left behind',
    good,
    ({ files, requests }) => files.set(`${OUT}.journal`, Buffer.from(HEADER + record(ONE, requests[0]?.body ?? ''))),
  ],
  ['a file is left behind', good, ({ files }) => files.set('/w/x', Buffer.from('x'))],
  ['a list was changed', good, ({ files }) => files.set(LIST, Buffer.from(ONE))],
];

const ending =
  (exitCode: number, stderr = TOLD) =>
  ({ a }: World) =>
    Object.assign(a, { exitCode, stderr });

const ENDS_ARE_WRONG: readonly Case[] = [
  ['exit 0 without a cause', good, ({ requests }) => requests.splice(1, 1)],
  ...[1, 3, 4, 5, 6, 7, 8, 10].map((code): Case => [`exit ${code} without a cause`, good, ending(code)]),
  [
    'exit 11 without a cause',
    good,
    (world) => {
      Object.assign(world.b, { startedAt: START + 7e6, endedAt: START + 7e6 + 1 });
      ending(11)(world);
    },
  ],
  [
    'exit 143 without a cause',
    good,
    (world) => {
      world.a.signals.push({ at: START, signal: 'SIGINT' });
      ending(143)(world);
    },
  ],
  [
    'a failure is not told',
    good,
    (world) => {
      Object.assign(world.requests[0]!, { status: 500 });
      ending(5, '')(world);
    },
  ],
  ['a stack is shown', good, ending(0, 'riskcli: a note\n    at run (main.js:1)\n')],
  ['a line of stderr does not say who says it', good, ending(0, 'Error: what\n')],
  [
    'an error names another exit code',
    printed,
    (world) => {
      Object.assign(world.a, { argv: ['profile', '-f', LIST, '--format', 'json'], stdout: '' });
      ending(6, '{"error":{"exit_code":5}}\n')(world);
    },
  ],
  [
    'a signal is not obeyed in time',
    good,
    ({ a }) => Object.assign(a, { endedAt: START + 30_000, signals: [{ at: START + 100, signal: 'SIGINT' }] }),
  ],
];

/** B prints another document. */
const telling =
  (document: object) =>
  ({ b }: World) =>
    Object.assign(b, { stdout: documentOf({ ...FELL, ...document }) });

const REVIEWS_ARE_WRONG: readonly Case[] = [
  ['a kept review cannot be read', reviews, ({ files }) => files.set(SECOND, Buffer.from('{"riskcli_review":1}\n'))],
  ['a whole review is not kept', reviews, ({ files }) => files.delete(SECOND)],
  ['a review that is not kept prints', reviews, ({ files }) => files.delete(SECOND)],
  [
    'a review that was stopped is kept',
    reviews,
    ({ b }) => Object.assign(b, { exitCode: 7, stdout: '', stderr: TOLD }),
  ],
  ['a review is kept with another exit code', reviews, ({ b }) => Object.assign(b, { exitCode: 3 })],
  ['a review cannot be read', reviews, ({ b }) => Object.assign(b, { stdout: '{' })],
  ['a review counts another list', reviews, telling({ wallets: 2 })],
  ['a review counts other wallets than are kept', reviews, telling({ counts: { scored: 2 } })],
  ['a review is compared with another one', reviews, telling({ compared_with: null })],
  ['a review tells another score than is kept', reviews, telling({ changed: { count: 1, rows: [rowOf(480, 471)] } })],
  ['a review compares with another score', reviews, telling({ changed: { count: 1, rows: [rowOf(481, 470)] } })],
  ['a review tells of others that left', reviews, telling({ left: { count: 1, rows: [] } })],
  ['a wallet came that was there', reviews, telling({ came: { count: 1, rows: [rowOf(null, 470)] } })],
  ['a row has a wrong score', reviews, ({ files }) => files.set(SECOND, Buffer.from(keptReview(START + WEEK, 475)))],
];

describe('judge', () => {
  it('finds nothing wrong where all went well', () => {
    for (const world of [good(), kept(), printed(), reviews()]) expect(judge(world)).toEqual([]);
  });

  it.each([...ROWS_ARE_WRONG, ...WHAT_IS_PAID_FOR, ...FILES_ARE_WRONG, ...ENDS_ARE_WRONG, ...REVIEWS_ARE_WRONG])(
    'sees that %s',
    (rule, make, change) => {
      const world = make();
      change(world);
      expect(rulesOf(world)).toContain(rule);
    },
  );

  it('excuses what was on its way when another run took over, by a clock that was set', () => {
    const isLost = (space: string, ...incidents: readonly Incident[]) => {
      const world = kept();
      const taker = runOf('C', { argv: world.a.argv, journal: JOURNAL, startedAt: START + 300, space });
      Object.assign(world.a, { exitCode: 11, stderr: TOLD, endedAt: START + 700 });
      world.runs.splice(1, 0, taker);
      world.requests.push(asked(world.b, ONE));
      world.incidents.push(...incidents);
      return rulesOf(world).includes('a wallet is asked again that was answered');
    };
    const back = incident('clock back', 200, '-90000 ms');
    expect(isLost('2', back)).toBe(false);
    expect([isLost('2'), isLost('1', back), isLost('2', { ...back, at: START - 1 })]).toEqual([true, true, true]);
  });

  it.each<[title: string, rule: string, excuse: Incident, make: () => World]>([
    [
      'exit 8 of a run that was halted while its lock was deleted, and another has come to its end',
      'exit 8 without a cause',
      incident('lock deleted', 500),
      () => withOther({ exitCode: 8, haltedMs: 900 }, { startedAt: START + 600, endedAt: START + 900 }),
    ],
    [
      'exit 11 of a run that started first, and came to the lock second on a slow disk',
      'exit 11 without a cause',
      incident('slow disk', 1),
      () => withOther({ exitCode: 11 }, { startedAt: START + 10 }),
    ],
    [
      'exit 11 by the lock of a run that was killed, which is believed for longer when the clock is set back',
      'exit 11 without a cause',
      incident('clock back', 3_000, '-42875 ms'),
      () => withOther({ exitCode: 11, startedAt: START + 70_000 }, { how: 'kill', exitCode: undefined }),
    ],
  ])('excuses %s', (_, rule, excuse, make) => {
    const world = make();
    expect(rulesOf(world)).toContain(rule);
    world.incidents.push(excuse);
    expect(rulesOf(world)).not.toContain(rule);
  });

  it('excuses what a kill has left unsynced, and a power cut has lost afterwards', () => {
    const rulesAfter = (killedAt: number) => {
      const world = killed(killedAt);
      world.incidents.push(incident('power cut', 40_000));
      return rulesOf(world);
    };
    expect(rulesAfter(2_000)).toEqual([]);
    expect(rulesAfter(30_000)).toContain('a wallet is asked again that was answered');
  });

  it('excuses a review that asks again for answers of an earlier day, which the review before it had from a stopped one', () => {
    const HOUR = 3_600_000;
    const isLost = (hours: number, keeper: Partial<RunRecord> = {}) => {
      const { a, b, ...world } = reviews();
      Object.assign(a, { how: 'kill', endedAt: START + 20_000, exitCode: undefined, stdout: '' });
      Object.assign(b, { startedAt: START + hours * HOUR + 60_000, endedAt: START + hours * HOUR + 70_000 });
      const at = START + hours * HOUR;
      const between = runOf('C', { argv: b.argv, journal: b.journal, startedAt: at, endedAt: at + 1_000, ...keeper });
      const runs = [a, between, b];
      return rulesOf({ ...world, a, b, runs, requests: [asked(a, ONE), asked(b, ONE)] }).includes(
        'a wallet is asked again that was answered',
      );
    };
    const some = { exitCode: 5, stderr: TOLD };
    expect([isLost(13.5), isLost(13.5, { ...some, stdout: documentOf({}) })]).toEqual([false, false]);
    expect([isLost(1), isLost(13.5, { ...some, stdout: '' })]).toEqual([true, true]);
  });

  it('reads CSV with quotes, delimiters and newlines in cells', () => {
    const world = good();
    const list = `name,address\n"Holder, ""1""\nLondon",${ONE}\n`;
    world.lists = new Map([['/w/list.csv', list]]);
    world.files.set('/w/list.csv', Buffer.from(list));
    world.files.delete(LIST);
    const rows = (score: number) =>
      `name,address,wallet_address,status,score\n"Holder, ""1""\nLondon",${ONE},${ONE},scored,${score}\n`;
    for (const one of world.runs) Object.assign(one, { list: '/w/list.csv', written: Buffer.from(rows(474)) });
    write(world, rows(475));
    expect(rulesOf(world)).toEqual(['a row has a wrong score']);
  });

  it.each([
    ['jsonl', (rows: readonly string[]) => rows.map((row) => `${row}\n`).join('')],
    ['json', (rows: readonly string[]) => `[\n${rows.join(',\n')}\n]\n`],
  ] as const)('reads rows of %s', (format, print) => {
    const meta = { [ONE]: { status: 'scored', score: 474 }, [NONE]: { status: 'no_score', score: null } };
    const stdout = print(Object.entries(meta).map(([one, _meta]) => JSON.stringify({ ...profile(one, 0), _meta })));
    const world = printed();
    Object.assign(world.a, { argv: ['profile', '-f', LIST, '--format', format], stdout });
    expect(judge(world)).toEqual([]);
    world.a.stdout = stdout.replace('"score":474', '"score":475');
    expect(rulesOf(world)).toEqual(['a row has a wrong score']);
    Object.assign(world.a, { stdout: stdout.slice(0, -40), how: 'kill', exitCode: undefined });
    expect(judge(world)).toEqual([]);
  });
});

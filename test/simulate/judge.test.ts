/** Each clause of the judge sees what it is for, and what excuses a run is taken for an excuse. */
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { History, Incident, RunRecord, SentRequest } from './history.ts';
import { judge } from './judge.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Draft<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? Writable<E>[] : T[K] };

/** A history that a test changes. */
interface World extends Omit<Draft<History>, 'files'> {
  files: Map<string, Buffer>;
  a: Writable<RunRecord>;
  /** The same command without faults. */
  p: Writable<RunRecord>;
}

const [LIST, OUT, JOURNAL] = ['/w/list.txt', '/w/out.csv', '/w/kept.journal'];
const KEY = 'wrp_Zb3-kd8_Qm2x7Vt5';
const [ONE, TWO, NONE, UNKNOWN] = [1, 2, 3, 4].map((digit) => `0x${String(digit).repeat(40)}`) as [
  string,
  string,
  string,
  string,
];
const START = Date.UTC(2030, 4, 17, 11);

const profile = (wallet: string, score: number | null) =>
  JSON.stringify({
    wallet_address: wallet,
    total_collateral_usd: 12.5,
    defi_score: score === null ? null : { defi_score: score },
  });

function truth(wallet: string) {
  if (wallet === UNKNOWN) return { status: 404, body: '{"error":"unknown"}' };
  return { status: 200, body: profile(wallet, wallet === NONE ? null : 474) };
}

const served = (wallet: string, number: number) => truth(wallet).body.replace(/}$/, `,"served":${number}}`);

function run(name: string, extra: Partial<RunRecord> = {}): Writable<RunRecord> {
  return {
    name,
    argv: ['profile', '-f', LIST, '-o', OUT],
    env: { RISKCLI_API_KEY: KEY },
    startedAt: START,
    endedAt: START + 2_000,
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

const csv = (...rows: readonly string[]) =>
  Buffer.from(
    `input,wallet_address,status,total_collateral_usd,score,answered_at,warning,error\n${rows.map((row) => `${row}\n`).join('')}`,
  );
const scored = (wallet: string) => `${wallet},${wallet},scored,12.5,474,2030-05-17T11:00:01.000Z,,`;
const unscored = (wallet: string) => `${wallet},${wallet},no_score,12.5,,2030-05-17T11:00:01.000Z,,`;

function answered(
  by: RunRecord,
  wallet: string,
  { at = 100, ...extra }: Partial<SentRequest> & { readonly at?: number } = {},
): SentRequest {
  const sentAt = by.startedAt + at;
  const { status } = truth(wallet);
  const body = status === 200 ? served(wallet, at) : truth(wallet).body;
  return {
    run: by.name,
    wallet,
    sentAt,
    arrivedAt: sentAt + 10,
    status,
    body,
    fault: undefined,
    deliveredAt: sentAt + 500,
    abandonedAt: undefined,
    ...extra,
  };
}

const incident = (kind: string, at: number, detail?: string): Incident => ({ kind, at: START + at, detail });

/** A list of one wallet with a score and one without, asked by A, and in peace by P. */
function good(): World {
  const [a, p] = [run('A'), run('P', { startedAt: START + 70_000, endedAt: START + 71_000, isPeaceful: true })];
  const output = csv(scored(ONE), unscored(NONE));
  [a.written, p.written] = [output, output];
  return {
    a,
    p,
    seed: 1,
    clock: 0,
    runs: [a, p],
    requests: [answered(a, ONE), answered(a, NONE), answered(p, ONE), answered(p, NONE)],
    incidents: [],
    lists: new Map([[LIST, `${ONE}\n${NONE}\n`]]),
    files: new Map([
      [LIST, Buffer.from(`${ONE}\n${NONE}\n`)],
      [OUT, output],
    ]),
    truth,
    limit: { rate: 10, burst: 20, kind: 'fixed window' },
    quota: undefined,
    seen: [],
  };
}

/** What P has written. */
function write(world: World, bytes: Buffer): void {
  world.files.set(OUT, bytes);
  world.p.written = bytes;
}

function record(wallet: string, content: string): string {
  const rest = `"wallet":"${wallet}","answered_at":"2030-05-17T11:00:01.000Z","document":${content}}`;
  return `{"crc":"${crc32(rest).toString(16).padStart(8, '0')}",${rest}\n`;
}
const HEADER = '{"riskcli_journal":1,"base_url":"https://api.test"}\n';

/** The same with a journal that stays: in peace nothing is asked. */
function kept(): World {
  const world = good();
  for (const one of world.runs) {
    one.argv = [...one.argv, '--journal', JOURNAL];
    one.journal = JOURNAL;
  }
  world.requests.length = 2;
  world.files.set(
    JOURNAL,
    Buffer.from(`${HEADER}${world.requests.map(({ wallet, body = '' }) => record(wallet, body)).join('')}`),
  );
  return world;
}

/** A is stopped after a while; P asks what is named. */
function stopped(how: RunRecord['how'], endedAt: number, ...asked: readonly string[]): World {
  const world = kept();
  Object.assign(world.a, { how, endedAt: START + endedAt, exitCode: undefined });
  world.requests.push(...asked.map((wallet) => answered(world.p, wallet)));
  return world;
}

const rulesOf = (world: World) => [...new Set(judge(world).map(({ rule }) => rule))];

/** A history that is good but for one thing. */
type Case = readonly [title: string, rule: string, make: () => World];

function changed(make: () => World, change: (world: World) => void): () => World {
  return () => {
    const world = make();
    change(world);
    return world;
  };
}

/** Runs that have printed `stdout` and ended so. */
const printing = (stdout: string, extra: Partial<RunRecord> = {}) =>
  changed(good, ({ a }) =>
    Object.assign(a, {
      argv: ['profile', '-f', LIST, '--format', 'csv'],
      output: undefined,
      journal: undefined,
      stdout,
      ...extra,
    }),
  );

const ending = (
  exitCode: number,
  stderr = 'riskcli: what happened; what to do\n',
  change: (world: World) => void = () => {},
) =>
  changed(good, (world) => {
    Object.assign(world.a, { exitCode, stderr });
    change(world);
  });

const WRONG: readonly Case[] = [
  [
    'a row is missing',
    'an output has not a row for each of the list',
    changed(good, (world) => write(world, csv(scored(ONE)))),
  ],
  [
    'the rows are in another order',
    'a row is about another wallet',
    changed(good, (world) => write(world, csv(unscored(NONE), scored(ONE)))),
  ],
  [
    'a collateral has lost a digit',
    'a row has a wrong collateral',
    changed(good, (world) => write(world, csv(scored(ONE).replace('12.5', '12'), unscored(NONE)))),
  ],
  [
    'an answered wallet is a failure',
    'a row has a wrong status',
    changed(good, (world) => write(world, csv(`${ONE},${ONE},failed,,,,,`, unscored(NONE)))),
  ],
  [
    'a failure has a score',
    'a row without an answer has a score',
    printing(String(csv(`${ONE},${ONE},failed,,474,,,`)), { exitCode: 5, stderr: 'riskcli: no; retry\n' }),
  ],
  [
    'the output is cut',
    'an output cannot be read',
    changed(good, (world) => write(world, csv(scored(ONE), unscored(NONE)).subarray(0, -30))),
  ],
  [
    'the output is not there',
    'an output is not there',
    changed(good, ({ p }) => Object.assign(p, { written: undefined })),
  ],
  [
    'a run in peace fails',
    'a run in peace does not come to its end',
    changed(good, ({ p }) => Object.assign(p, { exitCode: 8, stderr: 'riskcli: no; yes\n' })),
  ],
  [
    'a run in peace ends with 3 though all was answered',
    'a run in peace has a wrong exit code',
    changed(good, ({ p }) => Object.assign(p, { exitCode: 3, stderr: 'riskcli: no; yes\n' })),
  ],
  [
    'a sorted output lacks a wallet',
    'a sorted output has not the rows of the list',
    changed(good, (world) => {
      world.p.argv = [...world.p.argv, '--sort', 'score'];
      write(world, csv(scored(ONE), scored(ONE)));
    }),
  ],
  [
    'a row on standard output is torn',
    'rows on standard output cannot be read',
    printing(String(csv(scored(ONE), unscored(NONE))).slice(0, -9)),
  ],
  [
    'a run asks a wallet twice',
    'a run asks again what it was answered',
    changed(good, (world) => world.requests.push(answered(world.a, ONE, { at: 1_200 }))),
  ],
  [
    'a run asks a wallet again that is on its way',
    'a run asks one wallet twice at once',
    changed(good, (world) => world.requests.push(answered(world.a, ONE, { at: 300 }))),
  ],
  [
    'an output is torn by a power cut',
    'an output is gone after a power cut',
    changed(good, (world) => {
      world.incidents.push(incident('power cut', 30_000));
      world.cuts = [{ at: START + 30_000, files: new Map([[OUT, Buffer.from('')]]) }];
    }),
  ],
  [
    'a refusal is gone after a kill',
    'a wallet is asked again that was answered',
    changed(good, (world) => {
      const { a, p } = world;
      Object.assign(a, { how: 'kill', endedAt: START + 20_000, exitCode: undefined, written: undefined });
      world.lists = new Map([[LIST, `${TWO}\n${ONE}\n${UNKNOWN}\n`]]);
      world.requests = [answered(a, ONE), answered(a, UNKNOWN, { at: 200 }), answered(p, UNKNOWN)];
    }),
  ],
  ['an answer is gone after a kill', 'a wallet is asked again that was answered', () => stopped('kill', 20_000, ONE)],
  [
    'two runs ask with one journal',
    'two runs ask with one journal at once',
    changed(kept, (world) => {
      const b = run('B', { argv: world.a.argv, journal: JOURNAL, startedAt: START + 1_000, endedAt: START + 9_000 });
      Object.assign(world.a, { endedAt: START + 9_000 });
      world.runs.splice(1, 0, b);
      world.requests.push(answered(b, TWO), answered(world.a, UNKNOWN, { at: 8_000 }));
    }),
  ],
  [
    'a record says what nobody answered',
    'a record is not what the service answered',
    changed(kept, ({ files }) => files.set(JOURNAL, Buffer.from(HEADER + record(ONE, profile(ONE, 1))))),
  ],
  [
    'a checksum is wrong',
    'a journal has damaged lines',
    changed(kept, ({ files }) =>
      files.set(JOURNAL, Buffer.from(String(files.get(JOURNAL)).replace('11:00:01', '11:00:02'))),
    ),
  ],
  [
    'a journal ends in the middle of a record',
    'a journal is torn',
    changed(kept, ({ files }) => files.set(JOURNAL, (files.get(JOURNAL) ?? Buffer.alloc(0)).subarray(0, -5))),
  ],
  [
    'a journal has no header',
    'a journal has no header',
    changed(kept, ({ files }) => files.set(JOURNAL, Buffer.alloc(0))),
  ],
  [
    'a journal is of another service',
    'a journal is of another service',
    changed(kept, ({ files }) =>
      files.set(JOURNAL, Buffer.from(String(files.get(JOURNAL)).replace('api.test', 'api.other'))),
    ),
  ],
  [
    'a request too many leaves',
    '--max-requests is exceeded',
    changed(good, ({ a }) => Object.assign(a, { argv: [...a.argv, '--max-requests', '1'] })),
  ],
  [
    'the month has one request too many',
    "the month's requests are exceeded",
    changed(good, ({ a }) => Object.assign(a, { env: { RISKCLI_API_KEY: KEY, RISKCLI_MONTHLY_REQUESTS: '1' } })),
  ],
  [
    'too many leave in a second',
    '--rate is exceeded',
    changed(good, (world) => {
      world.a.argv = [...world.a.argv, '--rate', '1'];
      world.requests.push(answered(world.a, TWO));
    }),
  ],
  [
    'too many are on their way',
    '--concurrency is exceeded',
    changed(good, ({ a }) => Object.assign(a, { argv: [...a.argv, '--concurrency', '1'] })),
  ],
  [
    'a wallet is asked before its wait is over',
    'a wait that was named is not kept',
    changed(good, (world) => {
      const refusal = { status: 429, body: '{"error":"slow","retry_after":3}' };
      world.requests.unshift(answered(world.a, TWO, refusal), answered(world.a, TWO, { at: 2_500 }));
      world.a.endedAt = START + 9_000;
    }),
  ],
  [
    'nearly all requests are refused',
    'the limit is exceeded again and again',
    changed(good, (world) => {
      const refusals = Array.from({ length: 80 }, (_, i) =>
        answered(world.a, `0x${String(i).padStart(40, '5')}`, { status: 429, at: 600 + i }),
      );
      world.requests.push(...refusals);
    }),
  ],
  [
    'an answer is taken that is too old',
    'a row is older than --max-age allows',
    changed(good, ({ p }) => Object.assign(p, { argv: [...p.argv, '--max-age', '60s'] })),
  ],
  ['a run ends with an internal error', 'exit 1 without a cause', ending(1)],
  [
    'all was answered, it says, and was not',
    'exit 0 without a cause',
    changed(good, ({ requests }) => requests.splice(1, 1)),
  ],
  ['rows were refused, it says, and were not', 'exit 3 without a cause', ending(3)],
  ['the key was refused, it says, and was not', 'exit 4 without a cause', ending(4)],
  ['the network failed, it says, and has not', 'exit 5 without a cause', ending(5)],
  ['an answer was not to be trusted, it says, and was', 'exit 6 without a cause', ending(6)],
  ['a limit stopped it, it says, and there was none', 'exit 7 without a cause', ending(7)],
  ['a disk failed, it says, and has not', 'exit 8 without a cause', ending(8)],
  ['nobody has given a condition', 'exit 10 without a cause', ending(10)],
  [
    'nobody has the journal',
    'exit 11 without a cause',
    ending(11, undefined, ({ p }) => Object.assign(p, { startedAt: START + 7e6, endedAt: START + 7e6 + 1 })),
  ],
  [
    'nobody has sent this signal',
    'exit 143 without a cause',
    ending(143, undefined, ({ a }) => a.signals.push({ at: START, signal: 'SIGINT' })),
  ],
  [
    'a failure is not told',
    'a failure is not told',
    ending(5, '', ({ requests }) => Object.assign(requests[0] ?? {}, { status: 500 })),
  ],
  ['a stack is shown', 'a stack is shown', ending(0, 'riskcli: a note\n    at run (main.js:1)\n')],
  ['a line of stderr is bare', 'a line of stderr does not say who says it', ending(0, 'Error: what\n')],
  [
    'an error in JSON names another code',
    'an error names another exit code',
    changed(printing(''), ({ a }) => {
      Object.assign(a, {
        argv: ['profile', '-f', LIST, '--format', 'json'],
        exitCode: 6,
        stderr: '{"error":{"exit_code":5}}\n',
      });
    }),
  ],
  [
    'a signal is slept through',
    'a signal is not obeyed in time',
    changed(good, ({ a }) =>
      Object.assign(a, { endedAt: START + 30_000, signals: [{ at: START + 100, signal: 'SIGINT' }] }),
    ),
  ],
  [
    'a part of the key stands in a file',
    'a part of the key is shown',
    changed(good, (world) => write(world, csv(scored(ONE), `"x${KEY.slice(5, 11)}",${unscored(NONE).slice(43)}`))),
  ],
  [
    'a lock is left',
    'a lock is left behind',
    changed(good, ({ files }) => files.set(`${OUT}.journal.lock`, Buffer.from('1 2 3'))),
  ],
  [
    'a temporary file is left',
    'a temporary file is left behind',
    changed(good, ({ files }) => files.set('/w/.out.csv.0123456789abcdef.tmp', Buffer.from('x'))),
  ],
  [
    'a journal of a finished list is left',
    'the journal of a finished list is left behind',
    changed(good, ({ files, requests }) =>
      files.set(`${OUT}.journal`, Buffer.from(HEADER + record(ONE, requests[0]?.body ?? ''))),
    ),
  ],
  [
    'an unknown file is left',
    'a file is left behind',
    changed(good, ({ files }) => files.set('/w/x', Buffer.from('x'))),
  ],
  ['a list was changed', 'a list was changed', changed(good, ({ files }) => files.set(LIST, Buffer.from(ONE)))],
];

describe('judge', () => {
  it('finds nothing wrong where all went well', () => {
    expect(judge(good())).toEqual([]);
    expect(judge(kept())).toEqual([]);
  });

  it.each(WRONG)('sees that %s', (_title, rule, make) => {
    expect(rulesOf(make())).toContain(rule);
  });

  it('excuses what was on its way when another run took over, by a clock that was set', () => {
    const takenOver = (space: string, ...incidents: readonly Incident[]) => {
      const world = kept();
      const b = run('B', { argv: world.a.argv, journal: JOURNAL, startedAt: START + 300, space });
      Object.assign(world.a, {
        exitCode: 11,
        stderr: 'riskcli: the lock was taken over; rerun\n',
        endedAt: START + 700,
      });
      world.runs.splice(1, 0, b);
      world.requests.push(answered(world.p, ONE));
      world.incidents.push(...incidents);
      return rulesOf(world).includes('a wallet is asked again that was answered');
    };
    const back = incident('clock back', 200, '-90000 ms');
    expect(takenOver('2', back)).toBe(false);
    expect([takenOver('2'), takenOver('1', back), takenOver('2', { ...back, at: START - 1 })]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('excuses what a kill has left unsynced, and a power cut has lost afterwards', () => {
    const lost = (killedAt: number) => {
      const world = stopped('kill', killedAt, ONE);
      world.incidents.push(incident('power cut', 40_000));
      return rulesOf(world);
    };
    expect(lost(2_000)).toEqual([]);
    expect(lost(30_000)).toContain('a wallet is asked again that was answered');
  });

  it('reads CSV with quotes, delimiters and newlines in cells', () => {
    const world = good();
    world.lists = new Map([['/w/list.csv', `name,address\n"Holder, ""1""\nLondon",${ONE}\n`]]);
    world.files.set('/w/list.csv', Buffer.from(world.lists.get('/w/list.csv') ?? ''));
    world.files.delete(LIST);
    const row = `"Holder, ""1""\nLondon",${ONE},${ONE},scored`;
    world.a.written = Buffer.from(`name,address,wallet_address,status,score\n${row},474\n`);
    write(world, Buffer.from(`name,address,wallet_address,status,score\n${row},475\n`));
    for (const one of world.runs) one.list = '/w/list.csv';
    expect(rulesOf(world)).toEqual(['a row has a wrong score']);
  });

  it('reads rows of JSON Lines and JSON', () => {
    const row = (status: string, score: number | null, wallet: string) => ({
      wallet_address: wallet,
      total_collateral_usd: 12.5,
      _meta: { status, score },
    });
    const rows = [row('scored', 474, ONE), row('no_score', null, NONE)];
    const jsonl = rows.map((one) => `${JSON.stringify(one)}\n`).join('');
    const json = `[\n${rows.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`;
    for (const [format, stdout] of [
      ['jsonl', jsonl],
      ['json', json],
    ] as const) {
      const world = printing(stdout, { argv: ['profile', '-f', LIST, '--format', format] })();
      expect(judge(world), format).toEqual([]);
      world.a.stdout = stdout.replace('474', '475');
      expect(rulesOf(world), format).toEqual(['a row has a wrong score']);
      Object.assign(world.a, { stdout: stdout.slice(0, -40), how: 'kill', exitCode: undefined });
      expect(judge(world), format).toEqual([]);
    }
  });
});

/** Each clause of the judge of reviews sees what it is for. */
import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import type { History, RunRecord, SentRequest } from './history.ts';
import { judge } from './judge.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const [LIST, JOURNAL] = ['/w/list.txt', '/w/list.txt.journal'];
const MEMORY = `${JOURNAL}.review-0123456789ab`;
const WALLET = `0x${'1'.repeat(40)}`;
const START = Date.UTC(2030, 4, 17, 11);
const DAY = 86_400_000;
const NOBODY = { count: 0, rows: [] };

const profile = (score: number) =>
  JSON.stringify({ wallet_address: WALLET, total_collateral_usd: 12.5, defi_score: { defi_score: score } });

function review(name: string, startedAt: number, extra: Partial<RunRecord> = {}): Writable<RunRecord> {
  return {
    name,
    argv: ['review', LIST, '--json'],
    env: { RISKCLI_API_KEY: 'wrp_Zb3-kd8_Qm2x7Vt5' },
    startedAt,
    endedAt: startedAt + 1_000,
    how: 'exit',
    exitCode: 0,
    stdout: '',
    stderr: '',
    signals: [],
    haltedMs: 0,
    diskFaults: 0,
    list: LIST,
    output: undefined,
    journal: JOURNAL,
    isPeaceful: false,
    space: '1',
    readerTakes: undefined,
    ...extra,
  };
}

function answered({ name, startedAt }: RunRecord, score: number): SentRequest {
  const sentAt = startedAt + 100;
  const ends = { deliveredAt: sentAt + 500, abandonedAt: undefined };
  return {
    run: name,
    wallet: WALLET,
    sentAt,
    arrivedAt: sentAt + 10,
    status: 200,
    body: profile(score),
    fault: undefined,
    ...ends,
  };
}

const row = (extra: object = {}) => ({
  wallet_address: WALLET,
  status: 'scored',
  score: 480,
  score_before: 474,
  answered_before: new Date(START + 600).toISOString(),
  ...extra,
});

const documentOf = (extra: object = {}) =>
  JSON.stringify({
    compared_with: null,
    rows: 1,
    wallets: 1,
    asked: 1,
    counts: { scored: 1, no_score: 0, invalid: 0, failed: 0, pending: 0 },
    to_look_at: NOBODY,
    changed_most: NOBODY,
    new: NOBODY,
    not_judged: NOBODY,
    ...extra,
  });

const later = (extra: object = {}) =>
  documentOf({
    compared_with: new Date(START + 1_000).toISOString(),
    changed_most: { count: 1, rows: [row()] },
    ...extra,
  });

function memoryOf(endedAt: number, wallet = WALLET): Buffer {
  const head = `{"riskcli_reviews":1,"list":"list.txt"}\n${JSON.stringify([wallet, START, 0, null])}\n`;
  const crc = crc32(head).toString(16).padStart(8, '0');
  return Buffer.from(`${head}${JSON.stringify({ ended_at: new Date(endedAt).toISOString(), crc })}\n`);
}

/** The same list on two days: a score that rose. */
function good() {
  const a = review('A', START, { stdout: documentOf() });
  const b = review('B', START + DAY, { stdout: later(), isPeaceful: true });
  const list = `${WALLET}\n`;
  return {
    a,
    b,
    seed: 1,
    clock: 0,
    runs: [a, b],
    requests: [answered(a, 474), answered(b, 480)],
    incidents: [],
    lists: new Map([[LIST, list]]),
    files: new Map([
      [LIST, Buffer.from(list)],
      [MEMORY, memoryOf(START + DAY + 1_000)],
    ]),
    truth: () => ({ status: 200, body: profile(474) }),
    limit: { rate: 10, burst: 20, kind: 'fixed window' },
    quota: undefined,
    seen: [],
  } satisfies History & { a: RunRecord; b: RunRecord };
}

type World = ReturnType<typeof good>;

const rulesAfter = (change: (world: World) => void) => {
  const world = good();
  change(world);
  return judge(world).map(({ rule }) => rule);
};

it('the judge finds nothing wrong with two reviews that are right', () => {
  expect(judge(good())).toEqual([]);
});

it.each<[string, (world: World) => void]>([
  ['a review that was stopped prints', ({ b }) => Object.assign(b, { exitCode: 7 })],
  ['a review cannot be read', ({ b }) => Object.assign(b, { stdout: '{' })],
  ['a review counts another list', ({ b }) => Object.assign(b, { stdout: later({ rows: 2 }) })],
  ['a review tells what it has not asked', ({ b }) => Object.assign(b, { stdout: later({ asked: 0 }) })],
  ['a review has a wrong exit code', ({ b }) => Object.assign(b, { exitCode: 3 })],
  [
    'a review is compared with another one than the last',
    ({ b }) => Object.assign(b, { stdout: later({ compared_with: new Date(START - DAY).toISOString() }) }),
  ],
  [
    'a review is compared with another one than the last',
    ({ b }) => Object.assign(b, { stdout: later({ compared_with: null }) }),
  ],
  [
    'a review tells a score that was never answered',
    ({ b }) => Object.assign(b, { stdout: later({ changed_most: { count: 1, rows: [row({ score: 481 })] } }) }),
  ],
  [
    'a review compares with another answer',
    ({ b }) => Object.assign(b, { stdout: later({ changed_most: { count: 1, rows: [row({ score_before: null })] } }) }),
  ],
  ['a whole review is not remembered', ({ files }) => void files.delete(MEMORY)],
  ['what is remembered of reviews is damaged', ({ files }) => void files.set(MEMORY, memoryOf(START).fill(48, 50, 60))],
  [
    'another review is remembered than the last whole one',
    ({ files }) => void files.set(MEMORY, memoryOf(START + 500)),
  ],
  [
    'other wallets are remembered than were listed',
    ({ files }) => void files.set(MEMORY, memoryOf(START + DAY + 1_000, `0x${'2'.repeat(40)}`)),
  ],
  [
    'a wallet is asked again that was answered',
    ({ b }) => Object.assign(b, { argv: [...b.argv, '--max-age', '100h'] }),
  ],
])('sees that %s', (rule, change) => {
  expect(rulesAfter(change)).toContain(rule);
});

it('the judge takes a review that was killed for one that may be remembered', () => {
  const killed = ({ b }: World) => Object.assign(b, { how: 'kill', exitCode: undefined, isPeaceful: false });
  expect(rulesAfter(killed)).toEqual([]);
  const earlier = ({ files }: World) => void files.set(MEMORY, memoryOf(START + 500));
  expect(rulesAfter((world) => [killed(world), earlier(world)])).toEqual([]);
});

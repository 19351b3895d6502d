/** Each clause of the judge of reviews sees what it is for. */
import { expect, it } from 'vitest';
import type { History, RunRecord, SentRequest } from './history.ts';
import { judge } from './judge.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const LIST = '/w/list.txt';
const FOLDER = `${LIST}.reviews`;
const WALLET = `0x${'1'.repeat(40)}`;
const START = Date.UTC(2030, 4, 17, 11);
const WEEK = 7 * 86_400_000;
const BASE = 'https://api.test';

const profile = (score: number) => ({
  wallet_address: WALLET,
  total_collateral_usd: 12.5,
  defi_score: { defi_score: score },
});

function review(name: string, startedAt: number, stdout: string): Writable<RunRecord> {
  return {
    name,
    argv: ['review', LIST, '--json'],
    env: { RISKCLI_API_KEY: 'wrp_Zb3-kd8_Qm2x7Vt5', RISKCLI_BASE_URL: BASE },
    startedAt,
    endedAt: startedAt + 1_000,
    how: 'exit',
    exitCode: 0,
    stdout,
    stderr: '',
    signals: [],
    haltedMs: 0,
    diskFaults: 0,
    list: LIST,
    output: undefined,
    journal: `${FOLDER}/unfinished.journal`,
    isPeaceful: false,
    space: '1',
    readerTakes: undefined,
  };
}

function answered({ name, startedAt }: RunRecord, score: number): SentRequest {
  const sentAt = startedAt + 100;
  return {
    run: name,
    wallet: WALLET,
    sentAt,
    arrivedAt: sentAt + 10,
    status: 200,
    body: JSON.stringify(profile(score)),
    fault: undefined,
    deliveredAt: sentAt + 500,
    abandonedAt: undefined,
  };
}

const nameOf = (begun: number) => `${new Date(begun).toISOString().slice(0, 19).replaceAll(':', '')}Z.jsonl`;

/** A kept review of one wallet. */
function keptOf(begun: number, score: number): string {
  const counts = { scored: 1, no_score: 0, invalid: 0, failed: 0, pending: 0 };
  const meta = { line: 1, input: WALLET, status: 'scored', score, answered_at: new Date(begun + 600).toISOString() };
  return [
    { riskcli_review: 1, begun: new Date(begun).toISOString(), base_url: BASE },
    { ...profile(score), _meta: meta },
    { riskcli_review_end: 1, rows: 1, counts, exit_code: 0 },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

const NOBODY = { count: 0, rows: [] };
const row = (old: number | null, now: number) => ({ wallet_address: WALLET, score: { old, new: now } });

function documentOf(extra: object): string {
  return JSON.stringify({
    compared_with: null,
    rows: 1,
    wallets: 1,
    counts: { scored: 1, no_score: 0, invalid: 0, failed: 0, pending: 0 },
    to_look_at: NOBODY,
    not_judged: NOBODY,
    excused: NOBODY,
    changed: NOBODY,
    came: NOBODY,
    left: NOBODY,
    ...extra,
  });
}

const changed = (old: number, now: number) => ({
  compared_with: { file: nameOf(START) },
  changed: { count: 1, rows: [row(old, now)] },
});

interface World {
  readonly first: Writable<RunRecord>;
  readonly second: Writable<RunRecord>;
  readonly files: Map<string, Buffer>;
}

/** Two reviews, a week apart; the score fell from 480 to 470. */
function play(edit: (world: World) => void = () => {}) {
  const first = review('A', START, documentOf({}));
  const second = review('B', START + WEEK, documentOf(changed(480, 470)));
  const files = new Map([
    [LIST, Buffer.from(`${WALLET}\n`)],
    [`${FOLDER}/${nameOf(START)}`, Buffer.from(keptOf(START, 480))],
    [`${FOLDER}/${nameOf(START + WEEK)}`, Buffer.from(keptOf(START + WEEK, 470))],
  ]);
  edit({ first, second, files });
  const truths = [480, 470].map((score) => ({ status: 200, body: JSON.stringify(profile(score)) }));
  const history: History = {
    seed: 1,
    clock: 0,
    runs: [first, second],
    requests: [answered(first, 480), answered(second, 470)],
    incidents: [],
    lists: new Map([[LIST, `${WALLET}\n`]]),
    files,
    truth: () => truths[0] ?? { status: 404, body: '' },
    truths: () => truths,
    limit: { rate: 10, burst: 20, kind: 'token bucket' },
    quota: undefined,
    seen: [],
  };
  return judge(history).map(({ rule }) => rule);
}

it('takes no offence at two reviews of one list', () => {
  expect(play()).toEqual([]);
});

const SECOND = `${FOLDER}/${nameOf(START + WEEK)}`;

it.each<[rule: string, edit: (world: World) => void]>([
  ['a kept review cannot be read', ({ files }) => void files.set(SECOND, Buffer.from('{"riskcli_review":1}\n'))],
  ['a whole review is not kept', ({ files }) => void files.delete(SECOND)],
  ['a review that is not kept prints', ({ files }) => void files.delete(SECOND)],
  [
    'a review that was stopped is kept',
    ({ second }) => Object.assign(second, { exitCode: 7, stdout: '', stderr: 'riskcli: spent\n' }),
  ],
  ['a review is kept with another exit code', ({ second }) => Object.assign(second, { exitCode: 3 })],
  ['a review cannot be read', ({ second }) => Object.assign(second, { stdout: '{' })],
  [
    'a review counts another list',
    ({ second }) => Object.assign(second, { stdout: documentOf({ ...changed(480, 470), wallets: 2 }) }),
  ],
  [
    'a review counts other wallets than are kept',
    ({ second }) => Object.assign(second, { stdout: documentOf({ ...changed(480, 470), counts: { scored: 2 } }) }),
  ],
  [
    'a review is compared with another one',
    ({ second }) => Object.assign(second, { stdout: documentOf({ compared_with: null }) }),
  ],
  [
    'a review tells another score than is kept',
    ({ second }) => Object.assign(second, { stdout: documentOf(changed(480, 471)) }),
  ],
  [
    'a review compares with another score',
    ({ second }) => Object.assign(second, { stdout: documentOf(changed(481, 470)) }),
  ],
  [
    'a review tells of others that left',
    ({ second }) =>
      Object.assign(second, { stdout: documentOf({ ...changed(480, 470), left: { count: 1, rows: [] } }) }),
  ],
  [
    'a wallet came that was there',
    ({ second }) =>
      Object.assign(second, {
        stdout: documentOf({ ...changed(480, 470), came: { count: 1, rows: [row(null, 470)] } }),
      }),
  ],
  ['a row has a wrong score', ({ files }) => void files.set(SECOND, Buffer.from(keptOf(START + WEEK, 475)))],
])('sees that %s', (rule, edit) => {
  expect(play(edit)).toContain(rule);
});

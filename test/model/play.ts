/** Plays a history with the built program and compares each `--json` with the model's. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { review, SECTIONS } from './contract.ts';
import type { Driver, Outcome } from './drivers.ts';
import { conditionText, type History, type Planned } from './histories.ts';
import type { Alarm, Answer, Kept, Letter, Wallet } from './terms.ts';

export interface Difference {
  readonly seed: number;
  /** The number of the review, from 0. */
  readonly review: number;
  readonly what: string;
}

/** The first difference between the program and the model in a history. */
export async function play(history: History, driver: Driver): Promise<Difference | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'riskcli-model-'));
  const service = await serve();
  try {
    const kept: KeptRun[] = [];
    for (const [i, planned] of history.reviews.entries()) {
      if (planned.forgets !== undefined) {
        const [forgotten] = kept.splice(kept.length - 1 - planned.forgets, 1);
        if (forgotten) rmSync(join(folder, 'kept', forgotten.file));
      }
      if (planned.damages) damage(kept, planned.damages, folder);
      const fault = await playOne({ planned, folder, service, driver, kept });
      if (fault) return { seed: history.seed, review: i, what: fault };
    }
    const fault = await reprint({ folder, driver, kept, seed: history.seed });
    return fault ? { seed: history.seed, review: history.reviews.length, what: fault } : undefined;
  } finally {
    service.server.close();
    service.server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface KeptRun {
  model: Kept;
  readonly file: string;
  readonly stdout: string;
}
interface Stage {
  readonly folder: string;
  readonly driver: Driver;
  readonly kept: KeptRun[];
}

function damage(kept: readonly KeptRun[], how: NonNullable<Planned['damages']>, folder: string) {
  const chosen = kept[kept.length - 1 - how.number];
  if (!chosen || chosen.model.damage) return;
  const path = join(folder, 'kept', chosen.file);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const changed =
    how.damage === 'torn'
      ? lines.slice(0, -1)
      : lines.map((line) => line.replace(/"version":"[^"]*"/, '"version":"0"'));
  writeFileSync(path, `${changed.join('\n')}\n`);
  chosen.model = { ...chosen.model, damage: how.damage };
}

const filesIn = (folder: string) => {
  const kept = join(folder, 'kept');
  return existsSync(kept) ? readdirSync(kept).filter((name) => name.endsWith('Z.jsonl')) : [];
};

async function playOne({
  planned,
  folder,
  service,
  driver,
  kept,
}: Stage & { planned: Planned; service: Service }): Promise<string | undefined> {
  const at = new Date(planned.day * 86_400_000 + planned.hour * 3_600_000);
  const before = filesIn(folder);
  const env = environment(folder, { ...planned, url: service.url });
  service.answers = planned.answers;
  service.now = at;
  const args = [
    'review',
    join(folder, 'list.csv'),
    '--keep',
    join(folder, 'kept'),
    '--json',
    '--timeout',
    '3s',
    ...(planned.onlyNews ? ['--only-news'] : []),
    ...argumentsOf(planned, folder),
  ];
  writeFileSync(join(folder, 'list.csv'), listOf(planned));
  const outcome = await driver({ args, env, at });
  const models = kept.map(({ model }) => model);
  const expected = review(models, planned);
  const made = filesIn(folder).filter((name) => !before.includes(name));
  if (expected === 'stopped') {
    if (made.length > 0 || outcome.stdout || ![5, 6].includes(outcome.exitCode ?? 0))
      return `no wallet has an answer, so that nothing is printed or kept; ${JSON.stringify({ ...outcome, made })}`;
    return;
  }
  if (made.length !== 1) return `one file is kept; ${JSON.stringify({ ...outcome, made })}`;
  const isSilent = planned.onlyNews && !expected.letter.news;
  if (isSilent && outcome.stdout !== '') return `there is no news for --only-news; stdout ${outcome.stdout}`;
  const again = ['review', '--keep', join(folder, 'kept'), '--json', '--as-of', dateOf(planned.day)];
  const { stdout } = isSilent ? await driver({ args: again, env: environment(folder), at }) : outcome;
  kept.push({ model: expected.kept, file: made[0]!, stdout });
  const shown = compare(expected.letter, { ...outcome, stdout }, planned);
  return shown ?? compareLast(expected.kept, join(folder, 'kept', made[0]!));
}

/** One letter is printed again from its file, after all other files were deleted. */
async function reprint({ folder, driver, kept, seed }: Stage & { seed: number }): Promise<string | undefined> {
  const lastOfDay = kept.filter((one, i) => kept[i + 1]?.model.day !== one.model.day && !one.model.damage);
  const chosen = lastOfDay[seed % lastOfDay.length];
  if (!chosen) return;
  for (const file of filesIn(folder)) if (file !== chosen.file) rmSync(join(folder, 'kept', file));
  const args = ['review', '--keep', join(folder, 'kept'), '--json', '--as-of', dateOf(chosen.model.day)];
  const at = new Date(Date.UTC(2027, 5, 1));
  const { stdout, exitCode } = await driver({ args, env: environment(folder), at });
  if (stdout !== chosen.stdout) return `--as-of prints another document: ${firstLine(chosen.stdout, stdout)}`;
  const kpt = JSON.parse(chosen.stdout).exit_code;
  return exitCode === kpt ? undefined : `--as-of exits with ${exitCode}, and the review with ${kpt}`;
}

function firstLine(before: string, after: string): string {
  const lines = after.split('\n');
  const i = before.split('\n').findIndex((line, at) => line !== lines[at]);
  return `line ${i + 1} was ${before.split('\n')[i]}, is ${lines[i]}`;
}

function environment(folder: string, service?: Planned & { url: string }): Record<string, string> {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    ...(service && { RISKCLI_BASE_URL: service.url, RISKCLI_API_KEY: 'model_0123456789abcdef' }),
    ...(service?.scorePath === 'second' && { RISKCLI_SCORE: 'second.score' }),
  };
}

const dateOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** Writes the policy, and gives the arguments that say the same as a planned review. */
function argumentsOf(planned: Planned, folder: string): string[] {
  const args: string[] = [];
  const { since } = planned;
  if (since !== 7)
    args.push('--since', typeof since === 'object' ? dateOf(since.day) : since === 28 ? '4w' : `${since}d`);
  if (planned.accept.length > 0) args.push('--accept', planned.accept.join(','));
  for (const { name, conditions } of planned.rules) {
    const source = planned.ruleSources[name];
    const text = conditionText(conditions[0]!);
    if (source !== 'policy') args.push('--fail-if', source === 'named' ? `${name}: ${text}` : text);
  }
  const rules = planned.rules.filter(({ name }) => planned.ruleSources[name] === 'policy');
  if (rules.length === 0) return args;
  const policy = {
    rules: rules.map(({ name, level, join: by, conditions }) => ({
      name,
      if: conditions.length === 1 ? conditionText(conditions[0]!) : { [by]: conditions.map(conditionText) },
      level,
    })),
    exceptions: planned.exceptions.map(({ until, ...exception }) => ({
      ...exception,
      ...(until !== undefined && { until: dateOf(until) }),
    })),
  };
  writeFileSync(join(folder, 'policy.json'), JSON.stringify(policy));
  return [...args, '--policy', join(folder, 'policy.json')];
}

const listOf = ({ rows }: Planned) =>
  ['wallet,limit,tier', ...rows.map(({ wallet, columns }) => [wallet, columns.limit, columns.tier].join(','))]
    .map((line) => `${line}\n`)
    .join('');

interface Service {
  readonly server: Server;
  readonly url: string;
  answers: Readonly<Record<string, Answer>>;
  now: Date;
}

/** A service that answers from the table of the current review, by the clock of that review. */
async function serve(): Promise<Service> {
  const server = createServer((request, response) => {
    const wallet = request.url?.split('/').at(-1) ?? '';
    const answer = service.answers[wallet];
    response.setHeader('date', service.now.toUTCString());
    response.setHeader('content-type', 'application/json');
    response.setHeader('x-ratelimit-limit', '1000');
    response.setHeader('x-ratelimit-remaining', '999');
    response.setHeader('x-ratelimit-reset', String(Math.ceil(service.now.getTime() / 1000) + 2));
    if (answer === 'refused') response.statusCode = 404;
    if (answer === 'failing') response.statusCode = 500;
    response.end(bodyOf(wallet, answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service: Service = { server, url, answers: {}, now: new Date() };
  return service;
}

function bodyOf(wallet: string, answer: Answer | undefined): string {
  if (answer === undefined || answer === 'refused' || answer === 'failing') return '{"error":"none"}';
  if (answer === 'untrusted') return '[]';
  return JSON.stringify({
    wallet_address: wallet,
    total_collateral_usd: answer.collateral,
    defi_score: { defi_score: answer.scores.first },
    second: { score: answer.scores.second },
    ...(answer.warning && { errors: ['late'] }),
  });
}

type Json = Readonly<Record<string, unknown>>;

/** The first difference in the last known answers, which only the kept file has. */
function compareLast({ wallets }: Kept, path: string): string | undefined {
  for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) {
    const { _meta: meta } = JSON.parse(line) as {
      _meta?: { input: Json; last?: { answered_at: string; document: Json } };
    };
    if (!meta) continue;
    const { last } = wallets.get(String(meta.input.wallet)) ?? {};
    const wanted = last && { day: dateOf(last.day), collateral: last.collateral };
    const shown = meta.last && {
      day: date(meta.last.answered_at),
      collateral: meta.last.document.total_collateral_usd,
    };
    const difference = firstDifference('/last', wanted, shown);
    if (difference) return `kept row of ${meta.input.wallet}: ${difference}`;
  }
}

/** The first difference between what the model expects and what the program printed. */
function compare(letter: Letter, { stdout, stderr, exitCode }: Outcome, planned: Planned): string | undefined {
  let json: Json;
  try {
    json = JSON.parse(stdout);
  } catch {
    return `one document on stdout; exit ${exitCode}, stdout ${stdout.slice(0, 300)}, stderr ${stderr.slice(0, 600)}`;
  }
  const wanted = expected(letter);
  const shown = printed(json, wanted);
  const differences = [
    exitCode !== letter.exit && `the process exits with ${exitCode}, not ${letter.exit}; stderr ${stderr}`,
    firstDifference('', wanted, shown),
  ].filter(Boolean);
  return differences.length > 0 ? `${dateOf(planned.day)}: ${differences.join('\n')}` : undefined;
}

const dateOrNull = (day: number | null | undefined) => (day === null || day === undefined ? null : dateOf(day));

/** What the model expects, in the form of the document. */
function expected(letter: Letter): Json {
  return {
    exit_code: letter.exit,
    news: letter.news,
    compared_with: dateOrNull(letter.base),
    sections: Object.fromEntries(
      SECTIONS.map((name) => [
        name,
        Object.fromEntries(letter.sections[name]!.map((key) => [key, walletOf(letter.wallets.get(key)!, name)])),
      ]),
    ),
    rules: Object.fromEntries(letter.rules.map(({ name, ...figures }) => [name, figures])),
    counts: letter.counts,
  };
}

function walletOf(wallet: Wallet, section: string): Json {
  const { answer, alarms, closed, notJudged, firstMatch, previous } = wallet;
  const gone = section === 'removed' || closed.some(({ cause }) => cause === 'list');
  return {
    ...(!gone && {
      status: wallet.status,
      score: wallet.score,
      warning: answer?.warning ?? false,
      collateral: answer?.collateral ?? null,
      line: firstMatch === undefined ? undefined : firstMatch + 2,
    }),
    previous: previous && {
      status: previous.status,
      answered: dateOrNull(previous.answered),
      score: previous.score,
      collateral: previous.collateral,
      warning: previous.warning,
      not_judged: previous.notJudged,
    },
    alarms: Object.fromEntries([...alarms.values()].map((alarm) => [alarm.rule, alarmOf(alarm)])),
    closed: Object.fromEntries(closed.map(({ rule, opened, ...rest }) => [rule, { opened: dateOf(opened), ...rest }])),
    not_judged: dateOrNull(notJudged),
  };
}

const alarmOf = (alarm: Alarm): Json => ({
  level: alarm.level,
  opened: dateOf(alarm.opened),
  confirmed: dateOf(alarm.confirmed),
  new: alarm.new ?? false,
  returned: alarm.returned ?? null,
  value: alarm.value,
  excused: alarm.excused ? `${alarm.excused.reason} ${dateOrNull(alarm.excused.until)}` : null,
});

const date = (value: unknown) => /\d{4}-\d\d-\d\d/.exec(JSON.stringify(value) ?? '')?.[0] ?? null;
const asList = (value: unknown): Json[] => (Array.isArray(value) ? value : []);

/** The program's document in the same form; counts that it does not name are left out of both. */
function printed(json: Json, wanted: Json): Json {
  const section = (name: string) =>
    Object.fromEntries(asList((json[name] as Json | undefined)?.wallets).map((one) => [keyOf(one), shownWallet(one)]));
  const rules = asList(json.rules).filter(({ name }) => (wanted.rules as Json)[String(name)]);
  const counts = json.counts as Json | undefined;
  return {
    exit_code: json.exit_code,
    news: json.news,
    compared_with: date(json.compared_with),
    sections: Object.fromEntries(SECTIONS.map((name) => [name, section(name)])),
    rules: Object.fromEntries(
      rules.map(({ name, level, previous_if: before, open, new: opened, closed }) => [
        name,
        { level, hasChanged: before !== undefined, open, new: opened, closed },
      ]),
    ),
    counts: Object.fromEntries(Object.keys(wanted.counts as Json).map((name) => [name, counts?.[name]])),
  };
}

const keyOf = ({ wallet, columns }: Json): string => String(wallet ?? (columns as Json | null)?.wallet);

function shownWallet(one: Json): Json {
  const previous = one.previous as Json | null | undefined;
  return {
    ...(one.status !== null &&
      one.status !== undefined && {
        status: one.status,
        score: one.score,
        warning: Boolean(one.warning),
        collateral: one.total_collateral_usd,
        line: one.line,
      }),
    previous: previous && {
      status: previous.status,
      answered: date(previous.answered_at),
      score: previous.score,
      collateral: previous.total_collateral_usd,
      warning: Boolean(previous.warning),
      not_judged: Boolean(previous.not_judged),
    },
    alarms: Object.fromEntries(asList(one.alarms).map((alarm) => [alarm.rule, shownAlarm(alarm)])),
    closed: Object.fromEntries(
      asList(one.closed).map(({ rule, level, opened, cause, value }) => [
        rule,
        { opened: date(opened), level, cause, value },
      ]),
    ),
    not_judged: date((one.not_judged as Json | null)?.since ?? null),
  };
}

const shownAlarm = (alarm: Json): Json => ({
  level: alarm.level,
  opened: date(alarm.opened),
  confirmed: date(alarm.confirmed),
  new: alarm.new ?? false,
  returned: alarm.returned ?? null,
  value: alarm.value,
  excused: alarm.excused ? `${(alarm.excused as Json).reason} ${(alarm.excused as Json).until ?? null}` : null,
});

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

function firstDifference(path: string, wanted: unknown, shown: unknown): string | undefined {
  if (isObject(wanted) && isObject(shown)) {
    const keys = new Set([...Object.keys(wanted), ...Object.keys(shown)]);
    for (const key of keys) {
      // What the model leaves undefined the contract does not fix.
      if (key in wanted && wanted[key] === undefined) continue;
      const found = firstDifference(`${path}/${key}`, wanted[key], shown[key]);
      if (found) return found;
    }
    return;
  }
  if ((wanted ?? null) === (shown ?? null)) return;
  return `${path}: the contract has ${JSON.stringify(wanted) ?? 'nothing'}, the program ${JSON.stringify(shown) ?? 'nothing'}`;
}

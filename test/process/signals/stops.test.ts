/**
 * A list that is stopped half way, by whatever can stop one, on a service that takes its time: what
 * the service answered is kept, and the same command ends the list without paying for it again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliIn } from '../../fixtures/cli/cli.ts';
import { bareEnv, type Finished, RISKCLI_WORDS, start } from '../../fixtures/cli/process.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { type SlowServiceOptions, startSlowService } from '../../fixtures/service/slow-service.ts';

const WALLETS = 44;
const HALF = WALLETS / 2;
/** Requests under way when a signal comes. */
const IN_FLIGHT = 18;
/** Whatever stops the list, many requests are under way. */
const LATENCY_MS = 300;
const KEY = 'wrp_q7Zt-Xk_2Lm9Rv4Bn8';
interface Stop {
  readonly exitCode: number;
  /** What stderr says of it. */
  readonly says: string;
  /** What the service does to the second half. */
  readonly service?: Pick<SlowServiceOptions, 'status' | 'headers'>;
  /** The whole list gets it, not the second half only. */
  readonly fromTheStart?: true;
  readonly args?: readonly string[];
  readonly monthly?: number;
  /** Stands before the command, in a shell. */
  readonly shell?: string;
  readonly signal?: NodeJS.Signals;
  /** Answers that could not be kept: those in flight. */
  readonly lost?: number;
}

const half = (status: number, headers: Readonly<Record<string, string>> = {}): Stop['service'] => ({
  status: (nth) => (nth > HALF ? status : 200),
  headers: (nth) => (nth > HALF ? headers : {}),
});

const STOPS: Readonly<Record<string, Stop>> = {
  '--max-requests': { exitCode: 7, says: `--max-requests ${HALF}`, args: ['--max-requests', String(HALF)] },
  'monthly-requests': { exitCode: 7, says: 'monthly-requests', monthly: HALF },
  'a 401': { exitCode: 4, says: '401', service: half(401) },
  'a 404 for all': { exitCode: 6, says: 'base URL', service: { status: () => 404 }, fromTheStart: true },
  'a 429 that names an hour': {
    exitCode: 7,
    says: 'the same command',
    service: half(429, { 'retry-after': '3600' }),
  },
  'a quota that is used up': {
    exitCode: 7,
    says: 'the same command',
    service: half(429, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(9 * 86_400) }),
  },
  'a 500 for all that follow': { exitCode: 5, says: '500', service: half(500) },
  'a full disk': {
    exitCode: 8,
    says: 'file size limit',
    shell: 'ulimit -f 16;',
    lost: IN_FLIGHT,
  },
  SIGINT: {
    exitCode: 130,
    says: `waiting up to 8 s for ${IN_FLIGHT} requests`,
    signal: 'SIGINT',
    args: ['--concurrency', String(IN_FLIGHT)],
  },
};

/**
 * A service that takes its time for an answer and misbehaves as `stop` says until `recover` is
 * called.
 */
async function startService({ service: second = {}, signal }: Stop) {
  let isWell = false;
  let signalled = () => {};
  const isSignalled = new Promise<void>((resolve) => {
    signalled = resolve;
  });
  const service = await startSlowService({
    latency: () => LATENCY_MS,
    // Half of the list was asked and requests are in flight when the signal comes, however fast the
    // machine is.
    after: (nth) => (signal && nth > HALF - IN_FLIGHT ? isSignalled : undefined),
    status: (nth) => (isWell ? 200 : second.status?.(nth)),
    headers: (nth) => (isWell ? {} : (second.headers?.(nth) ?? {})),
    padding: 300,
  });
  return Object.assign(service, {
    signalled,
    recover() {
      isWell = true;
    },
  });
}

interface First {
  readonly first: readonly string[];
  readonly env: Record<string, string>;
  readonly service: Awaited<ReturnType<typeof startService>>;
}

/** Runs `first` in a process of its own until a limit of the shell or a signal stops it. */
async function stopProcess({ shell, signal }: Stop, { first, env, service }: First): Promise<Finished> {
  const run = start(shell ? `${shell} exec ${RISKCLI_WORDS} ${first.join(' ')}` : first, { env });
  if (signal) {
    await Promise.race([service.reached(HALF), run.done]);
    run.child.kill(signal);
    await run.said('waiting up to');
    service.signalled();
  }
  return run.done;
}

/** Runs the list in `folder` until it is stopped, then the same command again. */
async function stopAndGoOn(stop: Stop, folder: string) {
  await using service = await startService(stop);
  const configure = (monthly?: number) =>
    writeFileSync(
      join(folder, 'config.json'),
      JSON.stringify({ environments: { default: monthly === undefined ? {} : { 'monthly-requests': monthly } } }),
    );
  writeFileSync(join(folder, 'list.txt'), addresses(WALLETS).join('\n'));
  const env = bareEnv({
    HOME: folder,
    RISKCLI_CONFIG_DIR: folder,
    XDG_STATE_HOME: folder,
    RISKCLI_BASE_URL: service.url,
    RISKCLI_API_KEY: KEY,
  });
  const cli = cliIn({ folder, env });
  const command = ['profile', '-f', join(folder, 'list.txt'), '-o', join(folder, 'scored.jsonl')];
  const first = [...command, ...(stop.args ?? [])];
  configure(stop.monthly);
  const needsProcess = stop.shell !== undefined || stop.signal !== undefined;
  const stopped = needsProcess ? await stopProcess(stop, { first, env, service }) : await cli(first);
  const paid = service.answered.size;
  const asked = service.requests();
  configure();
  service.recover();
  const ended = await cli(command);
  const output = ended.exitCode === 0 ? readFileSync(join(folder, 'scored.jsonl'), 'utf8') : '';
  const twice = [...service.answered.values()].filter((times) => times > 1).length;
  return { stopped, paid, ended, output, requests: service.requests() - asked, twice };
}

describe.concurrent('a list of 44 whose answers take a while', () => {
  it.each(Object.entries(STOPS))('resumes a list that %s stopped, and pays for nothing twice', async (_, stop) => {
    const { stopped, paid, ended, output, requests, twice } = await stopAndGoOn(stop, temporaryFolder());
    expect(stopped).toMatchObject({
      exitCode: stop.exitCode,
      stdout: '',
      stderr: expect.stringContaining(stop.says),
    });
    // A full disk shows when the first answer does not fit: all may be in flight by then.
    if (stop.lost === undefined) expect(paid).toBeLessThan(WALLETS);
    expect(ended).toMatchObject({ exitCode: 0, stdout: '' });
    const rows = output
      .trimEnd()
      .split('\n')
      .map((row) => JSON.parse(row));
    expect(rows.map((row) => row.wallet_address)).toEqual(addresses(WALLETS));
    expect(new Set(rows.map((row) => row._meta.status))).toEqual(new Set(['scored']));
    expect(twice).toBeLessThanOrEqual(stop.lost ?? 0);
    expect(requests).toBe(WALLETS - paid + twice);
  });
});

it('completes a list in several runs with --max-requests 8', async () => {
  const folder = temporaryFolder();
  await using service = await startSlowService();
  writeFileSync(join(folder, 'list.txt'), addresses(30).join('\n'));
  const env = bareEnv({ HOME: folder, XDG_STATE_HOME: folder, RISKCLI_BASE_URL: service.url, RISKCLI_API_KEY: KEY });
  const cli = cliIn({ folder, env });
  const [list, output] = [join(folder, 'list.txt'), join(folder, 'scored.csv')];
  const exits: number[] = [];
  while (exits.length < 10 && exits.at(-1) !== 0) {
    const args = ['profile', '-f', list, '-o', output, '--max-requests', '8'];
    exits.push((await cli(args)).exitCode);
  }
  expect(exits).toEqual([7, 7, 7, 0]);
  expect([...service.asked.values()]).toEqual(Array(30).fill(1));
});

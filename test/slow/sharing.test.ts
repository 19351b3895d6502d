/** One key in several processes: each finds a pace, none starves, and few requests are refused. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { measure, type SandboxProcess, startSandboxProcess } from '../fixtures/cli/measure.ts';
import { bareEnv, RISKCLI_WORDS, start } from '../fixtures/cli/process.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { address } from '../fixtures/place/wallets.ts';

/** Of 1,000 requests, so many may be refused. */
const MAX_REFUSED = 75;
/** A machine that is busy sends in bunches, of which more are refused: one of these runs must do well. */
const TRIES = 3;

const lines = (from: number, count: number) => Array.from({ length: count }, (_, i) => address(from + i)).join('\n');

/** A list of `count` wallets from the `from`-th on, as a run that is under way. */
function runList(
  name: string,
  range: { from: number; count: number },
  run: { cwd: string; env: SandboxProcess['env'] },
) {
  writeFileSync(join(run.cwd, `${name}.txt`), lines(range.from, range.count));
  return measure(['profile', '-f', `${name}.txt`, '-o', `${name}.csv`], run);
}

function startup(): Promise<SandboxProcess> {
  return startSandboxProcess(['--plan', 'startup', '--latency', '100-500ms', '-v']);
}

/** How many requests the sandbox has answered, and how many of 1,000 it has refused. */
function refusals(sandbox: SandboxProcess): { readonly requests: number; readonly perThousand: number } {
  const statuses = [...sandbox.log().matchAll(/^riskcli: GET \S+ (\d{3}) /gm)].map(([, status]) => status);
  const refused = statuses.filter((status) => status === '429').length;
  return { requests: statuses.length, perThousand: (1000 * refused) / statuses.length };
}

/** Runs `share`, which tells how many seconds each part of it took, on a sandbox of its own until few requests are refused. */
async function judge(what: string, share: (sandbox: SandboxProcess) => Promise<readonly number[]>): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES && least >= MAX_REFUSED; i++) {
    await using sandbox = await startup();
    const took = (await share(sandbox)).map((each) => each.toFixed(0)).join(' and ');
    const { requests, perThousand } = refusals(sandbox);
    console.log(`${what}: ${took} s, ${requests} requests, ${perThousand.toFixed(1)} of 1,000 refused`);
    least = Math.min(least, perThousand);
  }
  expect(least).toBeLessThan(MAX_REFUSED);
}

it('two lists at once', () =>
  judge('two lists of 1,000 wallets at 50 a second', async (sandbox) => {
    const run = { cwd: temporaryFolder(), env: { ...sandbox.env, XDG_STATE_HOME: temporaryFolder() } };
    const ends = await Promise.all([
      runList('one', { from: 0, count: 1000 }, run),
      runList('two', { from: 1000, count: 1000 }, run),
    ]);
    for (const end of ends) expect(end).toMatchObject({ exitCode: 0, stderr: '' });
    return ends.map(({ seconds }) => seconds);
  }));

it('xargs -P 8 beside a list', () =>
  judge('a list of 1,000 wallets and 300 single ones, 8 at a time, at 50 a second', async (sandbox) => {
    const run = { cwd: temporaryFolder(), env: { ...sandbox.env, XDG_STATE_HOME: temporaryFolder() } };
    const startedAt = performance.now();
    const single = start(`xargs -P 8 -n 1 ${RISKCLI_WORDS} profile --jsonl`, {
      cwd: run.cwd,
      env: bareEnv({ HOME: run.cwd, ...run.env }),
      input: lines(2000, 300),
    });
    const [list, { stdout, stderr, exitCode }] = await Promise.all([
      runList('one', { from: 0, count: 1000 }, run),
      single.done,
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.trimEnd().split('\n')).toHaveLength(300);
    expect(list).toMatchObject({ exitCode: 0, stderr: '' });
    return [list.seconds, (performance.now() - startedAt) / 1000];
  }));

/**
 * riskcli as the first process of a container, for which the system ignores each signal that the
 * program does not handle. The test makes the same namespaces without a container.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RISKCLI_WORDS, runLine, start } from '../../fixtures/cli/process.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { CONTAINER, canUnshare } from '../../fixtures/process/namespaces.ts';
import { startSlowService } from '../../fixtures/service/slow-service.ts';

const KEY = 'wrp_q7Zt-Xk_2Lm9Rv4Bn8';
const WALLETS = 3;

/** The first process of the namespace that the process `pid` has made, by its number outside. */
const onlyChildOf = (pid: number | undefined) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));

it.skipIf(!canUnshare())(
  'waits for the requests of a list after docker stop, and ends at once after another',
  async () => {
    // No request is ever answered.
    await using service = await startSlowService({ latency: () => undefined });
    const { write, folder, env } = workplace({ RISKCLI_BASE_URL: service.url, RISKCLI_API_KEY: KEY });
    write('list.txt', addresses(WALLETS).join('\n'));
    const line = `${CONTAINER} ${RISKCLI_WORDS} profile -f list.txt -o out.csv --timeout 10m`;
    const { child, done, said } = start(line, { cwd: folder, env });
    await service.reached(WALLETS);
    process.kill(onlyChildOf(child.pid), 'SIGTERM');
    await said(`waiting up to 8 s for ${WALLETS} requests`);
    process.kill(onlyChildOf(child.pid), 'SIGTERM');
    const { stderr, exitCode } = await done;
    // An orderly stop after 8 s would print a second line.
    expect({ lines: stderr.trim().split('\n'), exitCode }).toEqual({
      lines: [expect.stringContaining('waiting')],
      exitCode: 143,
    });
  },
);

it.skipIf(!canUnshare())('ends a single wallet at once on Ctrl-C as process 1', async () => {
  await using service = await startSlowService({ latency: () => undefined });
  const { folder, env } = workplace({ RISKCLI_BASE_URL: service.url, RISKCLI_API_KEY: KEY });
  const line = `${CONTAINER} ${RISKCLI_WORDS} profile ${addresses(1)[0]} --timeout 10m`;
  const { child, done } = start(line, { cwd: folder, env });
  await service.reached(1);
  process.kill(onlyChildOf(child.pid), 'SIGINT');
  expect(await done).toMatchObject({ exitCode: 130 });
});

it.skipIf(!canUnshare())('starts where there is no /dev', async () => {
  const bare = `unshare --mount sh -c 'mount -t tmpfs none /dev; exec "$@"' --`;
  const { stdout, stderr, exitCode } = await runLine(`${bare} ${RISKCLI_WORDS} --version`);
  expect({ stdout, stderr, exitCode }).toEqual({ stdout: expect.stringMatching(/^\d/), stderr: '', exitCode: 0 });
});

/**
 * riskcli as the first process of a container, where the system gives signals no effect but what a
 * program makes of them: Ctrl-C and `docker stop` have to end it all the same. The namespace is
 * what a container has, without the container.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RISKCLI_WORDS, runLine, start } from '../../fixtures/cli/process.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { CONTAINER, canUnshare } from '../../fixtures/process/namespaces.ts';
import { startSlowService } from '../../fixtures/service/slow-service.ts';
import { isSlow } from '../../fixtures/sweep.ts';

const WALLETS = 3;

describe.skipIf(!canUnshare())('as the first process of a container (unshare)', () => {
  // A container is stopped by SIGTERM; test/slow has the others.
  const SIGNALS = [
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const;
  it.each(SIGNALS.slice(0, isSlow ? undefined : 1))(
    'a list waits for its requests after %s, and ends at once after another',
    async (signal, exitCode) => {
      // No request is ever answered.
      await using service = await startSlowService({ latency: () => undefined });
      const { write, folder, env } = workplace({
        RISKCLI_BASE_URL: service.url,
        RISKCLI_API_KEY: 'wrp_q7Zt-Xk_2Lm9Rv4Bn8',
      });
      write('list.txt', addresses(WALLETS).join('\n'));
      const line = `${CONTAINER} ${RISKCLI_WORDS} profile -f list.txt -o out.csv --timeout 10m`;
      const { child, done, said } = start(line, { cwd: folder, env });
      await service.reached(WALLETS);
      process.kill(onlyChildOf(child.pid), signal);
      await said(`waiting up to 8 s for ${WALLETS} requests`);
      process.kill(onlyChildOf(child.pid), signal);
      const { stderr, exitCode: ended } = await done;
      // An orderly stop after 8 s would say how far it got.
      expect({ lines: stderr.trim().split('\n'), ended }).toEqual({
        lines: [expect.stringContaining('waiting')],
        ended: exitCode,
      });
    },
  );

  const COMMANDS = [
    ['health --timeout 10m', 'SIGINT', 130],
    ['profile 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 'SIGTERM', 143],
  ] as const;
  it.each(COMMANDS.slice(0, isSlow ? undefined : 1))('riskcli %s ends after %s', async (args, signal, exitCode) => {
    await using service = await startSlowService({ latency: () => undefined });
    const { folder, env } = workplace({ RISKCLI_BASE_URL: service.url, RISKCLI_API_KEY: 'wrp_q7Zt-Xk_2Lm9Rv4Bn8' });
    const { child, done } = start(`${CONTAINER} ${RISKCLI_WORDS} ${args}`, { cwd: folder, env });
    await service.reached(1);
    process.kill(onlyChildOf(child.pid), signal);
    expect(await done).toMatchObject({ exitCode });
  });

  it('runs where there is no /dev', async () => {
    const bare = `unshare --mount sh -c 'mount -t tmpfs none /dev; exec "$@"' --`;
    const { stdout, stderr, exitCode } = await runLine(`${bare} ${RISKCLI_WORDS} --version`);
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: expect.stringMatching(/^\d/), stderr: '', exitCode: 0 });
  });
});

/** The first process of the namespace that the process `pid` has made, by its number out here. */
function onlyChildOf(pid: number | undefined): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));
}

/**
 * The last moments of a list with -o: whatever ends it there, what was paid for is in the output or
 * in the journal.
 */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RISKCLI_WORDS } from '../../fixtures/cli/process.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { hasStrace } from '../../fixtures/process/failing-calls.ts';
import { startSlowService } from '../../fixtures/service/slow-service.ts';
import { isSlow } from '../../fixtures/sweep.ts';

const ROWS = 15;

describe.skipIf(!hasStrace)('the end of a list', () => {
  async function stage() {
    const service = await startSlowService();
    const place = workplace({
      RISKCLI_API_KEY: 'sk_end0123456789',
      RISKCLI_BASE_URL: service.url,
    });
    place.write('list.txt', addresses(ROWS).join('\n'));
    const args = ['profile', '-f', 'list.txt', '-o', 'scored.csv', '--concurrency', '10'];
    const traced = (prefix: string) => place.sh(`exec ${prefix} ${RISKCLI_WORDS} ${args.join(' ')}`);
    return { service, place, again: () => place.cli(args), traced };
  }

  const ENDS = [
    ['a kill before the journal is removed', 'unlink', '-P scored.csv.journal', 'SIGKILL', 137],
    ['an interrupt while the output is put in place', 'rename', '', 'SIGINT', 130],
    ['a kill before the output is in place', 'rename', '', 'SIGKILL', 137],
  ] as const;
  it.each(ENDS.slice(0, isSlow ? undefined : 2))(
    '%s: the same command asks nothing',
    async (_, call, only, signal, exitCode) => {
      const { service, place, again, traced } = await stage();
      await using _service = service;
      // Without --seccomp-bpf, with which strace sends no signals.
      const ended = await traced(`strace -f -qq -o calls ${only} -e trace=${call} -e inject=${call}:signal=${signal}`);
      expect(ended).toMatchObject({ exitCode });
      expect(existsSync(place.path('scored.csv.journal'))).toBe(true);
      expect(await again()).toMatchObject({ exitCode: 0 });
      expect(service.requests()).toBe(ROWS);
      expect(place.read('scored.csv').trimEnd().split('\n')).toHaveLength(ROWS + 1);
    },
  );
});

/**
 * What a power cut takes: what was not brought to the disk. strace shows each write to the journal
 * and each sync of it.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RISKCLI_WORDS, start } from '../../fixtures/cli/process.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { hasStrace, STRACE } from '../../fixtures/process/failing-calls.ts';
import { startSlowService } from '../../fixtures/service/slow-service.ts';

it.skipIf(!hasStrace)(
  'syncs the journal during a run and at its end, and removes it after the output is synced',
  async () => {
    // Sequential, 200 ms each: the list takes longer than the interval of two syncs.
    await using service = await startSlowService({ latency: () => 200 });
    const place = workplace({ RISKCLI_API_KEY: 'sk_synctest0123456789', RISKCLI_BASE_URL: service.url });
    place.write('list', Array.from({ length: 16 }, (_, i) => address(i)).join('\n'));
    const trace = async (more: string) => {
      const prefix = `${STRACE} -y -o strace.log -e trace=write,pwrite64,fsync,fdatasync,unlink,rename`;
      const args = `profile -f list -o out.csv --concurrency 1 ${more}`;
      const run = start(`exec ${prefix} ${RISKCLI_WORDS} ${args}`, { cwd: place.folder, env: place.env });
      const { exitCode } = await run.done;
      const calls = place.read('strace.log').split('\n');
      const events = calls.flatMap((line) => {
        if (/ p?write(64)?\(\d+<[^>]*out\.csv\.journal>/.test(line)) return ['answer'];
        if (/ fdatasync\(\d+<[^>]*out\.csv\.journal>/.test(line)) return ['sync'];
        if (/ fsync\(\d+<[^>]*out\.csv[^>]*\.tmp>/.test(line)) return ['output synced'];
        if (line.includes(' rename(') && line.includes('"out.csv"')) return ['output there'];
        if (line.includes(` fsync(`) && line.includes(`<${place.folder}>`)) return ['folder synced'];
        return / unlink\("out\.csv\.journal"\)/.test(line) ? ['journal gone'] : [];
      });
      return { exitCode, events };
    };
    const stopped = await trace('--max-requests 6');
    expect(stopped.exitCode).toBe(7);
    // The header and six answers; after the last one a sync.
    expect(stopped.events.filter((event) => event === 'answer')).toHaveLength(7);
    expect(stopped.events).toContain('folder synced');
    expect(stopped.events.lastIndexOf('sync')).toBeGreaterThan(stopped.events.lastIndexOf('answer'));
    const whole = await trace('');
    expect(whole.exitCode).toBe(0);
    // Records of the previous run are synced before anything is sent or added.
    expect(new Set(whole.events.slice(0, 2))).toEqual(new Set(['sync', 'folder synced']));
    expect(whole.events[2]).toBe('answer');
    // Ten answers take two seconds, so there are answers before and after a sync.
    const first = whole.events.indexOf('sync', 3);
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(whole.events.lastIndexOf('answer'));
    // The second sync may coincide with the final one.
    const end = whole.events.slice(whole.events.lastIndexOf('answer') + 1);
    expect(end.filter((event, i) => event !== end[i - 1])).toEqual([
      'sync',
      'output synced',
      'output there',
      'folder synced',
      'journal gone',
    ]);
    expect(readFileSync(place.path('out.csv'), 'utf8').trimEnd().split('\n')).toHaveLength(17);
  },
);

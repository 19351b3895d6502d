/** Journals in the hands of others, and journals that change under a run: the built binary, real files, real namespaces. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { encodeRecord } from '../../../src/journal/record.ts';
import { RISKCLI_WORDS, start } from '../../fixtures/cli/process.ts';
import { address, addresses } from '../../fixtures/place/wallets.ts';
import { ONE_LINE, workplace } from '../../fixtures/place/workplace.ts';
import { CONTAINER, canUnshare } from '../../fixtures/process/namespaces.ts';
import { type SlowService, startHeldService, startSlowService } from '../../fixtures/service/slow-service.ts';
import { isSlow } from '../../fixtures/sweep.ts';

/** A folder with a list of `count` wallets. */
function stage(service: SlowService, count: number, monotonic = () => performance.now()) {
  const place = workplace({ RISKCLI_API_KEY: 'sk_journaltest0123456789', RISKCLI_BASE_URL: service.url });
  place.write('list', addresses(count).join('\n'));
  const args = ['profile', '-f', 'list', '-o', 'out.jsonl', '--concurrency', '10'];
  return {
    ...place,
    run: (...more: string[]) => start([...args, ...more], { cwd: place.folder, env: place.env }),
    /** The same without a process, for what is over before anything can happen to one. */
    runInside: (...more: string[]) => place.cli([...args, ...more], { as: { uid: process.getuid?.() }, monotonic }),
    /** The same behind another program. */
    under: (prefix: string, ...more: string[]) =>
      start(`exec ${prefix} ${RISKCLI_WORDS} ${[...args, ...more].join(' ')}`, {
        cwd: place.folder,
        env: place.env,
      }),
    /** The wallets of the output, each of which must have its own answer. */
    rows: () =>
      place
        .read('out.jsonl')
        .trimEnd()
        .split('\n')
        .map((line) => {
          const { wallet_address: wallet, _meta: meta } = JSON.parse(line);
          expect(meta).toMatchObject({ status: 'scored', input: wallet });
          return wallet;
        }),
    left: () => readdirSync(place.folder).filter((name) => !['list', 'home'].includes(name)),
  };
}

/** Wallets of a list: five that are answered at once, and ten that are under way together until they are released. */
const QUICK = 5;
const COUNT = 15;

describe('an empty journal', () => {
  it('is removed when the key is refused, unless it existed before', async () => {
    await using service = await startSlowService({ status: () => 401 });
    const { runInside, left, write } = stage(service, 3);
    expect(await runInside()).toMatchObject({ exitCode: 4 });
    expect(left()).toEqual([]);
    write('j', '');
    expect(await runInside('--journal', 'j')).toMatchObject({ exitCode: 4 });
    expect(left()).toEqual(['j']);
  });
});

describe('a list that failed partly', () => {
  it('does not promise to request only the failed wallets without a journal', async () => {
    await using service = await startSlowService({ latency: (nth) => (nth === 3 ? undefined : 1) });
    const place = workplace({ RISKCLI_API_KEY: 'sk_journaltest0123456789', RISKCLI_BASE_URL: service.url });
    place.write('list', addresses(5).join('\n'));
    const args = ['profile', '-f', 'list', '--jsonl', '--concurrency', '1', '--timeout', '300ms'];
    const ended = await place.cli(args);
    expect(ended).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('with --journal FILE') });
    expect(ended.stderr).not.toContain('only these are asked');
  });
});

describe('a journal named by --journal', () => {
  it('reuses answers, not refusals; the one next to an output reuses both', async () => {
    await using service = await startSlowService({ status: (nth) => (nth % 3 === 2 ? 404 : 200) });
    const { runInside, left } = stage(service, 2);
    expect(await runInside('--journal', 'j', '--concurrency', '1')).toMatchObject({ exitCode: 3 });
    expect(service.requests()).toBe(2);
    expect(await runInside('--journal', 'j', '--concurrency', '1')).toMatchObject({ exitCode: 0 });
    expect(service.requests()).toBe(3);
    expect(await runInside('--concurrency', '1')).toMatchObject({ exitCode: 3 });
    expect(left().sort()).toEqual(['j', 'out.jsonl']);
  });

  const SECOND = 1_000;
  const HOUR = 3_600 * SECOND;
  it.each([
    ['2 s', 2 * SECOND, 0],
    ['5 minutes', 300 * SECOND, 0],
    ['an hour', HOUR, 2],
    ['a day', 24 * HOUR, 2],
  ])(
    '[90] after the clock went back by %s counts the age that --max-age allows without its sign',
    async (_, back, again) => {
      await using service = await startSlowService();
      const { runInside, write } = stage(service, 3);
      const header = `${JSON.stringify({ riskcli_journal: 1, base_url: service.url })}\n`;
      const record = (i: number, answeredAt: number) => {
        const text = JSON.stringify({ wallet_address: address(i), total_collateral_usd: 1, defi_score: null });
        return encodeRecord(address(i), { answeredAt, text }).toString();
      };
      const now = Date.now();
      // The last wallet has another answer, which may be reused.
      const records = [record(0, now + back), record(1, now + back), record(2, now - SECOND), record(2, now + back)];
      chmodSync(write('j', header + records.join('')), 0o600);
      const args = ['--journal', 'j', '--max-age', '30m'];
      const dry = await runInside(...args, '--dry-run', '--json');
      expect(JSON.parse(dry.stdout)).toMatchObject({ known_from_journal: 3 - again, requests_needed: again });
      expect(await runInside(...args, '-q')).toMatchObject({ exitCode: 0, stderr: '' });
      expect([...service.asked.keys()]).toEqual([address(0), address(1)].slice(0, again));
      // A wallet answered in this run is not requested again, whatever the journal says.
      expect(await runInside(...args, '-q')).toMatchObject({ exitCode: 0, stderr: '' });
      expect(service.requests()).toBe(again);
    },
  );
});

describe('a journal that others can change', () => {
  it('[63,105] is not believed: what is no answer for its wallet is told, and asked again', async () => {
    await using service = await startSlowService();
    const { runInside, write, rows } = stage(service, 1);
    const text = JSON.stringify({ wallet_address: address(1), total_collateral_usd: 1 });
    const header = `${JSON.stringify({ riskcli_journal: 1, base_url: service.url })}\n`;
    const record = encodeRecord(address(0), { answeredAt: Date.now(), text });
    chmodSync(write('out.jsonl.journal', header + record), 0o600);
    const { stderr, exitCode } = await runInside();
    const note = "damaged records in the journal 'out.jsonl.journal': 1; their wallets are asked again";
    expect([exitCode, JSON.parse(stderr)]).toEqual([0, { note }]);
    expect([rows(), service.requests()]).toEqual([[address(0)], 1]);
  });
});

describe('a journal with two names', () => {
  it('[64] is refused under both, and the run that has it open continues', async () => {
    await using service = await startHeldService(QUICK);
    const { run, runInside, path, rows, left } = stage(service, COUNT);
    const first = run();
    await Promise.race([service.reached(COUNT), first.done]);
    linkSync(path('out.jsonl.journal'), path('other'));
    const second = await runInside('--journal', 'other');
    expect(second).toMatchObject({ exitCode: 8, stderr: expect.stringMatching(ONE_LINE) });
    expect(second.stderr).toContain('hard link');
    service.release();
    expect(await first.done).toMatchObject({ exitCode: 0 });
    expect(rows()).toEqual(addresses(COUNT));
    expect(left().sort()).toEqual(['other', 'out.jsonl']);
  });
});

describe.skipIf(!canUnshare())('containers of one host name on one volume', () => {
  const NO_PROC = 'unshare --mount bash -c \'mount -t tmpfs none /proc; exec "$@"\' -';

  // In test/slow also with a /proc that is empty or of another namespace.
  const NAMESPACES = [
    ['in its own pid namespace', CONTAINER, CONTAINER],
    ['without /proc', NO_PROC, NO_PROC],
    ['with the /proc of another namespace', 'unshare --pid --fork --kill-child', CONTAINER],
  ] as const;
  it.each(NAMESPACES.slice(0, isSlow ? undefined : 1))(
    '[64] each %s: one runs, the other is exit 11 and names the file to delete',
    async (_, one, other) => {
      await using service = await startHeldService(QUICK);
      const { under, rows, left } = stage(service, COUNT);
      const first = under(one);
      await Promise.race([service.reached(COUNT), first.done]);
      const second = await under(other).done;
      expect(second).toMatchObject({ exitCode: 11, stdout: '', stderr: expect.stringMatching(ONE_LINE) });
      expect(second.stderr).toContain("delete 'out.jsonl.journal.lock'");
      service.release();
      expect(await first.done).toMatchObject({ exitCode: 0 });
      expect(rows()).toEqual(addresses(COUNT));
      expect(left()).toEqual(['out.jsonl']);
      expect([...service.asked.values()]).toEqual(Array(COUNT).fill(1));
    },
  );

  it('[64] the lock of a killed one expires after a minute without a heartbeat', async () => {
    await using service = await startHeldService(QUICK);
    const { under, runInside, rows, path } = stage(service, COUNT);
    const killed = under(CONTAINER);
    await Promise.race([service.reached(COUNT), killed.done]);
    // Killing unshare also kills its children.
    killed.child.kill('SIGKILL');
    await killed.done;
    // This process is in another namespace, too.
    expect(await runInside()).toMatchObject({ exitCode: 11 });
    const twoMinutesAgo = Date.now() / 1000 - 120;
    utimesSync(path('out.jsonl.journal.lock'), twoMinutesAgo, twoMinutesAgo);
    service.release();
    expect(await runInside()).toMatchObject({ exitCode: 0 });
    expect(rows()).toEqual(addresses(COUNT));
  });

  it('[64,65] the new output of a running one is not removed by another', async () => {
    await using service = await startHeldService(QUICK);
    const { under, rows, left } = stage(service, COUNT);
    const first = under(CONTAINER);
    await Promise.race([service.reached(COUNT), first.done]);
    expect(left().filter((name) => name.endsWith('.tmp'))).toHaveLength(1);
    // Another journal, so that only the output conflicts; it ends when its request is answered.
    const second = under(CONTAINER, '--journal', 'other', '--max-requests', '1');
    await service.reached(COUNT + 1);
    service.release();
    expect(await second.done).toMatchObject({ exitCode: 7 });
    expect(await first.done).toMatchObject({ exitCode: 0 });
    expect(rows()).toEqual(addresses(COUNT));
  });
});

describe('a journal that changes during a run', () => {
  /** Runs a list, does `change` when some are answered and the others under way, and ends it. */
  async function changed(change: (path: (name: string) => string) => void, ...more: string[]) {
    const service = await startHeldService(QUICK);
    onTestFinished(() => service[Symbol.asyncDispose]());
    let later = 0;
    const staged = stage(service, COUNT, () => performance.now() + later);
    const running = staged.runInside(...more);
    await Promise.race([service.reached(COUNT), running]);
    change(staged.path);
    // A run checks its files at most every 50 ms.
    later = 50;
    service.release();
    const end = await running;
    expect(end.stderr).not.toContain('internal error');
    if (end.exitCode !== 0) expect(end.stderr).toMatch(ONE_LINE);
    return { ...staged, service, end };
  }

  it('[65] removed: the rows are right, exit 0; exit 8 if it should be kept', async () => {
    const beside = await changed((path) => rmSync(path('out.jsonl.journal')));
    expect([beside.end.exitCode, beside.rows(), beside.left()]).toEqual([0, addresses(COUNT), ['out.jsonl']]);
    const named = await changed((path) => rmSync(path('j')), '--journal', 'j');
    expect([named.end.exitCode, named.rows(), named.left()]).toEqual([8, addresses(COUNT), ['out.jsonl']]);
    expect(named.end.stderr).toContain("the journal 'j' was removed or replaced");
  });

  it('[65] replaced: the rows are right, and what was put in its place stays', async () => {
    const { end, rows, read } = await changed((path) => {
      rmSync(path('out.jsonl.journal'));
      writeFileSync(path('out.jsonl.journal'), 'foreign');
    });
    expect([end.exitCode, rows(), read('out.jsonl.journal')]).toEqual([0, addresses(COUNT), 'foreign']);
  });

  it('[65] appended to: the rows are right, and the same command tells of it and asks for nothing again', async () => {
    const beside = await changed((path) => appendFileSync(path('out.jsonl.journal'), 'x\n'));
    expect([beside.end.exitCode, beside.rows(), beside.left()]).toEqual([0, addresses(COUNT), ['out.jsonl']]);
    const named = await changed((path) => appendFileSync(path('j'), 'x\n'), '--journal', 'j');
    expect([named.end.exitCode, named.rows()]).toEqual([0, addresses(COUNT)]);
    expect(await named.runInside('--journal', 'j')).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining("damaged records in the journal 'j': 1"),
    });
    expect([...named.service.asked.values()]).toEqual(Array(COUNT).fill(1));
  });

  it.each([
    ['to nothing', () => 0, COUNT],
    ['within its header', () => 9, COUNT],
    ['within its second record', (text: string) => text.indexOf('{"crc"', text.indexOf('{"crc"') + 1) + 9, COUNT - 1],
  ])(
    '[65,104] cut %s: the run stops with exit 8, the old output stays, and the same command continues',
    async (_, cut, left) => {
      for (const [file, ...more] of [['out.jsonl.journal'], ['j', '--journal', 'j']] as const) {
        const { end, path, runInside, rows, service } = await changed(
          (at) => {
            const text = readFileSync(at(file), 'utf8');
            truncateSync(at(file), cut(text));
          },
          ...more,
        );
        expect(end.exitCode).toBe(8);
        expect([end.stderr, existsSync(path('out.jsonl'))]).toEqual([
          expect.stringContaining('was changed by another program'),
          false,
        ]);
        expect(await runInside(...more)).toMatchObject({ exitCode: 0 });
        expect([rows(), service.requests()]).toEqual([addresses(COUNT), COUNT + left]);
      }
    },
  );

  it('[65,81] its lock replaced: exit 11, the other lock is left, and the same command asks again for what was in flight', async () => {
    const { end, path, read, runInside, rows, left, service } = await changed((file) => {
      rmSync(file('out.jsonl.journal.lock'));
      writeFileSync(file('out.jsonl.journal.lock'), 'foreign');
    });
    expect(end).toMatchObject({
      exitCode: 11,
      stderr: expect.stringContaining('run the same command again to resume'),
    });
    expect(end.stderr).not.toContain('delete it');
    expect(read('out.jsonl.journal.lock')).toBe('foreign');
    rmSync(path('out.jsonl.journal.lock'));
    expect(await runInside()).toMatchObject({ exitCode: 0 });
    expect([rows(), left()]).toEqual([addresses(COUNT), ['out.jsonl']]);
    expect(Math.max(...service.asked.values())).toBe(2);
  });

  it('[65] the new output removed: exit 8, and the same command writes it without a request', async () => {
    const { end, runInside, rows, service } = await changed((path) => {
      for (const name of readdirSync(path(''))) if (name.endsWith('.tmp')) rmSync(path(name));
    });
    expect(end).toMatchObject({ exitCode: 8, stderr: expect.stringContaining('removed or replaced meanwhile') });
    expect(await runInside()).toMatchObject({ exitCode: 0 });
    expect([rows(), service.requests()]).toEqual([addresses(COUNT), COUNT]);
  });
});

describe('a run whose lock is deleted', () => {
  it('[81] stops with exit 11, and what was in flight is asked again by the next run', async () => {
    await using service = await startHeldService(QUICK);
    const { run, rows, left, path } = stage(service, 2 * COUNT);
    const first = run();
    await Promise.race([service.reached(COUNT), first.done]);
    rmSync(path('out.jsonl.journal.lock'));
    const second = run();
    await Promise.race([service.reached(COUNT + 10), second.done]);
    service.release();
    const ended = await first.done;
    expect(ended).toMatchObject({ exitCode: 11, stdout: '', stderr: expect.stringMatching(ONE_LINE) });
    expect(ended.stderr).toContain('was deleted, replaced or taken over');
    expect(await second.done).toMatchObject({ exitCode: 0 });
    expect([rows(), left()]).toEqual([addresses(2 * COUNT), ['out.jsonl']]);
    expect(Math.max(...service.asked.values())).toBe(2);
  });

  it('[81] while it is halted: it wakes up, writes nothing and stops with exit 11', async () => {
    await using service = await startHeldService(QUICK);
    const { run, rows, left, folder, runInside, read } = stage(service, COUNT);
    const first = run('--journal', 'j');
    await Promise.race([service.reached(COUNT), first.done]);
    first.child.kill('SIGSTOP');
    for (const name of readdirSync(folder)) if (name.startsWith('j.lock')) rmSync(join(folder, name));
    const second = run('--journal', 'j');
    await Promise.race([service.reached(COUNT + 10), second.done]);
    service.release();
    expect(await second.done).toMatchObject({ exitCode: 0 });
    const before = read('j');
    first.child.kill('SIGCONT');
    expect(await first.done).toMatchObject({ exitCode: 11 });
    expect([rows(), left().sort(), read('j')]).toEqual([addresses(COUNT), ['j', 'out.jsonl'], before]);
    const asked = service.requests();
    expect(await runInside('--journal', 'j')).toMatchObject({ exitCode: 0 });
    expect(service.requests()).toBe(asked);
  });
});

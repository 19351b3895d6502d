/**
 * Journals in the hands of others, and journals that change under a run: the built binary, real
 * files, real namespaces.
 */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { expect, it } from 'vitest';
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

/**
 * Wallets of a list: five that are answered at once, and ten that are under way together until they
 * are released.
 */
const QUICK = 5;
const COUNT = 15;

it('reuses the answers of --journal, and also the refusals of the journal beside an output', async () => {
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
  ['5 minutes', 300 * SECOND, 0],
  ['an hour', HOUR, 2],
])('compares the age of an answer without its sign after the clock went back by %s', async (_, back, again) => {
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
});

const NO_PROC = 'unshare --mount bash -c \'mount -t tmpfs none /proc; exec "$@"\' -';

// In test/slow also with a /proc that is empty or of another namespace.
const NAMESPACES = [
  ['in its own pid namespace', CONTAINER, CONTAINER],
  ['without /proc', NO_PROC, NO_PROC],
  ['with the /proc of another namespace', 'unshare --pid --fork --kill-child', CONTAINER],
] as const;
it.skipIf(!canUnshare()).each(NAMESPACES.slice(0, isSlow ? undefined : 1))(
  'exits with 11 for the second of two containers, each %s',
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

/** A change during a run, how the run ends, and how many requests the same command makes then. */
interface ChangeDuringRun {
  readonly change: (path: (name: string) => string) => void;
  readonly exitCode: number;
  readonly says: string;
  /** Whether the rows are in the output before the command is run again. */
  readonly isWritten?: true;
  /** What has to be done before that. */
  readonly mend?: (path: (name: string) => string) => void;
  readonly again: number;
  readonly saysThen?: string;
}

const SECOND_RECORD = (text: string) => text.indexOf('{"crc"', text.indexOf('{"crc"') + 1) + 9;

const CHANGES: Readonly<Record<string, ChangeDuringRun>> = {
  'its journal is removed': {
    change: (path) => rmSync(path('j')),
    exitCode: 8,
    says: "the journal 'j' was removed or replaced",
    isWritten: true,
    again: COUNT,
  },
  'something is appended to its journal': {
    change: (path) => appendFileSync(path('j'), 'x\n'),
    exitCode: 0,
    says: '',
    isWritten: true,
    again: 0,
    saysThen: "damaged records in the journal 'j': 1",
  },
  'its journal is cut within a record': {
    change: (path) => truncateSync(path('j'), SECOND_RECORD(readFileSync(path('j'), 'utf8'))),
    exitCode: 8,
    says: 'was changed by another program',
    again: COUNT - 1,
  },
  'its lock is replaced': {
    change(path) {
      rmSync(path('j.lock'));
      writeFileSync(path('j.lock'), 'foreign');
    },
    exitCode: 11,
    says: 'run the same command again to resume',
    mend(path) {
      expect(readFileSync(path('j.lock'), 'utf8')).toBe('foreign');
      rmSync(path('j.lock'));
    },
    // What was in flight.
    again: COUNT - QUICK,
  },
  'its new output is removed': {
    change(path) {
      for (const name of readdirSync(path(''))) if (name.endsWith('.tmp')) rmSync(path(name));
    },
    exitCode: 8,
    says: 'removed or replaced meanwhile',
    again: 0,
  },
};

it.each(Object.entries(CHANGES))('leaves the old output or the right rows if %s, and resumes', async (...row) => {
  const [, { change, exitCode, says, isWritten = false, mend, again, saysThen = '' }] = row;
  await using service = await startHeldService(QUICK);
  let later = 0;
  const { runInside, path, rows } = stage(service, COUNT, () => performance.now() + later);
  const running = runInside('--journal', 'j');
  await Promise.race([service.reached(COUNT), running]);
  change(path);
  // A run checks its files at most every 50 ms.
  later = 50;
  service.release();
  const end = await running;
  expect(end).toMatchObject({ exitCode, stderr: expect.stringContaining(says) });
  if (exitCode !== 0) expect(end.stderr).toMatch(ONE_LINE);
  expect(existsSync(path('out.jsonl'))).toBe(isWritten);
  if (isWritten) expect(rows()).toEqual(addresses(COUNT));
  mend?.(path);
  const asked = service.requests();
  const second = await runInside('--journal', 'j');
  expect(second).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(saysThen) });
  expect([rows(), service.requests() - asked]).toEqual([addresses(COUNT), again]);
});

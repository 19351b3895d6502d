/** Journals that are rewritten when something happens to the process: the built binary, killed at a call on a file. */
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createAtomicFile } from '../../../src/files/atomic-file.ts';
import { encodeRecord } from '../../../src/journal/record.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { RISKCLI_WORDS, runLine } from '../../fixtures/cli/process.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { ONE_LINE, workplace } from '../../fixtures/place/workplace.ts';
import { hasStrace, type Place, placesIn, STRACE } from '../../fixtures/process/failing-calls.ts';
import { isSlow, ofEachCall } from '../../fixtures/sweep.ts';

const HEADER = '{"riskcli_journal":1,"base_url":"https://api.example"}\n';
// Between two of these nothing changes on the disk but a mode.
const CALLS = ['openat', 'write', 'writev', 'pwrite64', 'fsync', 'rename', 'unlink'];
/** What `npm test` tries of them: what fills the new file, and what puts it in place. */
const [KILLED_AT, FAILS_AT] = [
  ['fsync', 'rename', 'unlink'],
  ['write', 'rename'],
];
const record = (number: number, score: number) =>
  encodeRecord(address(number), {
    answeredAt: 1_780_000_000_000 + score,
    text: `{"wallet_address":"${address(number)}","total_collateral_usd":1,"defi_score":{"score":${score}}}`,
  });

const OLD = Buffer.concat([Buffer.from(HEADER), record(1, 1), record(2, 2), record(1, 3)]);
// Both are rewritten by the same code: the one is killed, the other has calls that fail.
const ERASE = { verb: `prune --wallet ${address(1)}`, after: Buffer.concat([Buffer.from(HEADER), record(2, 2)]) };
const PRUNE = { verb: 'prune', after: Buffer.concat([Buffer.from(HEADER), record(2, 2), record(1, 3)]) };

function stage(verb: string) {
  const place = workplace();
  const command = `${RISKCLI_WORDS} journal ${verb} ${place.path('j')}`;
  return {
    ...place,
    under: (prefix: string) => runLine(`exec ${prefix} ${command}`, { cwd: '/', env: place.env }),
    reset() {
      for (const name of readdirSync(place.folder)) if (name !== 'home') rmSync(place.path(name));
      writeFileSync(place.path('j'), OLD, { mode: 0o600 });
    },
    bytes: () => readFileSync(place.path('j')),
  };
}

/** Two threads may each have a first call of a kind: strace cannot tell them apart. */
const distinct = (places: readonly Place[]) =>
  places.filter(({ call, nth }, i) => places.findIndex((other) => other.call === call && other.nth === nth) === i);

describe.skipIf(!hasStrace)('a journal that is rewritten', () => {
  it.each([ERASE])('$verb: is either the old or the new one if killed at any system call', async ({ verb, after }) => {
    const place = stage(verb);
    const { folder, under, reset, bytes } = place;
    reset();
    const places = await placesIn(folder, { calls: CALLS, run: under });
    expect(bytes().equals(after)).toBe(true);
    expect(places.length).toBeGreaterThan(5);
    const left = new Set<string>();
    // Calls that only read do not change the disk, so killing there is the same as at the next call.
    const writing = distinct(places).filter(({ on }) => !on.includes('O_RDONLY'));
    for (const { call, nth } of ofEachCall(writing).filter(({ call }) => isSlow || KILLED_AT.includes(call))) {
      reset();
      await under(`${STRACE} -o /dev/null -e trace=${call} -e inject=${call}:signal=KILL:when=${nth}`);
      const found = bytes();
      left.add(found.equals(OLD) ? 'old' : found.equals(after) ? 'new' : `neither, at ${call} ${nth}`);
    }
    expect([...left].sort()).toEqual(['new', 'old']);
    // Leftovers of the last killed run do not interfere, and are removed.
    const again = await place.cli(['journal', ...verb.split(' '), 'j']);
    expect(again).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readdirSync(folder).filter((name) => name.startsWith('.') || name.includes('lock'))).toEqual([]);
  });

  it.each([PRUNE])('$verb: is unchanged if any write fails', async ({ verb, after }) => {
    const { folder, under, reset, bytes } = stage(verb);
    reset();
    const places = await placesIn(folder, { calls: ['write', 'fsync', 'rename'], run: under });
    for (const { call, nth } of ofEachCall(distinct(places)).filter(({ call }) => isSlow || FAILS_AT.includes(call))) {
      reset();
      const { exitCode, stderr } = await under(
        `${STRACE} -o /dev/null -e trace=${call} -e inject=${call}:error=ENOSPC:when=${nth}`,
      );
      // 0: the call was not needed. A signal: node itself failed, because the call was between its threads.
      if (exitCode === 0 || (exitCode ?? 0) > 128) {
        expect(bytes().equals(exitCode === 0 ? after : OLD)).toBe(true);
        continue;
      }
      expect({ exitCode, stderr }).toEqual({ exitCode: 8, stderr: expect.stringMatching(ONE_LINE) });
      // Which write is the nth depends on the scheduling of node's threads: it may be the one of the result.
      const isDone = stderr.startsWith('riskcli: standard output ');
      expect(isDone ? '' : stderr).toMatch(/^$|'\S+\/j' cannot be replaced: .* it is unchanged|the lock /);
      expect(bytes().equals(isDone ? after : OLD)).toBe(true);
      expect(readdirSync(folder).filter((name) => !['home', 'j', 'strace.log'].includes(name))).toEqual([]);
    }
  });
});

describe('a temporary file left by a killed run', () => {
  it('is removed by an erasure, even if it was written on another machine', async () => {
    const place = workplace();
    writeFileSync(place.path('j'), OLD, { mode: 0o600 });
    chmodSync(place.path('j'), 0o600);
    place.write('.j.0123456789abcdef.tmp', OLD);
    await place.cli(['journal', 'prune', '--wallet', address(1), 'j']);
    expect(readdirSync(place.folder).sort()).toEqual(['home', 'j']);
  });

  it.each([50, 200])(
    '[88] is left when it is that of another file whose name has the same %i characters in front',
    async (length) => {
      const place = workplace();
      const shared = 'x'.repeat(length);
      const [journal, other] = [`${shared}1`, `${shared}2`];
      for (const name of [journal, other]) writeFileSync(place.path(name), OLD, { mode: 0o600 });
      const written = createAtomicFile(place.path(other), { host: testHost() });
      written.write('new');
      const erased = await place.cli(['journal', 'prune', '--wallet', address(1), journal]);
      expect(erased).toMatchObject({ exitCode: 0, stderr: '' });
      await written.commit();
      expect(place.read(other)).toBe('new');
      expect(readFileSync(place.path(journal)).equals(ERASE.after)).toBe(true);
    },
  );
});

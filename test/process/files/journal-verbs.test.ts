/**
 * Journals that are rewritten when something happens to the process: the built binary, killed at a
 * call on a file.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { encodeRecord } from '../../../src/journal/record.ts';
import { RISKCLI_WORDS, runLine } from '../../fixtures/cli/process.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { hasStrace, type Place, placesIn, STRACE } from '../../fixtures/process/failing-calls.ts';
import { isSlow, ofEachCall } from '../../fixtures/sweep.ts';

const HEADER = '{"riskcli_journal":1,"base_url":"https://api.example"}\n';
// Between two of these nothing changes on the disk but a mode.
const CALLS = ['openat', 'write', 'writev', 'pwrite64', 'fsync', 'rename', 'unlink'];
/** What `npm test` tries of them: what puts the new file in place. */
const KILLED_AT = ['fsync', 'rename', 'unlink'];
const record = (number: number, score: number) =>
  encodeRecord(address(number), {
    answeredAt: 1_780_000_000_000 + score,
    text: `{"wallet_address":"${address(number)}","total_collateral_usd":1,"defi_score":{"score":${score}}}`,
  });

const OLD = Buffer.concat([Buffer.from(HEADER), record(1, 1), record(2, 2), record(1, 3)]);
const NEW = Buffer.concat([Buffer.from(HEADER), record(2, 2)]);
const ERASE = ['journal', 'prune', '--wallet', address(1)];

function stage() {
  const place = workplace();
  const command = `${RISKCLI_WORDS} ${ERASE.join(' ')} ${place.path('j')}`;
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
  it('is either the old or the new one if killed at any system call', async () => {
    const place = stage();
    const { folder, under, reset, bytes } = place;
    reset();
    const places = await placesIn(folder, { calls: CALLS, run: under });
    expect(bytes().equals(NEW)).toBe(true);
    expect(places.length).toBeGreaterThan(5);
    const left = new Set<string>();
    // Calls that only read do not change the disk, so killing there is the same as at the next
    // call.
    const writing = distinct(places).filter(({ on }) => !on.includes('O_RDONLY'));
    for (const { call, nth } of ofEachCall(writing).filter(({ call }) => isSlow || KILLED_AT.includes(call))) {
      reset();
      await under(`${STRACE} -o /dev/null -e trace=${call} -e inject=${call}:signal=KILL:when=${nth}`);
      const found = bytes();
      left.add(found.equals(OLD) ? 'old' : found.equals(NEW) ? 'new' : `neither, at ${call} ${nth}`);
    }
    expect([...left].sort()).toEqual(['new', 'old']);
    // Leftovers of the last killed run do not interfere, and are removed.
    const again = await place.cli([...ERASE, 'j']);
    expect(again).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readdirSync(folder).filter((name) => name.startsWith('.') || name.includes('lock'))).toEqual([]);
  });
});

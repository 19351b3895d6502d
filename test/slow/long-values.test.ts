/** Values of 5 MB and a hundred thousand answers of one wallet: memory as without what orders, compares or dates them. */
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeRecord } from '../../src/journal/record.ts';
import { measure } from '../fixtures/cli/measure.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { address } from '../fixtures/place/wallets.ts';

const HEAP = '--max-old-space-size=128';
/** With values that differ in their first characters, and in their last ones. */
const [OLD, NEW, ALIKE, OFTEN] = ['old', 'new', 'alike', 'often'].map((name) => join(temporaryFolder(), name)) as [
  string,
  string,
  string,
  string,
];

interface Journal {
  readonly count: number;
  readonly walletOf: (i: number) => string;
  readonly note: (i: number) => string;
}

function writeJournal(path: string, { count, walletOf, note }: Journal): void {
  const fd = openSync(path, 'w', 0o600);
  writeSync(fd, '{"riskcli_journal":1,"base_url":"https://api.example.com"}\n');
  for (let i = 0; i < count; i++) {
    const score = `{"defi_score":${i}}`;
    const text = `{"wallet_address":"${walletOf(i)}","total_collateral_usd":1,"defi_score":${score},"note":"${note(i)}"}`;
    writeSync(fd, encodeRecord(walletOf(i), { answeredAt: 1_700_000_000_000 + i, text }));
  }
}

const filling = 'y'.repeat(5_000_000);
const mixed = (i: number) => `${(i * 7_919) % 1_000}`.padStart(4, '0');

beforeAll(() => {
  writeJournal(OLD, { count: 60, walletOf: address, note: (i) => mixed(i) + filling });
  writeJournal(NEW, { count: 60, walletOf: address, note: (i) => mixed(i + 1) + filling });
  writeJournal(ALIKE, { count: 60, walletOf: address, note: (i) => filling + mixed(i) });
  writeJournal(OFTEN, { count: 100_000, walletOf: () => address(1), note: mixed });
}, 300_000);

async function peak(...args: readonly string[]): Promise<number> {
  const { exitCode, stderr, peakMb } = await measure(args, { cwd: temporaryFolder(), env: { NODE_OPTIONS: HEAP } });
  expect({ args, exitCode, stderr: stderr.slice(0, 500) }).toEqual({ args, exitCode: 0, stderr: '' });
  console.log(`${Math.round(peakMb)} MB: ${args.filter((arg) => !arg.startsWith('/')).join(' ')}`);
  return peakMb;
}

/** MB: an answer, what it is compared with, and its text on the way. */
const ALLOWED = 80;
const TIMEOUT = 1_200_000;
const exported = (journal: string, ...more: readonly string[]) =>
  peak('journal', 'export', '--journal', journal, '--csv', ...more);

describe('[87] in a heap of 128 MB', () => {
  it('--where and --sort take the memory of a list without them', { timeout: TIMEOUT }, async () => {
    const without = await exported(OLD);
    expect(await exported(OLD, '--where', 'note exists')).toBeLessThan(without + ALLOWED);
    expect(await exported(OLD, '--sort', 'note')).toBeLessThan(without + ALLOWED);
    expect(await exported(ALIKE, '--sort', 'note:desc')).toBeLessThan(without + ALLOWED);
    expect(await exported(OLD, '--sort', 'total_collateral_usd')).toBeLessThan(without + ALLOWED);
    expect(await exported(OLD, '--fields', '*', '-o', join(temporaryFolder(), 'all.csv'))).toBeLessThan(
      without + ALLOWED,
    );
  });

  it('history, diff and report hold one value at a time', { timeout: TIMEOUT }, async () => {
    const without = await exported(OLD);
    expect(await peak('diff', OLD, NEW, '--csv')).toBeLessThan(without + ALLOWED);
    expect(
      await peak(
        'diff',
        OLD,
        NEW,
        '--csv',
        '--fields',
        'note?',
        '--sort',
        'note.new',
        '-o',
        join(temporaryFolder(), 'd.csv'),
      ),
    ).toBeLessThan(without + 2 * ALLOWED);
    expect(await peak('report', OLD, '--baseline', NEW, '-o', join(temporaryFolder(), 'page.html'))).toBeLessThan(
      without + 2 * ALLOWED,
    );
    for (const format of ['--csv', '--json']) {
      expect(await peak('journal', 'history', '--journal', OFTEN, address(1), format)).toBeLessThan(without);
    }
  });
});

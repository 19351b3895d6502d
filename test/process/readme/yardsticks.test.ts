/** The README's table of other programs is written by a bench (test/bench/lists), and by nobody's hand. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readmeTable, tableIn, withTable } from '../../bench/lists/readme-table.ts';

const readme = readFileSync(fileURLToPath(new URL('../../../README.md', import.meta.url)), 'utf8');

const PROGRAMS = [
  'bare undici loop',
  'curl -Z, 50 at once',
  'curl -Z, 128 at once',
  'aiohttp, 128 workers',
  'xargs -P 8 curl',
  'riskcli --jsonl',
  'riskcli -o x.csv',
];
const TIMED = PROGRAMS.map((what) => ({
  what,
  wallets: 50_000,
  seconds: [5, 10, 20],
  cpuSeconds: [2, 4, 60],
  wallRatios: [1],
  cpuRatios: [1],
}));
const TABLE = readmeTable(TIMED, { processor: 'A chip', cores: 2, node: '20.20.2' });

it('the table of yardsticks has the median, least and most of each program, and the machine', () => {
  expect(TABLE).toContain('| `aiohttp, 128 workers` | 5,000 (2,500 to 10,000) | 80 (40 to 1,200) | starts over |');
  expect(TABLE).toContain('Medians of 3 interleaved runs over 50,000 wallets');
  expect(TABLE).toContain('A chip, 2 cores, Node 20.20.2.');
  expect(TABLE).not.toContain('bare undici loop');
});

/** Without the figures, the count of wallets and the name of the machine. */
const shape = (table: string) =>
  table
    .replace(/[\d,]+ \([\d,]+ to [\d,]+\)/g, 'FIGURE')
    .replace(/over [\d,]+ wallets/, 'over COUNT wallets')
    .replace(/machine: .+$/, 'machine: MACHINE');

it('the table of yardsticks in the README has the form that the bench writes', () => {
  expect(shape(tableIn(readme))).toBe(shape(TABLE));
  expect(tableIn(withTable(readme, TABLE))).toBe(TABLE);
  expect(withTable(readme, tableIn(readme))).toBe(readme);
});

/**
 * Prints what the pacer makes of each limiter: `npm run bench:pacing [seeds] [part of a name]
 * [first seed]`.
 */
import { ALONE, meanOf, misses, PLANS, PROCESSES, RIVAL, type Row } from './figures.ts';

const [, , count = 15, wanted = '', first = 1] = process.argv;
const seeds = { count: Number(count), first: Number(first) };

const HEADS = ['plan', 'seconds', 'ideal', 'ratio', '429/1000', 'most/s', 'first', 'rival', 'in flight'];
const line = (name: string, cells: readonly string[]) =>
  `${name.padEnd(50)}${cells.map((cell) => cell.padStart(10)).join('')}`;
const seconds = (ms: number) => (ms / 1000).toFixed(1);

function printRow(row: Row): void {
  for (const [i, plan] of PLANS.entries()) {
    const figures = meanOf(row, plan, seeds);
    const cells = [
      `${plan.rate}/${plan.burst}`,
      seconds(figures.makespan),
      seconds(figures.ideal),
      (figures.makespan / figures.ideal).toFixed(3),
      figures.refusedPerThousand.toFixed(1),
      String(figures.mostPerSecond),
      seconds(figures.firstAnswer),
      row.extra.rival ? `${(100 * figures.rivalLoss).toFixed(1)}%` : '',
      String(figures.mostInFlight),
    ];
    const missed = misses(row, figures, i);
    console.log(line(i === 0 ? row.name : '', cells), missed.length > 0 ? `  MISSED: ${missed.join('; ')}` : '');
  }
}

console.log(line(`mean of ${seeds.count} runs, 2,000 wallets`, HEADS));
for (const row of [...ALONE, ...RIVAL, ...PROCESSES]) if (row.name.includes(wanted)) printRow(row);

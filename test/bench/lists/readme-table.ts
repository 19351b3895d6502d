/** The README's table of what others take for a list, and what they leave to whoever uses them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { path, type Timed } from './yardsticks.ts';

const BEGIN = '<!-- made by npm run bench:yardsticks 50000 1000 -- --readme -->';
const END = '<!-- end -->';

/** How a program ends and continues, and what it leaves behind: by the beginning of its name. */
const LEFT_TO_YOU: readonly (readonly [name: string, stop: string, limit: string, result: string])[] = [
  ['riskcli', 'the same command continues', 'is learned and kept', 'rows in input order, checked'],
  ['curl -Z', 'starts over', '429 is an answer like any other', 'answers in one file, in any order'],
  ['aiohttp', 'starts over', '429 is an exception', 'rows in any order'],
  ['xargs', 'starts over', '429 is an answer like any other', 'answers in one file, mixed'],
];

export function writeReadmeTable(timed: readonly Timed[]): void {
  const rows = timed.flatMap(({ what, wallets, seconds, cpuSeconds }) => {
    const left = LEFT_TO_YOU.find(([name]) => what.startsWith(name));
    if (!left) return [];
    const [, ...words] = left;
    const figures = [
      `\`${what}\``,
      grouped(Math.round(wallets / seconds)),
      `${Math.round((1e6 * cpuSeconds) / wallets)} µs`,
    ];
    return [`| ${[...figures, ...words].join(' | ')} |`];
  });
  const table = [
    '| program | wallets a second | CPU a wallet | after a stop | the rate limit | what you have |',
    '|---|---|---|---|---|---|',
    ...rows,
  ];
  const machine = `Medians of three interleaved runs over ${grouped(timed[0]?.wallets ?? 0)} wallets, the service (nginx) on the same machine: ${availableParallelism()} cores, Node ${process.versions.node}.`;
  const file = path('README.md');
  const text = readFileSync(file, 'utf8');
  const [before = '', rest = ''] = text.split(BEGIN);
  writeFileSync(file, `${before}${BEGIN}\n\n${table.join('\n')}\n\n${machine}\n\n${rest.slice(rest.indexOf(END))}`);
}

const grouped = (count: number) => count.toLocaleString('en');

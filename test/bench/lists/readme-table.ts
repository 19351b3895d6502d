/** The README's table of what others take for a list, and what they leave to whoever uses them. */
import { median, ROUNDS, type Timed } from './yardsticks.ts';

const BEGIN = '<!-- made by npm run bench:yardsticks 50000 1000 -- --readme -->';
const END = '<!-- end -->';

/** How a program ends and continues, and what it leaves behind: by the beginning of its name. */
const LEFT_TO_YOU: readonly (readonly [name: string, stop: string, limit: string, result: string])[] = [
  ['riskcli', 'the same command continues', 'is learned and kept', 'rows in input order, checked'],
  ['curl -Z', 'starts over', '429 is an answer like any other', 'answers in one file, in any order'],
  ['aiohttp', 'starts over', '429 is an exception', 'rows in any order'],
  ['xargs', 'starts over', '429 is an answer like any other', 'answers in one file, mixed'],
];

export interface Machine {
  /** As it calls itself. */
  readonly processor: string;
  readonly cores: number;
  /** Node's version. */
  readonly node: string;
}

/** The table and what it was measured on, in Markdown. */
export function readmeTable(timed: readonly Timed[], { processor, cores, node }: Machine): string {
  const rows = timed.flatMap(({ what, wallets, seconds, cpuSeconds }) => {
    const left = LEFT_TO_YOU.find(([name]) => what.startsWith(name));
    if (!left) return [];
    const [, ...words] = left;
    // The fastest round has the fewest seconds.
    const perSecond = [...seconds].reverse().map((each) => wallets / each);
    const microseconds = cpuSeconds.map((each) => (1e6 * each) / wallets);
    return [`| ${[`\`${what}\``, withSpread(perSecond), withSpread(microseconds), ...words].join(' | ')} |`];
  });
  const wallets = grouped(timed[0]?.wallets ?? 0);
  return [
    '| program | wallets a second | CPU a wallet, µs | after a stop | the rate limit | what you have |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    `Medians of ${ROUNDS} interleaved runs over ${wallets} wallets, with the least and the most; the service (nginx) on the same machine: ${processor}, ${cores} cores, Node ${node}.`,
  ].join('\n');
}

/** `readme` with `table` in the place of its own. */
export function withTable(readme: string, table: string): string {
  const [before = '', rest = ''] = readme.split(BEGIN);
  return `${before}${BEGIN}\n\n${table}\n\n${rest.slice(rest.indexOf(END))}`;
}

/** What stands in `readme` now. */
export function tableIn(readme: string): string {
  const [, rest = ''] = readme.split(BEGIN);
  return rest.slice(0, rest.indexOf(END)).trim();
}

function withSpread(sorted: readonly number[]): string {
  const [least = Number.NaN, most = Number.NaN] = [sorted[0], sorted.at(-1)];
  return `${grouped(median(sorted))} (${grouped(least)} to ${grouped(most)})`;
}

const grouped = (count: number) => Math.round(count).toLocaleString('en');

/**
 * A report as Markdown, for pull requests and chats: the page's figures, with bars of text. Foreign text is put in code spans, where
 * nothing is a link, a mention or markup.
 */
import { visible } from '../../text/escape.ts';
import { counted, grouped } from '../../text/words.ts';
import { roundedDollars } from '../value-text.ts';
import { fullOf, minuteOf, percent, rangeText } from './amounts.ts';
import type { Changes, Flow, Move } from './figures/changes.ts';
import type { Figures } from './figures/collect.ts';
import type { RowGroup } from './figures/groups.ts';
import { MEASURES, quantiles } from './figures/measures.ts';
import { shareName } from './figures/shares.ts';
import { keyFigures } from './headline.ts';
import type { Measure, PageRow } from './page-data.ts';
import { chartedOf, type Distribution, type Report, stabilityOf } from './report.ts';
import { groupNames, movesTitle, stabilityText, storyText, transitionText, valueText } from './statement.ts';

/** Matched rows listed at most. */
const MAX_MATCHES = 10;

export function* markdownPieces(report: Report): Generator<string> {
  const { origin, figures } = report;
  yield `# ${inline(origin.title)}\n\n`;
  yield `${counted(figures.rows, 'row')} of ${code(origin.source)}${storyText(figures)}\n`;
  yield keyText(report);
  yield rulesText(report);
  yield groupsText(figures);
  if (report.changes) yield changesText(report, report.changes);
  yield sharesText(figures);
  for (const distribution of chartedOf(report)) yield distributionText(distribution);
  yield `\nMade ${minuteOf(origin.madeAt)} with riskcli ${origin.version}: ${code(origin.command)}\n`;
}

function keyText(report: Report): string {
  if (report.figures.rows === 0) return '';
  const figures = keyFigures(report);
  const heads = figures.map(({ name }) => name);
  return `\n${table(heads, [figures.map(({ value, note }) => `**${value}** (${note})`)])}`;
}

/** A code span (CommonMark, 6.1) that is valid inside a table; its fence is longer than any run of backticks in it. */
function code(text: string): string {
  const safe = visible(text).replaceAll('|', '\\|');
  if (safe.trim() === '') return '';
  const longest = Math.max(0, ...[...safe.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = longest > 0 ? ' ' : '';
  return `${fence}${space}${safe}${space}${fence}`;
}

/** Text outside code spans; escapes markup, links and mentions (CommonMark, 2.4; GitHub's autolinks). */
const inline = (text: string) => visible(text).replace(/[\\`*_{}[\]<>&#|~!@]|:(?=\/\/)|(?<=www)\./gi, '\\$&');

/** @param texts number of left-aligned columns; the rest are right-aligned */
function table(head: readonly string[], rows: readonly (readonly string[])[], texts = 1): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const rule = head.map((_, i) => (i < texts ? '---' : '---:'));
  return line(head) + line(rule) + rows.map(line).join('');
}

function rulesText(report: Report): string {
  const { rules, rows } = report.figures;
  if (rules.length === 0) return '';
  const lines = rules.map(({ name, matched, unjudged, excused }) => [
    code(name),
    ...[matched, unjudged, excused].map((count) => grouped(count)),
    percent(matched, rows),
  ]);
  const head = ['rule', 'rows', 'not judged', 'excused', 'share'];
  return `\n## What matched\n${worstText(report)}\n${table(head, lines)}`;
}

/** The matched rows, worst first. */
function worstText({ worst, kept, figures }: Report): string {
  if (worst.length === 0) return '';
  const { rules, marked, shares, level } = figures;
  const rows = worst.slice(0, MAX_MATCHES).flatMap((index) => kept[index]?.row ?? []);
  const share = level === undefined ? undefined : shares[level];
  const levelOf = ({ shares: numbers }: PageRow) => share?.values[numbers?.[level ?? -1] ?? -1]?.text ?? '';
  const hasLabels = rows.some(({ label }) => label !== undefined);
  const lines = rows.map((row) => [
    ...(hasLabels ? [code(row.label ?? '')] : []),
    code(row.wallet),
    ...(share ? [code(levelOf(row))] : []),
    (row.matched ?? []).map((rule) => code(rules[rule]?.name ?? '')).join(', '),
    code(row.score ?? ''),
    code(centsText(row.collateral)),
  ]);
  const texts = [
    ...(hasLabels ? [code(figures.label ?? '')] : []),
    'wallet',
    ...(share ? [code(String(share.path.at(-1)))] : []),
    'rules',
  ];
  const left = marked.matched - lines.length;
  const more = left > 0 ? `\n… and ${grouped(left)} more.\n` : '';
  return `\n${table([...texts, 'score', 'collateral'], lines, texts.length)}${more}`;
}

const centsText = (amount: string | undefined) =>
  amount === undefined ? '' : roundedDollars({ kind: 'string', value: amount });

function changesText(report: Report, { baseline, counts, moves, transitions, flows }: Changes): string {
  const { changed, added, removed, same } = counts;
  const summary = `${grouped(changed)} changed, ${grouped(added)} added, ${grouped(removed)} removed, ${grouped(same)} same`;
  const tables = moves.flatMap(({ measure, rises, falls }) => [
    movesText(movesTitle(measure, 'rises'), measure, rises),
    movesText(movesTitle(measure, 'falls'), measure, falls),
  ]);
  const psi = stabilityOf(report);
  const texts = [...(psi === undefined ? [] : [stabilityText(psi)]), ...transitions.map(transitionText)];
  const notes = texts.map((text) => `\n${inline(text)}\n`);
  return `\n## What changed\n\nAgainst ${code(baseline)}: ${summary}.\n${notes.join('')}${flows.map(flowText).join('')}${tables.join('')}`;
}

/** Pairs listed per field at most. */
const MAX_PAIRS = 20;

function flowText({ field, pairs }: Flow): string {
  const lines = pairs
    .slice(0, MAX_PAIRS)
    .map(({ from, to, wallets }) => [`${code(valueText(from))} → ${code(valueText(to))}`, grouped(wallets)]);
  return `\n${table([code(field), 'wallets'], lines)}`;
}

const MAX_GROUPS = 50;

function groupsText({ groups, rows }: Figures): string {
  if (!groups) return '';
  const line = (group: RowGroup, name: string) => [
    code(name),
    grouped(group.rows),
    percent(group.rows, rows),
    grouped(group.matched),
    ...MEASURES.map((measure) => {
      const summary = group.summaries[measure];
      return summary ? fullOf(measure, summary.median) : '';
    }),
  ];
  const lines = [
    ...groups.groups.slice(0, MAX_GROUPS).map((group) => line(group, groupNames.of(group))),
    ...(groups.others ? [line(groups.others, groupNames.others)] : []),
  ];
  const left = groups.groups.length - MAX_GROUPS;
  const head = [code(groups.field), 'rows', 'share', 'matched', 'median score', 'median collateral'];
  return `\n## By ${code(groups.field)}\n\n${table(head, lines)}${left > 0 ? `\n… and ${grouped(left)} more.\n` : ''}`;
}

function movesText(title: string, measure: Measure, moves: readonly Move[]): string {
  if (moves.length === 0) return '';
  const shown = (amount: string) => (measure === 'collateral' ? centsText(amount) : amount);
  const hasLabels = moves.some(({ label }) => label !== undefined);
  const lines = moves.map(({ wallet, label, old, new: current, delta }) =>
    [...(hasLabels ? [label ?? ''] : []), wallet, ...[old, current, delta].map(shown)].map(code),
  );
  const texts = hasLabels ? [title, 'wallet'] : [title];
  return `\n${table([...texts, 'was', 'is', 'change'], lines, texts.length)}`;
}

/** Length of the longest bar, in characters. */
const MAX_BAR_WIDTH = 40;

function distributionText({ measure, summary, bins }: Distribution): string {
  const highest = Math.max(1, ...bins.map(({ count }) => count));
  const names = bins.map((bin) => rangeText(measure, bin));
  const width = Math.max(...names.map(({ length }) => length));
  const counts = bins.map(({ count }) => grouped(count));
  const room = Math.max(...counts.map(({ length }) => length));
  const bars = bins.map(({ count }, i) => {
    const length = count === 0 ? 0 : Math.max(1, Math.round((MAX_BAR_WIDTH * count) / highest));
    return `${(names[i] ?? '').padStart(width)}  ${(counts[i] ?? '').padStart(room)}  ${'█'.repeat(length)}`.trimEnd();
  });
  const named = quantiles(summary);
  const [heads, values] = [named.map(([name]) => name), named.map(([, value]) => fullOf(measure, value))];
  return (
    `\n## ${measure === 'score' ? 'Score' : 'Collateral'}\n\n` +
    `${table(heads, [values])}\n` +
    `\`\`\`text\n${bars.join('\n')}\n\`\`\`\n`
  );
}

function sharesText({ shares }: Figures): string {
  if (shares.length === 0) return '';
  const tables = shares.map(({ path, values }) => {
    const total = values.reduce((sum, { count }) => sum + count, 0);
    const lines = values.map(({ text, count }) => [code(text), grouped(count), percent(count, total)]);
    return `\n${table([code(shareName(path)), 'rows', 'share'], lines)}`;
  });
  return `\n## Breakdown by field\n${tables.join('')}`;
}

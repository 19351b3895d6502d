/** Makes a report of a file of rows, and writes it: for `report`, and for the page of a review. */
import { basename, dirname, resolve } from 'node:path';
import type { Context } from '../../context.ts';
import type { Path } from '../../document/path.ts';
import { openTarget } from '../../files/target.ts';
import { growHeapSlowly } from '../../host/engine.ts';
import { SANDBOX_BASE_URL } from '../../journal/journal.ts';
import { type Review, readReview } from '../../review/read-review.ts';
import type { Row } from '../../row/row.ts';
import { openRun, openRunFile, SILENT } from '../../runs/open-run.ts';
import type { ReviewHeader } from '../../runs/review-lines.ts';
import { USUAL_COLUMNS } from '../../runs/run.ts';
import { commandLine, visibleName } from '../../secrets/redact.ts';
import { isoDay, timeIn } from '../../text/when.ts';
import { VERSION } from '../../version.ts';
import { fullDay, sectionTitle } from '../review/letter.ts';
import { sayWritten } from '../say-written.ts';
import type { ColorChoice } from '../terminal/color.ts';
import { paged } from '../terminal/paged.ts';
import { showReading } from '../terminal/progress.ts';
import { terminalOf, terminalOrPipe } from '../terminal/terminal-of.ts';
import { createCollector, type Figures } from './figures.ts';
import type { RowSection } from './page-rows.ts';
import type { Origin, Report } from './report.ts';

export interface ReportOptions {
  /** A path, or `-` for standard input. */
  readonly file: string;
  readonly format: 'table' | 'json' | 'html';
  readonly output: string | undefined;
  /** The words of the command line after `riskcli`. */
  readonly words: readonly string[];
  /** --label: the column that holds the labels. */
  readonly label?: string | undefined;
  /** The setting `score`. */
  readonly scorePath?: Path | undefined;
  /** The review in the file, if it is known to be a kept one. */
  readonly review?: Review | undefined;
  readonly color?: ColorChoice | undefined;
  readonly mayPrompt?: boolean;
}

export async function writeReport(options: ReportOptions, context: Context): Promise<void> {
  const { file, format, output, color, mayPrompt = false } = options;
  const target = await openTarget({ output, forbidden: [file] }, context);
  try {
    const report = await readReport(options, context);
    // Each format is loaded when it is asked for.
    if (format === 'html') {
      const { pagePieces } = await import('./page/page.ts');
      for (const piece of pagePieces(report)) {
        context.signal().throwIfAborted();
        await target.write(piece);
      }
    } else if (format === 'json') {
      const { documentText } = await import('./document.ts');
      await target.write(documentText(report));
    } else {
      const { summaryText } = await import('./summary.ts');
      const text = await summaryText(report, terminalOrPipe({ output, color }, context));
      const mayWait = mayPrompt && terminalOf({ output, color }, context) !== undefined;
      for await (const block of paged([text], { context, mayWait })) await target.write(block);
    }
    await target.commit();
    sayWritten(output, context);
  } finally {
    await target.discard();
  }
}

async function readReport(options: ReportOptions, context: Context): Promise<Report> {
  const { file, format, label, scorePath } = options;
  // It remembers every wallet.
  growHeapSlowly();
  // A review is read twice, for its sections and for its rows.
  const plain = await openRunFile(file, context);
  try {
    // Of a review that was read already, damage was reported then.
    const report = options.review ? SILENT : context.report;
    const inspects = options.review === undefined;
    const run = await openRun(plain, { host: context, scorePath, report, needs: USUAL_COLUMNS, inspects });
    const { review: header, inspection } = run;
    let { review } = options;
    // Of a torn one, there is none.
    if (format === 'html' && header && inspection?.end) {
      const { end, change } = inspection;
      const found = { name: basename(file), path: file, started: header.started };
      review = await readReview({ plain, header, end, file: found, isModified: change !== undefined }, context);
    }
    const collector = createCollector({
      rules: header?.rules ?? [],
      label: label ?? header?.labelColumn,
      hasCards: format === 'html',
      ...(review && { sectionOf: sectionFinder(review) }),
    });
    const progress = showReading(context);
    try {
      for await (const row of run.rows) {
        context.signal().throwIfAborted();
        collector.add(row);
        progress.row();
      }
    } finally {
      progress.done();
    }
    const collected = collector.end();
    const origin = reportOrigin(header, collected.figures, options, context);
    return { ...collected, origin, isReview: header !== undefined, ...(review && { review }) };
  } finally {
    plain.close();
  }
}

function reportOrigin(
  header: ReviewHeader | undefined,
  { newest }: Figures,
  { file, words }: ReportOptions,
  context: Context,
): Origin {
  const source = file === '-' ? 'standard input' : visibleName(basename(file));
  const name = header ? visibleName(header.list.name || basename(dirname(resolve(file)))) : source;
  const at = header ? header.started : timeIn(newest ?? '');
  return {
    title: [name, ...(Number.isNaN(at) ? [] : [fullDay(isoDay(at))])].join(', '),
    isSandbox: header?.baseUrl === SANDBOX_BASE_URL,
    source,
    madeAt: new Date(context.now()).toISOString(),
    version: VERSION,
    command: commandLine(['riskcli', ...words], context.platform),
  };
}

/** The section of a row is the section of its wallet. */
function sectionFinder({ sections }: Review): (row: Row) => RowSection | undefined {
  const keyOf = ({ wallet, line }: { readonly wallet?: string | undefined; readonly line?: number | undefined }) =>
    wallet?.toLowerCase() ?? `line ${line}`;
  const byWallet = new Map(
    sections.flatMap(({ name, wallets }, place) =>
      wallets.map((wallet) => [keyOf(wallet), { name: sectionTitle(name), place }]),
    ),
  );
  return (row) => byWallet.get(keyOf(row));
}

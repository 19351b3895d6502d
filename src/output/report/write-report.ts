/** Makes a report of a file of rows, and writes it: for `report`, and for the page of a review. */
import { basename, dirname, resolve } from 'node:path';
import type { Context } from '../../context.ts';
import type { Path } from '../../document/path.ts';
import { openTarget, type Target } from '../../files/target.ts';
import { growHeapSlowly } from '../../host/engine.ts';
import { SANDBOX_BASE } from '../../journal/journal.ts';
import type { PlainFile } from '../../lists/plain-file.ts';
import { rebuildReview } from '../../review/rebuild.ts';
import type { Review } from '../../review/review.ts';
import { walletKey } from '../../review/wallet-facts.ts';
import type { Row } from '../../row/row.ts';
import { openRun, openRunFile, SILENT } from '../../runs/open-run.ts';
import { keptFiles } from '../../runs/review-folder.ts';
import type { ReviewHeader } from '../../runs/review-lines.ts';
import { USUAL_COLUMNS } from '../../runs/run.ts';
import { commandLine, visibleName } from '../../secrets/redact.ts';
import { timeIn } from '../../text/when.ts';
import { VERSION } from '../../version.ts';
import { listName, partsOf } from '../review/letter.ts';
import { dayOf } from '../review/wallet-words.ts';
import { sayWritten } from '../say-written.ts';
import type { ColorChoice } from '../terminal/color.ts';
import { paged } from '../terminal/paged.ts';
import { showReading } from '../terminal/progress.ts';
import { terminalOf, terminalOrPipe } from '../terminal/terminal-of.ts';
import { createCollector } from './figures.ts';
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
  const { file, output } = options;
  const target = await openTarget({ output, forbidden: [file] }, context);
  try {
    await writePage(target, await readReport(options, context), { ...options, context });
    await target.commit();
    sayWritten(output, context);
  } finally {
    await target.discard();
  }
}

/** Each format is loaded when it is asked for. */
async function writePage(
  target: Target,
  report: Report,
  { format, output, color, mayPrompt = false, context }: ReportOptions & { readonly context: Context },
): Promise<void> {
  if (format === 'html') {
    const { pagePieces } = await import('./page/page.ts');
    for (const piece of pagePieces(report)) {
      context.signal().throwIfAborted();
      await target.write(piece);
    }
    return;
  }
  if (format === 'json') {
    const { documentText } = await import('./document.ts');
    return target.write(documentText(report));
  }
  const { summaryText } = await import('./summary.ts');
  const text = await summaryText(report, terminalOrPipe({ output, color }, context));
  const mayWait = mayPrompt && terminalOf({ output, color }, context) !== undefined;
  for await (const block of paged([text], { context, mayWait })) await target.write(block);
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
    const run = await openRun(plain, { host: context, scorePath, report, needs: USUAL_COLUMNS });
    const header = run.review;
    const review = options.review ?? (header && (await reviewIn(plain, options, context)));
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
    const origin = reportOrigin({ header, newest: collected.figures.newest }, options, context);
    return { ...collected, origin, ...(review && { review }) };
  } finally {
    plain.close();
  }
}

/** The review in a kept file, for its page. */
async function reviewIn(plain: PlainFile, { file, format }: ReportOptions, context: Context) {
  if (format !== 'html') return undefined;
  const files = file === '-' ? [] : keptFiles(dirname(file)).filter(({ name }) => name !== basename(file));
  const kept = await rebuildReview(plain, { context, report: SILENT, files, folder: runFolder(file) });
  return kept?.review;
}

/** A list from standard input has no name: it is known by the folder of its reviews. */
const runFolder = (file: string) => (file === '-' ? undefined : basename(dirname(resolve(file))));

interface Dated {
  readonly header: ReviewHeader | undefined;
  /** When the newest answer came, ISO 8601 UTC. */
  readonly newest: string | undefined;
}

function reportOrigin({ header, newest }: Dated, { file, words }: ReportOptions, context: Context): Origin {
  const source = file === '-' ? 'standard input' : visibleName(basename(file));
  const name = header ? visibleName(listName({ list: header.list, folder: runFolder(file) })) : source;
  const at = header ? header.begun : timeIn(newest ?? '');
  return {
    title: [name, ...(Number.isNaN(at) ? [] : [dayOf(at)])].join(', '),
    isSandbox: header?.baseUrl === SANDBOX_BASE,
    source,
    madeAt: new Date(context.now()).toISOString(),
    version: VERSION,
    command: commandLine(['riskcli', ...words], context.platform),
  };
}

/** The section of a row is the section of its wallet. */
function sectionFinder(review: Review): (row: Row) => RowSection | undefined {
  const sections = new Map(
    partsOf(review).flatMap(({ name, wallets }, place) => wallets.map((facts) => [walletKey(facts), { name, place }])),
  );
  return (row) => sections.get(walletKey(row));
}

/** `--dry-run`: what a list would cost. Sends nothing and needs no key. */
import { existsSync } from 'node:fs';
import { writeAll } from '../files/stream.ts';
import { isTable } from '../lists/list.ts';
import { remarkText } from '../lists/remarks.ts';
import { type AskedFormat, chooseFormat } from '../output/choose-format.ts';
import { renderRecords } from '../output/records.ts';
import type { ColorChoice } from '../output/terminal/color.ts';
import { terminalOf } from '../output/terminal/terminal-of.ts';
import type { PathChecker } from '../paths/path-checker.ts';
import { RECORD_FORMATS } from '../row/formats.ts';
import { inputText } from '../row/row.ts';
import { quoted } from '../secrets/redact.ts';
import { monthlyUse, rememberedLimit } from '../session/key-state.ts';
import type { ResolvedRun } from '../settings/resolve.ts';
import { formatDuration } from '../settings/typed-values.ts';
import { timeLeft } from '../text/words.ts';
import { readAnswers, refuseStale } from './answers.ts';
import type { ListInput } from './input.ts';
import type { JournalUse } from './journal-use.ts';
import { countList, type Forecast, forecast, type KnownAnswers } from './plan.ts';
import { openListRecords } from './run-list.ts';

export interface DryRun extends ResolvedRun {
  readonly input: ListInput;
  readonly journal: JournalUse | undefined;
  readonly paths: PathChecker;
  readonly options: AskedFormat & { readonly color: ColorChoice | undefined; readonly rate?: number | undefined };
}

const DRY_RUN_FORMATS = [...RECORD_FORMATS, 'jsonl'] as const;

export async function dryRun(run: DryRun): Promise<undefined> {
  const { options, settings, context, input, paths } = run;
  const { records, head, first } = await openListRecords(input);
  paths.checkColumns({ isTable: isTable(head), first });
  const counts = await countList(records, { known: await knownAnswers(run), signal: context.signal() });
  refuseStale(counts.stale, run.journal, run);
  const key = settings.isSandbox ? undefined : await settings.describeKey();
  const rates = [options.rate, key && rememberedLimit(run, key)].filter((rate) => rate !== undefined);
  const plan = forecast(counts, {
    perSecond: rates.length > 0 ? Math.min(...rates) : undefined,
    monthly: key && monthlyUse(run, key),
  });
  const format = chooseFormat(options, { choices: DRY_RUN_FORMATS, ignoreName: true });
  const isForPerson = format === 'table' && context.stdout.isTTY;
  const remarks = input.remarks()?.filter(({ audience }) => audience !== 'log') ?? [];
  const notes = remarks.map(remarkText).join('. ');
  const shown = isForPerson ? forPerson(plan, notes) : forProgram(plan, notes, run.journal?.seed !== undefined);
  const terminal = terminalOf({ color: options.color }, context);
  await writeAll(context.stdout, await renderRecords([shown], { format, terminal, single: true }));
}

async function knownAnswers(run: DryRun): Promise<KnownAnswers> {
  const { journal } = run;
  // The base URL of a journal matters only once there is a journal.
  const kept = journal && existsSync(journal.path) ? await readAnswers(journal, run) : undefined;
  const { ids, stale } = kept ?? { ids: new Set<string>(), stale: new Map<string, number>() };
  const reviewed = new Set<string>();
  const isReviewed = (id: string) => reviewed.has(id);
  const has = (id: string) => ids.has(id) || isReviewed(id);
  await journal?.seed?.({ has, append: (id) => void reviewed.add(id) });
  return { has, isReviewed, stale };
}

/** The same as forProgram(), for a person. */
function forPerson(plan: Forecast, notes: string) {
  const { rows, invalid, wallets, known, reviewed, requests, monthlyLeft, fits, perSecond, isAssumed, durationMs } =
    plan;
  return {
    rows,
    ...(invalid > 0 && { 'not wallets': invalid, 'the first of them': firstOf(plan) }),
    ...(notes && { notes }),
    'distinct wallets': wallets,
    ...(known > 0 && { 'known from the journal': known }),
    ...(reviewed > 0 && { 'known from the last review': reviewed }),
    'requests needed': requests,
    'left this month': monthlyLeft ?? 'unknown (set monthly-requests)',
    ...(fits !== undefined && { 'fits this month': fits ? 'yes' : 'no' }),
    rate: isAssumed ? 'not known yet: it is learned from the answers' : `${perSecond} a second`,
    'will take': `about ${timeLeft(durationMs)}`,
  };
}

/** `line 3: 'nope': ...; line 7: ...` */
const firstOf = ({ notWallets }: Forecast): string =>
  notWallets
    .map(
      ({ line, input, wallet }) => `line ${line}: ${quoted(inputText(input))}${wallet.ok ? '' : `: ${wallet.message}`}`,
    )
    .join('; ');

function forProgram(plan: Forecast, notes: string, isReview: boolean) {
  return {
    rows: plan.rows,
    not_wallets: plan.invalid,
    first_not_wallets: firstOf(plan) || null,
    list_notes: notes || null,
    distinct_wallets: plan.wallets,
    known_from_journal: plan.known,
    ...(isReview && { known_from_review: plan.reviewed }),
    requests_needed: plan.requests,
    requests_left_this_month: plan.monthlyLeft ?? null,
    fits: plan.fits ?? null,
    requests_per_second: plan.perSecond,
    rate_is_assumed: plan.isAssumed,
    takes: formatDuration(Math.ceil(plan.durationMs / 1000) * 1000),
  };
}

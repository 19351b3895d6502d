/** `riskcli profile <wallet>`: one request, one document, in the form asked for. */
import { RefusedError } from '../../errors.ts';
import { checkTarget, openTarget, type TargetOptions } from '../../files/target.ts';
import { yieldToEvents } from '../../host/clock.ts';
import { createBudget } from '../../list-run/budget.ts';
import { checkWallet } from '../../lists/check-wallet.ts';
import { listRows } from '../../output/list/list-rows.ts';
import { renderOne } from '../../output/one.ts';
import { openRows } from '../../output/rows/open-rows.ts';
import { sayWritten } from '../../output/say-written.ts';
import { paged } from '../../output/terminal/paged.ts';
import { terminalOf } from '../../output/terminal/terminal-of.ts';
import { answeredRow, failedRow } from '../../row/make-row.ts';
import type { Row } from '../../row/row.ts';
import { reportCandidates } from '../../row/score.ts';
import type { ColumnSelection } from '../../rules/row-columns.ts';
import { RowJudge } from '../../rules/row-judge.ts';
import { openSession } from '../../session/open-session.ts';
import type { Wallet } from '../../wallet/address.ts';
import { type ProfileOptions, type ProfileRun, profileRunFacts } from './profile-options.ts';

export async function profileOne(text: string, run: ProfileRun): Promise<undefined> {
  const { options, context } = run;
  const wallet = await checkWallet(text, options);
  const rows = asksForValues(options) ? new RowJudge(options, context) : undefined;
  const forbidden = options.policy === undefined ? [] : [options.policy];
  const target = { output: options.output, forbidden };
  await checkTarget(target, context);
  const answer = await requestProfile(wallet, run).catch((error: unknown) => {
    if (!(error instanceof RefusedError)) throw error;
    throw rows?.refusedError(error, failedRow(walletOrigin(wallet), wallet), wallet) ?? error;
  });
  reportCandidates(answer, { setting: run.settings.get('score').value, report: context.report });
  await writeAnswer(rows?.judge(answer) ?? answer, { ...run, columns: rows?.columns ?? options.selection, target });
  rows?.conclude(wallet);
}

/** Whether values of the answer are judged or picked. */
const asksForValues = ({ rules, exceptions, selection }: ProfileOptions) =>
  rules.length > 0 || exceptions !== undefined || selection.fields !== undefined;

interface Writing extends ProfileRun {
  readonly columns: ColumnSelection;
  readonly target: TargetOptions;
}

async function writeAnswer(row: Row, writing: Writing): Promise<void> {
  const { options, context, columns, target } = writing;
  const { format } = options;
  if (format === 'json' || format === 'table') return writeDocument(row, format, writing);
  const terminal = terminalOf(options, context);
  const sink = await openRows(listRows(columns), {
    ...target,
    format,
    terminal,
    rows: 1,
    run: profileRunFacts(writing),
    context,
  });
  try {
    await sink.row(row);
    await sink.end({ counts: { [row.status]: 1 } });
  } finally {
    await sink.close();
  }
}

async function writeDocument(row: Row, format: 'json' | 'table', writing: Writing): Promise<void> {
  const { options, settings, context, columns, target: where } = writing;
  const terminal = terminalOf(options, context);
  const scorePath = settings.get('score').value;
  const blocks = renderOne(row, { format, scorePath, isSandbox: settings.isSandbox, ...columns, terminal });
  const mayWait = options.mayPrompt && terminal !== undefined && format === 'table';
  const target = await openTarget(where, context);
  try {
    for await (const block of paged(blocks, { context, mayWait })) {
      await target.write(block);
      // Signals are handled only between turns of the event loop.
      await yieldToEvents(context.signal());
    }
    await target.commit();
    sayWritten(where.output, context);
  } finally {
    target.discard();
  }
}

/** A wallet given as an argument: line 1 of a list of one. */
const walletOrigin = ({ address }: Wallet) => ({ line: 1, input: address });

async function requestProfile(wallet: Wallet, run: ProfileRun): Promise<Row> {
  const { options, settings, context } = run;
  const { maxRequests, rate, concurrency } = options;
  const budget = createBudget(maxRequests);
  // Read before the request, so that a wrong setting costs nothing.
  const scorePath = settings.get('score').value;
  const session = await openSession(run, {
    sendsKey: true,
    pacer: { rate, concurrency },
    beforeSend: budget.spend,
  });
  try {
    const { document, answeredAt } = await session.client.profile(wallet.address, { signal: context.signal() });
    return answeredRow(walletOrigin(wallet), { wallet, document, answeredAt, scorePath });
  } finally {
    await session.close();
  }
}

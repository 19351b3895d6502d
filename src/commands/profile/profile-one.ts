/** `riskcli profile <wallet>`: one request, one document, in the form asked for. */
import { RefusedError } from '../../errors.ts';
import { openTarget, type Target } from '../../files/target.ts';
import { takeTurn } from '../../host/clock.ts';
import { createBudget } from '../../list-run/budget.ts';
import { checkWallet } from '../../lists/check-wallet.ts';
import { sayWritten } from '../../output/deliver.ts';
import { renderOne } from '../../output/one.ts';
import { paged } from '../../output/terminal/paged.ts';
import { terminalOf } from '../../output/terminal/terminal-of.ts';
import { judgeRows } from '../../row/judged-rows.ts';
import { answeredRow, failedRow } from '../../row/make-row.ts';
import type { Row } from '../../row/row.ts';
import type { ColumnSelection } from '../../row/row-columns.ts';
import { reportCandidates } from '../../row/score.ts';
import { openSession } from '../../session/open-session.ts';
import type { Wallet } from '../../wallet/address.ts';
import type { ProfileOptions, ProfileRun } from './profile-options.ts';

export async function profileOne(text: string, run: ProfileRun): Promise<undefined> {
  const { options, context } = run;
  const wallet = await checkWallet(text, options);
  const rows = asksForValues(options) ? judgeRows(options, context) : undefined;
  const forbidden = options.policy === undefined ? [] : [options.policy];
  const { output } = options;
  const target = await openTarget({ output, forbidden }, context);
  try {
    const answer = await ask(wallet, run).catch((error: unknown) => {
      if (!(error instanceof RefusedError)) throw error;
      throw rows?.refused(error, failedRow(originOf(wallet), wallet), wallet) ?? error;
    });
    reportCandidates(answer, { setting: run.settings.get('score').value, report: context.report });
    const row = rows?.evaluate(answer) ?? answer;
    await writeRow(row, target, { ...run, columns: rows?.columns ?? options.selection });
    await target.commit();
    sayWritten(output, context);
    rows?.conclude(wallet);
  } finally {
    await target.discard();
  }
}

/** Whether values of the answer are judged or picked. */
const asksForValues = ({ rules, exceptions, selection }: ProfileOptions) =>
  rules.length > 0 || exceptions !== undefined || selection.fields !== undefined;

async function writeRow(
  row: Row,
  target: Target,
  { options, settings, context, columns }: ProfileRun & { readonly columns: ColumnSelection },
): Promise<void> {
  const { format, mayPrompt } = options;
  const terminal = terminalOf(options, context);
  const [scorePath, { isSandbox }] = [settings.get('score').value, settings];
  const blocks = renderOne(row, { format, scorePath, isSandbox, ...columns, terminal });
  const mayWait = mayPrompt && terminal !== undefined && format === 'table';
  for await (const block of paged(blocks, { context, mayWait })) {
    await target.write(block);
    // Signals are handled only between turns of the event loop.
    await takeTurn(context.signal());
  }
}

/** A wallet given as an argument: line 1 of a list of one. */
const originOf = ({ address }: Wallet) => ({ line: 1, input: address });

async function ask(wallet: Wallet, run: ProfileRun): Promise<Row> {
  const { options, settings, context } = run;
  const { maxRequests, rate, concurrency } = options;
  const budget = createBudget(maxRequests);
  // Read before the request, so that a wrong setting costs nothing.
  const scorePath = settings.get('score').value;
  const session = await openSession(run, {
    key: settings.resolveKey,
    pacer: { rate, concurrency },
    beforeSend: budget.spend,
  });
  try {
    const { document, answeredAt } = await session.client.profile(wallet.address, { signal: context.signal() });
    return answeredRow(originOf(wallet), { wallet, document, answeredAt, scorePath });
  } finally {
    await session.close();
  }
}

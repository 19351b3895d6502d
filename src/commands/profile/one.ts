/** `riskcli profile <wallet>`: one request, one document, in the form asked for. */
import { createBudget } from '../../batch/budget.ts';
import { isReport } from '../../cli/formats.ts';
import { type FindingError, RefusedError, UsageError } from '../../errors.ts';
import { writeAll } from '../../files/stream.ts';
import type { Target } from '../../files/target.ts';
import { commitTargets, discardTargets, openTargets } from '../../files/targets.ts';
import { takeTurn } from '../../host/clock.ts';
import { renderOne } from '../../output/one.ts';
import { paged } from '../../output/terminal/paged.ts';
import { answeredRow, failedRow } from '../../row/make-row.ts';
import { type Matches, matchedError, matchedHint } from '../../row/matches.ts';
import type { Row } from '../../row/row.ts';
import { isAlarm } from '../../row/rule-counts.ts';
import { noteCandidates } from '../../row/score.ts';
import { profileAddresses } from '../../service/contract.ts';
import { curlLine } from '../../service/curl.ts';
import { openSession } from '../../session/open-session.ts';
import type { Wallet } from '../../wallet/address.ts';
import { checkWallet } from '../shared/check-wallet.ts';
import { judgeRows, walletSummary } from '../shared/judged-rows.ts';
import { sayWritten } from '../shared/say-written.ts';
import type { View } from '../shared/view.ts';
import type { ProfileRun } from './options.ts';

export async function profileOne(text: string, run: ProfileRun): Promise<undefined> {
  const { options, context } = run;
  const wallet = await checkWallet(text, options);
  const rows = judgeRows(options, context);
  const { matches } = rows;
  const forbidden = options.policy === undefined ? [] : [options.policy];
  const outputs = options.outputs.map(({ path }) => path);
  const targets = await openTargets({ outputs, forbidden }, context);
  try {
    const answer = await ask(wallet, run).catch((error: unknown) => {
      throw refusedMatch(error, wallet, matches) ?? error;
    });
    noteCandidates(answer, context.report);
    const row = rows.evaluate(answer);
    for (const target of targets) await writeRow(row, target, { ...run, view: rows.view });
    await commitTargets(targets);
    for (const output of outputs) sayWritten(output, context);
    rows.conclude(wallet);
  } finally {
    await discardTargets(targets);
  }
}

async function writeRow(
  row: Row,
  target: Target,
  { options, settings, context, view }: ProfileRun & { readonly view: View },
): Promise<void> {
  const { outputs, header, mayWait } = options;
  const format = outputs.find(({ path }) => path === target.output)?.format ?? 'table';
  if (isReport(format)) throw new TypeError('a report is of a list');
  const terminal = target.output === '-' ? view.terminal : undefined;
  const blocks = renderOne(row, { format, header, scorePath: settings.score.value, ...view, terminal });
  for await (const block of terminal && format === 'table' ? paged(blocks, { context, mayWait }) : blocks) {
    await target.write(block);
    // What is written at once leaves no turn in which a signal could be heard.
    await takeTurn(context.signal());
  }
}

/** Refused for good is the answer that there will be, and unknown is not safe. Undefined when nothing matches. */
function refusedMatch(error: unknown, wallet: Wallet, matches: Matches): FindingError | undefined {
  if (!(error instanceof RefusedError)) return undefined;
  matches.evaluate(failedRow(originOf(wallet), wallet));
  if (!isAlarm(matches.counts)) return undefined;
  return matchedError(`${walletSummary(matches, wallet)}, which has no answer: ${error.message}`, matchedHint(matches));
}

/** A wallet that stands alone. */
const originOf = ({ address }: Wallet) => ({ line: 1, input: address });

async function ask(wallet: Wallet, run: ProfileRun): Promise<Row> {
  const { options, settings, context } = run;
  const { maxRequests, rate, concurrency } = options;
  const budget = createBudget({ maxRequests });
  // A setting that is wrong costs nothing.
  const scorePath = settings.score.value;
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

/** --curl: the request as a line for curl, without the key. @throws UsageError for a list, and for what is no wallet */
export async function printCurl({ options, settings, context }: ProfileRun): Promise<undefined> {
  if (options.source.kind !== 'one') {
    throw new UsageError('--curl takes one wallet', { hint: 'give one of the list as an argument' });
  }
  const { address } = await checkWallet(options.source.wallet, options);
  const url = new URL(profileAddresses(settings.baseUrl().value)(address).href);
  await writeAll(context.stdout, curlLine(url, settings.auth.value, context));
}

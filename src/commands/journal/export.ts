/** `riskcli journal export`: the newest answers of a journal as the rows of a list, with nothing asked of the service. */
import { type Newest, withNewest } from '../../answers/history.ts';
import { settledRow } from '../../batch/make-row.ts';
import { chooseFormat } from '../../cli/choose-format.ts';
import type { Command } from '../../cli/command.ts';
import { GATE_EXITS } from '../../cli/exits.ts';
import type { ParsedArgs } from '../../cli/flag.ts';
import { FAIL_IF_FLAG, formatFlags, OUTPUT_FLAGS, POLICY_FLAG, READING_FLAGS, SHAPE_FLAGS } from '../../cli/flags.ts';
import type { Context } from '../../context.ts';
import { openTarget, type Target } from '../../files/target.ts';
import { createListOutput } from '../../output/list/list-output.ts';
import { LIST_FORMATS } from '../../output/list/list-writer.ts';
import { createMatches, type Matches, matchedError, matchedHint, matchedWords } from '../../row/matches.ts';
import { findIn } from '../../row/row.ts';
import { isAlarm } from '../../row/rule-counts.ts';
import { parseShape } from '../../row/shape.ts';
import { createValueWatch, tellUnseen, type ValueWatch } from '../../row/unseen-values.ts';
import { resolveSettings } from '../../settings/resolve.ts';
import { FIELDS_FLAG } from '../profile/input-flags.ts';
import { noteExceptions, readRules } from '../profile/rules.ts';
import { createView } from '../profile/view.ts';
import { JOURNAL_FLAG, journalFile, tellDamage } from './file.ts';

export const exportAnswers: Command = {
  name: 'export',
  summary: 'Write the newest answer of each wallet as a list',
  description: `Write the newest answer of each wallet as the rows of a list, in the formats of
riskcli profile and in the order in which the wallets were first answered.
Refusals are no answers: they are left out. Nothing is sent.`,
  flags: [
    JOURNAL_FLAG,
    ...READING_FLAGS.filter(({ long }) => long === 'score'),
    ...formatFlags(LIST_FORMATS),
    ...OUTPUT_FLAGS,
    FIELDS_FLAG,
    ...SHAPE_FLAGS,
    FAIL_IF_FLAG,
    POLICY_FLAG,
  ],
  examples: [
    { line: 'riskcli journal export --journal answers.journal -o newest.csv', does: 'For a spreadsheet' },
    {
      line: 'riskcli journal export --journal answers.journal --jsonl | jq ._meta.score',
      does: 'For a script: whole documents, a line each',
    },
  ],
  excessHint: 'name the journal with --journal FILE, and the output with -o FILE',
  reads: ['settings', 'wallet-format', 'color'],
  exits: GATE_EXITS,
  run: writeNewest,
};

async function writeNewest(typed: ParsedArgs, context: Context): Promise<undefined> {
  const file = journalFile(typed, context);
  const [output, policy] = [typed.text('output'), typed.text('policy')];
  const options = {
    format: chooseFormat(typed, { choices: LIST_FORMATS, list: true }),
    header: !typed.on('no-header'),
    fields: typed.all('fields'),
    ...(await readRules(typed, {
      context,
      wallets: { format: resolveSettings(typed, context).walletFormat.value, checksum: false },
    })),
    shape: parseShape(typed),
    output,
  };
  const view = createView({ options, typed, context });
  const matches = createMatches({ ...options, accept: new Set() });
  const values = createValueWatch({ rules: options.rules, where: options.shape.where });
  await withNewest(file, async (newest) => {
    tellDamage(newest.damagedLines, { path: file.path, context });
    const target = await openTarget(
      { output, forbidden: [file.path, ...(policy === undefined ? [] : [policy])] },
      context,
    );
    try {
      await writeRows(newest.answers, { target, options, view, matches, values, typed, context });
      await target.commit();
    } finally {
      await target.discard();
    }
  });
  const missing = view.missingFields();
  if (missing) throw missing;
  tellUnseen(values.unseen(), context.report);
  noteExceptions({ exceptions: options.exceptions, matches }, context);
  if (isAlarm(matches.counts)) throw matchedError(matchedWords(matches), matchedHint(matches));
}

interface Writing {
  readonly target: Target;
  readonly options: Parameters<typeof createListOutput>[1]['options'];
  readonly view: ReturnType<typeof createView>;
  readonly matches: Matches;
  readonly values: ValueWatch;
  readonly typed: ParsedArgs;
  readonly context: Context;
}

async function writeRows(answers: Newest['answers'], writing: Writing) {
  const { target, options, view, matches, values, typed, context } = writing;
  const scorePath = resolveSettings(typed, context).score.value;
  const signal = context.signal();
  const output = await createListOutput(target, { options, view, head: undefined, context });
  try {
    let line = 0;
    for (const { id, settled } of answers) {
      signal.throwIfAborted();
      const wallet = { ok: true, address: id, id } as const;
      line += 1;
      const stored = { wallet, stored: settled, ...(scorePath && { scorePath }) };
      const row = matches.judge(settledRow({ line, input: id, wallet }, stored));
      view.saw(row);
      values.saw(findIn(row));
      await output.row(row);
    }
    await output.end({ isStopped: false });
  } finally {
    output.close();
  }
}

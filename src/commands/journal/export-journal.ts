/**
 * `riskcli journal export`: the newest answers of a journal as the rows of a list, with nothing
 * asked of the service.
 */

import { type Options, subcommand } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import type { Path } from '../../document/path.ts';
import { type Newest, withNewest } from '../../journal/newest.ts';
import { storedRow } from '../../journal/stored-row.ts';
import { chooseFormat } from '../../output/choose-format.ts';
import { LIST_FORMATS } from '../../output/formats.ts';
import { listRows } from '../../output/list/list-rows.ts';
import { openRows } from '../../output/rows/open-rows.ts';
import { runFacts } from '../../output/rows/row-format.ts';
import { terminalOf } from '../../output/terminal/terminal-of.ts';
import type { Row } from '../../row/row.ts';
import { judgeRows } from '../../rules/judged-rows.ts';
import { readRules } from '../../rules/rule-set.ts';
import { resolveSettings } from '../../settings/resolve.ts';
import { failIfFlag, fieldsFlag, formatFlags, outputFlag, policyFlag, shapeFlags, shapeOf } from '../flags.ts';
import { journalArgument, journalFile, warnOfDamage } from './file.ts';

const exportFlags = {
  ...formatFlags(LIST_FORMATS),
  output: outputFlag,
  fields: fieldsFlag,
  ...shapeFlags,
  failIf: failIfFlag,
  policy: policyFlag,
};

export const exportAnswers = subcommand({
  name: 'export',
  summary: 'Write the newest answer of each wallet as a list',
  description: `Write the newest answer of each wallet as the rows of a list, in the formats of
riskcli profile and in the order in which the wallets were first answered.
Refusals are left out. Nothing is sent.`,
  args: [journalArgument],
  flags: exportFlags,
  examples: [
    { line: 'riskcli journal export answers.journal -o newest.csv', does: 'For a spreadsheet' },
    {
      line: 'riskcli journal export answers.journal --jsonl | jq ._meta.score',
      does: 'For a script: a whole document on each line',
    },
  ],
  excessHint: 'name one journal, and the output with -o FILE',
  run: writeNewest,
});

async function writeNewest(asked: Options<typeof exportFlags>, context: Context): Promise<undefined> {
  const file = journalFile(asked, context);
  const { output, policy } = asked;
  const settings = resolveSettings(asked, context);
  const options = {
    format: chooseFormat(asked, { choices: LIST_FORMATS, list: true }),
    selection: asked.fields,
    ...(await readRules(asked, { checksum: false })),
    shape: shapeOf(asked),
    output,
    color: asked.color,
  };
  const judged = judgeRows(options, context);
  const forbidden = [file.path, ...(policy === undefined ? [] : [policy])];
  await withNewest(file, async (newest) => {
    warnOfDamage(newest.damagedLines, file.path, context);
    const { format, shape, rules } = options;
    const rows = await openRows(listRows(judged.columns), {
      ...{ output, forbidden, format, shape, context },
      terminal: terminalOf(options, context),
      rows: newest.count,
      run: runFacts([file.path], context, { rules }),
    });
    try {
      for (const row of storedRows(newest.answers, settings.get('score').value)) {
        context.signal().throwIfAborted();
        await rows.row(judged.judge(row));
      }
      await rows.end({ counts: { answers: newest.count } });
    } finally {
      await rows.close();
    }
  });
  judged.conclude();
}

function* storedRows(answers: Newest['answers'], scorePath: Path | undefined): Generator<Row> {
  let line = 0;
  for (const stored of answers) {
    const { id } = stored;
    line += 1;
    yield storedRow({ line, input: id }, { wallet: { ok: true, address: id, id }, stored, scorePath });
  }
}

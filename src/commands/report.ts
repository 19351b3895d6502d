/** `riskcli report`: the figures of what earlier runs wrote, in the terminal or as a page. */

import { command } from '../cli/command.ts';
import { FILE } from '../cli/flag.ts';
import { chooseFormat } from '../output/choose-format.ts';
import { writeReport } from '../output/report/write-report.ts';
import { READ_BACK_FORMATS, REPORT_FORMATS } from '../row/formats.ts';
import { resolveSettings } from '../settings/resolve.ts';
import { anyOf } from '../text/words.ts';
import { formatFlags, labelFlag, outputFlag } from './flags.ts';

const SUMMARY_OR_PAGE_FORMATS = ['table', 'json', ...REPORT_FORMATS] as const;

const reportFlags = {
  ...formatFlags(SUMMARY_OR_PAGE_FORMATS),
  output: outputFlag,
  label: labelFlag,
};

export const report = command({
  description: `Print the figures of a file that riskcli wrote: wallets by status, matches,
distributions of score and collateral, and the shares of texts such as risk levels.
-o PAGE.html writes a page that also lists the wallets, to search, sort and filter,
with the details of each: one file that can be mailed, printed and kept, and that
loads nothing. Nothing is sent. Matches are those that the run found, or the open alarms of
a kept review; riskcli policy check --against tries other rules on its answers.`,
  args: [
    {
      name: 'file',
      help: `what riskcli profile wrote (${anyOf(READ_BACK_FORMATS)}), or a kept review; - for stdin`,
      completes: FILE,
    },
  ],
  flags: reportFlags,
  examples: {
    'riskcli report scored.jsonl': 'The figures',
    'riskcli report scored.jsonl -o report.html': 'A page for a browser',
  },
  excessHint: 'name one file, and the page with -o PAGE.html',
  async run(typed, context) {
    const { args, typedWords } = typed;
    const [file = ''] = args;
    const format = chooseFormat(typed, { choices: SUMMARY_OR_PAGE_FORMATS, nameMustImply: true });
    const scorePath = resolveSettings(typed, context).get('score').value;
    await writeReport({ ...typed, file, format, scorePath, words: ['report', ...typedWords] }, context);
    return undefined;
  },
});

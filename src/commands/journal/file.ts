/** Shared by the subcommands of journal: which file it is, and the warning about a damaged one. */
import type { Argument } from '../../cli/command.ts';
import { FILE } from '../../cli/flag.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { shownPath } from '../../files/file-error.ts';
import type { JournalFile } from '../../journal/journal-file.ts';
import { isAddress } from '../../wallet/address.ts';

export const journalArgument: Argument = {
  name: 'file',
  help: 'the journal: the file that profile was given with --journal, or FILE.journal beside -o FILE',
  completes: FILE,
};

/** The journal that was named. @throws UsageError when none was. */
export function journalFile(
  { args: [path = ''] }: { readonly args: readonly string[] },
  context: Context,
): JournalFile {
  if (path === '' || isAddress(path)) {
    throw new UsageError('no journal is named', {
      hint: 'name it first: the file that riskcli profile was given with --journal, or FILE.journal beside its -o FILE',
    });
  }
  return { path, uid: context.uid, signal: context.signal() };
}

/** Warns of lines whose checksum is wrong: no answer is read from them. */
export function warnOfDamage(lines: number, path: string, { report }: Context): void {
  if (lines === 0) return;
  report.warn(`damaged records left out of the journal ${shownPath(path)}: ${lines}`);
}

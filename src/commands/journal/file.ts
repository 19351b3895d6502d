/** What all verbs of a journal share: which file it is, and what is said of one that is damaged. */

import { FILE, text } from '../../cli/flag.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { shownPath } from '../../files/file-error.ts';
import { refuseWindowsName } from '../../files/windows-name.ts';
import type { JournalFile } from '../../journal/journal-file.ts';
import { counted } from '../../text/words.ts';

export const journalFlag = text({
  value: 'FILE',
  group: 'Input',
  help: 'the journal: what profile was given with --journal, or FILE.journal beside its -o FILE',
  completes: FILE,
});

/** The journal that was named. @throws UsageError when none was, IoError for a name that no file can have. */
export function journalFile(path: string | undefined, context: Context): JournalFile {
  if (!path) {
    throw new UsageError('no journal is named', {
      hint: 'add --journal FILE: the file that riskcli profile was given with --journal, or FILE.journal beside its -o FILE',
    });
  }
  refuseWindowsName(path, context);
  return { path, uid: context.uid, signal: context.signal() };
}

/** Says that there are lines which no checksum vouches for: they are in no answer that is shown. */
export function warnOfDamage(
  lines: number,
  { path, context }: { readonly path: string; readonly context: Context },
): void {
  if (lines === 0) return;
  const what = counted(lines, 'damaged line');
  context.report.warn(`${what} of the journal ${shownPath(path)} ${lines === 1 ? 'is' : 'are'} left out`);
}

/**
 * The flags of `riskcli profile`, and what they mean together: judged here, before anything is
 * sent.
 */

import type { Options } from '../../cli/command.ts';
import type { Form, ParsedArgs } from '../../cli/flag.ts';
import { UsageError } from '../../errors.ts';
import { journalUse } from '../../list-run/journal-use.ts';
import { walletSource } from '../../list-run/wallet-source.ts';
import { chooseFormat } from '../../output/choose-format.ts';
import { type RunFacts, runFacts } from '../../output/rows/row-format.ts';
import { LIST_FORMATS } from '../../row/formats.ts';
import { readRules } from '../../rules/rule-set.ts';
import type { ResolvedRun } from '../../settings/resolve.ts';
import {
  connectionFlags,
  fieldsFlag,
  fileFlag,
  formatFlags,
  gateFlags,
  listFlags,
  outputFlag,
  paceFlags,
  shapeFlags,
  shapeOf,
} from '../flags.ts';

export const profileFlags = {
  file: fileFlag,
  ...listFlags,
  ...formatFlags(LIST_FORMATS),
  output: outputFlag,
  fields: fieldsFlag,
  ...shapeFlags,
  ...gateFlags,
  ...paceFlags,
  ...connectionFlags,
};

/** Which form was typed; undefined when nothing was. */
export function formOf({ args, words }: ParsedArgs): Form | undefined {
  if (words('file') || args[0] === '-') return 'file';
  return args.length > 1 ? 'list' : args.length === 1 ? 'one' : undefined;
}

export type ProfileFlags = Options<typeof profileFlags>;
export type ProfileOptions = Awaited<ReturnType<typeof profileOptions>>;

/**
 * The options that the flags mean together.
 * @throws UsageError when they make no sense, or the policy cannot be read
 */
export async function profileOptions(flags: ProfileFlags) {
  const { checksum, maxAge, fields: selection } = flags;
  const source = walletSource(flags.args, flags.file);
  const rules = await readRules(flags, { checksum });
  const use = journalUse(flags, { hasGate: rules.rules.length > 0 });
  if (maxAge !== undefined && use === undefined) {
    throw new UsageError('--max-age needs a journal', { hint: 'add --journal FILE or -o FILE' });
  }
  // A dry run writes no file, so the name of its file does not matter.
  const format = chooseFormat(flags, { choices: LIST_FORMATS, nameMustImply: true, ignoreName: flags.dryRun });
  return { ...flags, ...rules, source, journalUse: use, format, selection, shape: shapeOf(flags) };
}

export interface ProfileRun extends ResolvedRun {
  readonly options: ProfileOptions;
}

/** The facts of the run that the output may show. */
export const profileRunFacts = ({
  options: { source, rules },
  settings: { isSandbox },
  context,
}: ProfileRun): RunFacts =>
  runFacts(source.kind === 'file' ? [source.file] : [], context, { rules, isSynthetic: isSandbox });

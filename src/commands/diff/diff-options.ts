/** The flags of `riskcli diff`, and what they mean together. */

import type { Options } from '../../cli/command.ts';
import { all } from '../../cli/flag.ts';
import { DIFF_CHANGES } from '../../compare/diff.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { chooseFormat } from '../../output/choose-format.ts';
import { LIST_FORMATS } from '../../output/formats.ts';
import { parseFieldSelection } from '../../row/fields.ts';
import { FIELD_PATHS } from '../../row/paths/own-names.ts';
import { resolveSettings } from '../../settings/resolve.ts';
import { acceptFlag, failIfFlag, formatFlags, labelFlag, outputFlag, shapeFlags, shapeOf } from '../flags.ts';

/** Completions of a path in a shell. */
const CHANGE_PATHS: readonly string[] = [
  'wallet_address',
  'label',
  'change',
  ...['status', 'score', 'total_collateral_usd'].flatMap((name) =>
    ['old', 'new', 'delta'].map((side) => `${name}.${side}`),
  ),
];

export const diffFlags = {
  ...formatFlags(LIST_FORMATS),
  output: outputFlag,
  fields: all(parseComparedFields, {
    group: 'Output',
    value: 'PATHS',
    completes: FIELD_PATHS,
    commas: true,
    help: "compare these: a,level=b.c[0],d?; '+a': besides the usual ones",
  }),
  label: labelFlag,
  ...shapeFlags,
  where: { ...shapeFlags.where, completes: CHANGE_PATHS },
  sort: { ...shapeFlags.sort, completes: CHANGE_PATHS },
  failIf: { ...failIfFlag, completes: CHANGE_PATHS },
  accept: {
    ...acceptFlag(DIFF_CHANGES, 'let these changes pass: added, removed, changed', 'CHANGES'),
    needs: ['fail-if'],
  },
};

function parseComparedFields(texts: readonly string[]) {
  const { fields = [], keepsDefaults } = parseFieldSelection(texts);
  return { fields, keepsDefaults: texts.length === 0 || keepsDefaults };
}

export type DiffOptions = ReturnType<typeof diffOptions>;

/** What the flags mean together. @throws UsageError when they make no sense */
export function diffOptions(options: Options<typeof diffFlags>, context: Context) {
  const { args, fields: selection, failIf: rules } = options;
  const [older = '', newer = ''] = args;
  if (older === '-' && newer === '-') {
    throw new UsageError('standard input is given twice', { hint: 'give a file for one of the two' });
  }
  const settings = resolveSettings(options, context);
  const format = chooseFormat(options, { choices: LIST_FORMATS, list: true });
  const scorePath = settings.get('score').value;
  return {
    ...options,
    older,
    newer,
    format,
    ...selection,
    rules,
    shape: shapeOf(options),
    scorePath,
  };
}

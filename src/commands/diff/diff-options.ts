/** The flags of `riskcli diff`, and what they mean together. */

import type { Options } from '../../cli/command.ts';
import { all } from '../../cli/flag.ts';
import { createFinder, DIFF_CHANGES } from '../../compare/diff.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { chooseFormat } from '../../output/choose-format.ts';
import { type Field, parseFields, parseFieldsFlag } from '../../paths/fields.ts';
import { FIELD_PATHS, formatRowPath } from '../../paths/meta-shortcuts.ts';
import { LIST_FORMATS } from '../../row/formats.ts';
import { USUAL_COLUMNS } from '../../runs/run.ts';
import { resolveSettings } from '../../settings/resolve.ts';
import { acceptFlag, failIfFlag, formatFlags, labelFlag, outputFlag, shapeFlags, shapeOf } from '../flags.ts';

/** The fields that every diff compares, unless --fields names others. */
const USUAL_FIELDS = parseFields(USUAL_COLUMNS.join(','));

/** Completions of a path in a shell. */
const CHANGE_PATHS = createFinder(USUAL_COLUMNS, { hasVerdicts: false }).paths;

export const diffFlags = {
  ...formatFlags(LIST_FORMATS),
  output: outputFlag,
  fields: all(parseComparedFields, {
    group: 'Output',
    value: 'PATHS',
    completes: FIELD_PATHS,
    commas: true,
    help: 'compare these: a,level=b.c[0]; d? may be absent; +a adds to the usual',
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
  const { fields = [], keepsDefaults } = parseFieldsFlag(texts);
  const hasUsual = texts.length === 0 || keepsDefaults;
  return { fields, hasUsual, columns: hasUsual ? besideUsual(fields) : fields };
}

function besideUsual(fields: readonly Field[]): readonly Field[] {
  const isUsual = ({ name, path }: Field) =>
    USUAL_FIELDS.some((usual) => usual.name === name && formatRowPath(path) === name);
  return [...USUAL_FIELDS, ...fields.filter((field) => !isUsual(field))];
}

export type DiffOptions = ReturnType<typeof diffOptions>;

/** The options that the flags mean together. @throws UsageError if they make no sense */
export function diffOptions(options: Options<typeof diffFlags>, context: Context) {
  const { args, fields: selection, failIf: rules } = options;
  const [older = '', newer = ''] = args;
  if (older === '-' && newer === '-') {
    throw new UsageError('standard input is given twice', { hint: 'give a file for one of the two' });
  }
  return {
    ...options,
    ...selection,
    older,
    newer,
    format: chooseFormat(options, { choices: LIST_FORMATS, nameMustImply: true }),
    rules,
    shape: shapeOf(options),
    scorePath: resolveSettings(options, context).get('score').value,
  };
}

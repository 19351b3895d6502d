/** What is shown of an answer, and to whom: --fields, the rules, the order and the terminal of a command that prints rows. */

import type { ColorChoice } from '../../cli/color.ts';
import type { AskedFormat } from '../../cli/formats.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import type { Terminal } from '../../output/terminal/lines.ts';
import { type Condition, isAboutValue } from '../../row/conditions.ts';
import {
  createFieldWatch,
  type Field,
  type FieldSelection,
  type MissingField,
  missingFieldsError,
} from '../../row/fields.ts';
import { createFirstLook, type FirstLook } from '../../row/paths/first-look.ts';
import { likelyMeant } from '../../row/paths/likely-typo.ts';
import { formatRowPath } from '../../row/paths/own-names.ts';
import { type Row, rowNode } from '../../row/row.ts';
import type { VerdictColumn } from '../../row/row-columns.ts';
import { conditionsOf, type Expression } from '../../row/rules.ts';
import type { Shape } from '../../row/shape.ts';
import { quoted } from '../../secrets/withhold.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { RuleSet } from './rules.ts';
import { terminalOf } from './terminal.ts';

export interface View extends FieldSelection {
  /** The columns that rules add to rows. */
  readonly verdictColumns: readonly VerdictColumn[];
  /** Which rows of a list are shown, and in what order. */
  readonly shape: Shape;
  /** Set when a person reads stdout. */
  readonly terminal: Terminal | undefined;
  /** Notes which fields an answered row has. */
  observe(row: Row): void;
  /** Paths that may be mistyped, a line each: known before anything is paid. */
  readonly typoWarnings: readonly string[];
  /** Looks for paths that are mistyped in the first answers of a list; undefined when no path can be. */
  readonly firstLook: FirstLook;
  /** The error of a run in which a field, or the path of a condition or of an order, never came. */
  missingFields(): UsageError | undefined;
}

export interface ViewOptions extends RuleSet, Pick<AskedFormat, 'output'> {
  readonly selection: FieldSelection;
  readonly shape: Shape;
  readonly color: ColorChoice | undefined;
}

export function createView(options: ViewOptions, context: Pick<Context, 'stdout' | 'env'>): View {
  const { rules, exceptions, shape, selection } = options;
  const { fields } = selection;
  const { where, sort } = shape;
  const asked = [
    ...rules.flatMap(({ source, name, when }) =>
      asFields(source === '--policy' ? `--policy, rule ${quoted(name)},` : source, when),
    ),
    ...(where ? asFields('--where', where) : []),
    ...(sort ? [{ name: `--sort ${quoted(sort.text)}`, path: sort.path, optional: sort.optional }] : []),
  ];
  const watch = createFieldWatch([...(fields ?? []), ...asked]);
  const told = [...(fields ?? []).map((field) => ({ ...field, name: '--fields' })), ...asked];
  return {
    ...selection,
    verdictColumns: [
      ...(rules.length > 0 ? (['matched', 'unjudged'] as const) : []),
      ...(exceptions ? (['excused'] as const) : []),
    ],
    shape,
    terminal: terminalOf(options, context),
    observe(row) {
      if (watch.isWaiting) watch.observe(rowNode(row));
    },
    typoWarnings: told.flatMap(typoWarning),
    firstLook: createFirstLook(told),
    missingFields: () => missingError(watch.missing(), fields ?? []),
  };
}

/** The paths that `expression` compares the values of, under the names that messages give them. */
function asFields(flag: string, expression: Expression): readonly Field[] {
  const conditions = conditionsOf(expression).filter((one) => isAboutValue(one) && one.aspect !== 'change');
  return conditions.map(({ text, path, optional }: Condition) => ({ name: `${flag} ${quoted(text)}`, path, optional }));
}

function typoWarning({ name, path, optional }: Field): readonly string[] {
  const meant = optional ? [] : likelyMeant(path);
  const where = `${quoted(formatRowPath(path))} of ${name}`;
  return meant.length > 0 ? [`${where} may be mistyped; ${didYouMean(meant)}`] : [];
}

/** Fields that are shown are reported first: `fields` are those of --fields. */
function missingError(missing: readonly MissingField[], fields: readonly Field[]): UsageError | undefined {
  const shown = missing.filter(({ field }) => fields.includes(field));
  if (shown.length > 0) return missingFieldsError(shown);
  const [mistyped] = missing;
  return mistyped && mistypedError(mistyped);
}

/** The error of a condition on a path that no answer has: it would match every row, but is more likely mistyped. */
function mistypedError({ field, suggestions }: MissingField): UsageError {
  return new UsageError(`no answer had the field of ${field.name}`, {
    code: 'missing_field',
    hint:
      suggestions.length > 0
        ? `did you mean ${suggestions.join(', ')}?`
        : 'list the fields with riskcli profile WALLET --json',
  });
}

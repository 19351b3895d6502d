/** Which values are compared, and whether conditions ask for some that are. */
import { distance } from 'fastest-levenshtein';
import type { Context } from '../../context.ts';
import type { Path } from '../../document/path.ts';
import { UsageError } from '../../errors.ts';
import { type Column, defaultColumns, type Finder, fieldColumn } from '../../results/comparison.ts';
import type { Results } from '../../results/result.ts';
import type { Field } from '../../row/fields.ts';
import { formatRowPath } from '../../row/paths/row-path.ts';
import { conditionsOf, type Expression } from '../../row/rules.ts';
import { quoted } from '../../secrets/withhold.ts';
import type { DiffOptions } from './options.ts';

interface Choice {
  readonly options: Pick<DiffOptions, 'fields' | 'keepsDefaults'>;
  readonly context: Pick<Context, 'report'>;
}

/**
 * What both of `runs` say, or else the fields that were named.
 * @throws UsageError when that is nothing.
 */
export function chooseColumns(runs: readonly Results[], { options, context }: Choice): readonly Column[] {
  if (!options.keepsDefaults) return options.fields.map(fieldColumn);
  for (const { name, lacks } of runs) {
    if (lacks.length > 0) context.report.info(`${name} does not have ${lacks.join(', ')}: that is not compared`);
  }
  const usual = defaultColumns(runs.flatMap(({ lacks }) => lacks));
  const isUsual = ({ name, path }: Field) =>
    formatRowPath(path) === name && usual.some((column) => column.name === name);
  const columns = [...usual, ...options.fields.filter((field) => !isUsual(field)).map(fieldColumn)];
  if (columns.length > 0) return columns;
  throw new UsageError('the two files have none of the usual fields in common', {
    hint: 'name what to compare: --fields PATHS',
  });
}

/** @throws UsageError when --fail-if, --where or --sort asks for what no row of the diff has. */
export function checkPaths({ rules, shape }: Pick<DiffOptions, 'rules' | 'shape'>, { has, paths }: Finder): void {
  const pathsIn = (expression: Expression) => conditionsOf(expression).map(({ path }) => path);
  const judged: readonly Path[] = rules.flatMap(({ when }) => pathsIn(when));
  const shown = [...(shape.where ? pathsIn(shape.where) : []), ...(shape.sort ? [shape.sort.path] : [])];
  const unknown = [...judged, ...shown].find((path) => !has(path));
  if (!unknown) return;
  const text = formatRowPath(unknown);
  const [nearest] = [...paths].sort((a, b) => distance(a, text) - distance(b, text));
  throw new UsageError(`the rows of this diff have no ${quoted(text)}`, {
    code: 'missing_field',
    hint: `did you mean ${nearest}? There are ${paths.join(', ')}; --fields adds others`,
  });
}

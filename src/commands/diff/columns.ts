/** Which values of two runs are compared. */
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { type Column, defaultColumns, fieldColumn } from '../../results/comparison.ts';
import type { Results } from '../../results/result.ts';
import type { Field } from '../../row/fields.ts';
import { formatRowPath } from '../../row/paths/row-path.ts';

/**
 * What both of `runs` say, or else the fields that were named.
 * @throws UsageError when that is nothing.
 */
export function chooseColumns(
  runs: readonly Results[],
  { fields, keepsDefaults }: { readonly fields: readonly Field[]; readonly keepsDefaults: boolean },
  { report }: Pick<Context, 'report'>,
): readonly Column[] {
  if (!keepsDefaults) return fields.map(fieldColumn);
  for (const { name, lacks } of runs) {
    if (lacks.length > 0) report.info(`${name} does not have ${lacks.join(', ')}: that is not compared`);
  }
  const usual = defaultColumns(runs.flatMap(({ lacks }) => lacks));
  const isUsual = ({ name, path }: Field) =>
    formatRowPath(path) === name && usual.some((column) => column.name === name);
  const columns = [...usual, ...fields.filter((field) => !isUsual(field)).map(fieldColumn)];
  if (columns.length > 0) return columns;
  throw new UsageError('the two files have none of the usual fields in common', {
    hint: 'name what to compare: --fields PATHS',
  });
}

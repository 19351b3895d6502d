/** Parsers of the flags about values of answers. Few runs have such a flag, so flags.ts loads this when one is typed. */
import { UsageError } from '../../errors.ts';
import { type Decimal, parseDecimal } from '../../row/decimal.ts';
import { quotedWord } from '../../secrets/withhold.ts';

export { parseFieldSelection } from '../../row/fields.ts';
export { checkRules, parseRules, parseWhere } from '../../row/rules.ts';
export { parseSort, parseTop } from '../../row/shape.ts';

export function parseMinChange(typed: string, flag: string): Decimal {
  const minChange = parseDecimal(typed.trim());
  if (minChange && minChange.sign > 0) return minChange;
  throw new UsageError(`${flag} cannot be ${quotedWord(typed)}`, { hint: 'give a number from 0 on, such as 5 or 0.5' });
}

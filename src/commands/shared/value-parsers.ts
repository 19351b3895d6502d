/** Parsers of the flags about values of answers. Few runs have such a flag, so flags.ts loads this when one is typed. */
export { parseFieldSelection } from '../../row/fields.ts';
export { checkRules, parseRules, parseWhere } from '../../row/rules.ts';
export { parseSort, parseTop } from '../../row/shape.ts';

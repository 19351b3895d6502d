/**
 * A condition on a row: 'PATH OP VALUE', 'PATH exists', 'PATH missing'. --fail-if, --where and the rules of a policy share this
 * grammar and its evaluation. A value that is missing or cannot be compared is neither true nor false: a gate takes it for a
 * match, since unknown is not safe; a filter leaves the row out and says how often.
 */

import { isEmpty, type Node } from '../document/node.ts';
import type { Path } from '../document/path.ts';
import { UsageError } from '../errors.ts';
import { quoted } from '../secrets/withhold.ts';
import { parseMoment } from '../text/when.ts';
import {
  compareDecimals,
  type Decimal,
  decimalOf,
  multiplyDecimals,
  parseDecimal,
  unreadNumber,
  ZERO,
} from './decimal.ts';
import { parseRowPath } from './paths/row-path.ts';

const OPERATORS = ['<', '<=', '>', '>=', '==', '!='] as const;
type Operator = (typeof OPERATORS)[number];

type Comparand =
  | { readonly kind: 'number'; readonly value: Decimal }
  /** Milliseconds since 1970. */
  | { readonly kind: 'moment'; readonly value: number }
  /** `moment`: the time that the text names, if it does. */
  | { readonly kind: 'text'; readonly value: string; readonly moment: number | undefined }
  | { readonly kind: 'boolean'; readonly value: boolean };

export type Condition = {
  /** As it was typed, for messages. */
  readonly text: string;
  readonly path: Path;
  /** Whether answers may lack it: `path?`. */
  readonly optional: boolean;
  /** Whether the path was typed as `["a"]`, which means the document and never a column of the list. */
  readonly isBracketed?: boolean;
  /** Which aspect of a change it asks for; undefined for the value itself. */
  readonly aspect?: Aspect | undefined;
} & (
  | { readonly test: 'exists' }
  | { readonly test: 'missing' }
  | { readonly test: Operator; readonly comparand: Comparand }
);

/** What `X.old`, `X.delta`, `X.ratio` and `change` ask for; compare/ finds it. */
export type Aspect = 'old' | 'delta' | 'ratio' | 'change';

/** A quotient that is not computed, since it may have no end; `under` is not negative. */
export interface Ratio {
  readonly kind: 'ratio';
  readonly over: Decimal;
  readonly under: Decimal;
}

/**
 * A value of a row: undefined when the row lacks it, `unknown` when nobody knows, as for a wallet without an answer, and `never`
 * when no condition on it can hold, as for the change of a wallet that was not there before.
 */
export type Found = Node | Ratio | 'unknown' | 'never' | undefined;

/** The value of a row at a path; undefined when it has none, and `unknown` when the wallet has no answer. */
export type Find = (path: Path) => Node | 'unknown' | undefined;

/** The same for a row that may be compared with an earlier one. */
export type FindCompared = (path: Path, aspect?: Aspect) => Found;

/** Finds the values of a row that is compared with none: conditions on change do not hold. */
export const findAlone =
  (find: Find): FindCompared =>
  (path, aspect) =>
    aspect === undefined ? find(path) : 'never';

/** A number near the quotient, to order rows by; anything but a quotient is returned unchanged. */
export function ratioNode(found: Node | Ratio): Node {
  if (found.kind !== 'ratio') return found;
  const { over, under } = found;
  const isAboveAll = compareDecimals(under, ZERO) === 0;
  return { kind: 'number', spelling: isAboveAll ? '1e999' : String(over.double / under.double) };
}

/** @throws UsageError for a condition or an order on change, in commands that compare nothing */
export function refuseChange(asked: readonly Pick<Condition, 'text' | 'aspect'>[]): void {
  const onChange = asked.find(({ aspect }) => aspect !== undefined);
  if (!onChange) return;
  throw new UsageError(`${quoted(onChange.text)} is about a change, and only review and diff compare`, {
    hint: `a document's own member of that name is ["${onChange.aspect}"]`,
  });
}

const CONDITION_HINT = "write 'PATH OP VALUE' with one of < <= > >= == !=, 'PATH exists' or 'PATH missing'";

/**
 * Parses a condition. VALUE is a number (in quotes or not), true, false, or text, in quotes if it contains an operator. `<` and
 * its kin need a number, or an ISO 8601 date or time.
 * @throws UsageError
 */
export function parseCondition(text: string): Condition {
  const [, left = '', operator, right = ''] =
    /^((?:[^"<>=!]|"(?:[^"\\]|\\.)*"|!(?!=))*)(<=|>=|==|!=|<|>|=)(.*)$/s.exec(text) ?? [];
  if (operator === undefined) return parseExistence(text);
  if (!isOperator(operator)) throw conditionError(text, { problem: "uses '=' instead of '=='" });
  const operand = parseLeft(text, left);
  const value = right.trim();
  if (EMPTY_VALUES.has(value)) return parseEmptiness(text, { ...operand, operator });
  const comparand = parseComparand(text, value);
  const isOrder = operator !== '==' && operator !== '!=';
  return { text, ...operand, test: operator, comparand: isOrder ? orderable(text, comparand) : comparand };
}

/**
 * The path on the left. A colon that looks like the end of a name is refused, though it could be part of a key: otherwise the
 * mistake would show only after all answers are paid for.
 */
function parseLeft(text: string, left: string): Operand {
  if (/:(?:\s|_meta\.)/.test(withoutQuoted(left))) {
    throw conditionError(text, {
      problem: 'has a colon where a path is expected',
      hint: `--fail-if 'NAME: CONDITION' takes letters, digits, spaces and . _ - for a name, and a space after the colon; put a key that contains a colon in brackets: ["a: b"]`,
    });
  }
  return parseOperand(left.trim());
}

type Operand = Pick<Condition, 'path' | 'optional' | 'isBracketed' | 'aspect'>;

/** `PATH`, or `PATH?` for one that answers may lack. @throws UsageError */
export function parseOperand(text: string): Operand {
  const optional = text.endsWith('?');
  const typed = optional ? text.slice(0, -1) : text;
  if (typed === 'change') return { path: [], optional: true, aspect: 'change' };
  // In brackets it is a member of the document.
  const [, of = '', aspect] = /^(.+)\.(old|delta|ratio)$/s.exec(typed) ?? [];
  return {
    path: parseRowPath(aspect === undefined ? typed : of),
    optional,
    ...(typed.startsWith('[') && { isBracketed: true }),
    ...(isAspect(aspect) && { aspect }),
  };
}

const isAspect = (text: string | undefined): text is Aspect => text !== undefined;

/** Among texts, only dates and times have an order that everybody agrees on. */
function orderable(text: string, comparand: Comparand): Comparand {
  if (comparand.kind === 'number') return comparand;
  if (comparand.kind === 'text' && comparand.moment !== undefined) return { kind: 'moment', value: comparand.moment };
  throw conditionError(text, {
    problem: 'needs a number or a date to compare with',
    hint: 'use == or != with text, true and false; a date is 2026-12-31 or 2026-12-31T08:00:00Z',
  });
}

/**
 * Whether `condition` holds for the row of `find`; undefined when that is unknown. Numbers, also those sent as strings, are
 * compared exactly, as decimals.
 */
export function evaluate(condition: Condition, find: FindCompared): boolean | undefined {
  const found = find(condition.path, condition.aspect);
  if (found === 'unknown') return undefined;
  if (found === 'never') return false;
  const missing = !found || (found.kind !== 'ratio' && isEmpty(found));
  if (condition.test === 'missing') return missing;
  if (condition.test === 'exists') return !missing;
  const order = missing ? undefined : compare(found, condition.comparand);
  return order === undefined ? undefined : satisfies(condition.test, order);
}

/** The value of `condition` if it is a text without an order: neither a number nor a date. */
export function unorderedText(condition: Condition, find: FindCompared): string | undefined {
  if (!isAboutValue(condition) || evaluate(condition, find) !== undefined) return undefined;
  const found = find(condition.path, condition.aspect);
  if (typeof found !== 'object' || found.kind === 'ratio') return undefined;
  return 'comparand' in condition && condition.comparand.kind === 'moment' ? stringIn(found) : unreadNumber(found);
}

const stringIn = (node: Node): string | undefined =>
  node.kind === 'string' && !isEmpty(node) ? node.value : undefined;

/** Whether `condition` is about a value: the others ask whether there is one. */
export const isAboutValue = ({ test }: Condition): boolean => test !== 'exists' && test !== 'missing';

/** `== null` and the like mean `missing`. */
const EMPTY_VALUES: ReadonlySet<string> = new Set(['null', '""', "''", '{}', '[]']);

const isOperator = (text: string): text is Operator => OPERATORS.some((operator) => operator === text);

/** Nobody would find out otherwise: no answer has such a path, and a test whether it exists is never refused. */
const WORDS_OF_LOGIC = /(?:^|\s)(?:and|or|not|if|is|any|all|exists|missing|&&|\|\|)(?:\s|$)|^!/;

const withoutQuoted = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"/g, '');

function parseExistence(text: string): Condition {
  const [, path, test] = /^(.*\S)\s+(exists|missing)\s*$/s.exec(text) ?? [];
  if (path === undefined || (test !== 'exists' && test !== 'missing')) {
    throw conditionError(text, { problem: 'has no operator' });
  }
  if (WORDS_OF_LOGIC.test(withoutQuoted(path))) {
    throw conditionError(text, {
      problem: 'is more than a path and one test',
      hint: "give each condition separately, or as 'all' and 'any' of a policy; put a key with such a word in brackets: [\"a and b\"]",
    });
  }
  return { text, ...parseLeft(text, path), test };
}

function parseEmptiness(text: string, { operator, ...operand }: Operand & { readonly operator: Operator }): Condition {
  if (operator === '==') return { text, ...operand, test: 'missing' };
  throw conditionError(text, {
    problem: 'compares with a missing value, to which nothing can be compared',
    hint: "write 'PATH exists' or 'PATH missing'",
  });
}

function parseComparand(text: string, value: string): Comparand {
  if (value === 'true' || value === 'false') return { kind: 'boolean', value: value === 'true' };
  const unquoted = unquoteValue(value);
  const decimal = parseDecimal(unquoted ?? value);
  if (decimal) return { kind: 'number', value: decimal };
  if (unquoted !== undefined) return textComparand(unquoted);
  if (value === '') throw conditionError(text, { problem: 'has no value' });
  if (/[<>=!&|"']/.test(value)) {
    throw conditionError(text, {
      problem: 'has an ambiguous value',
      hint: 'put text in quotes, and give each condition separately',
    });
  }
  return textComparand(value);
}

const textComparand = (value: string): Comparand => ({ kind: 'text', value, moment: parseMoment(value) });

/** The text in double quotes (a JSON string) or single quotes; undefined without quotes. */
function unquoteValue(value: string): string | undefined {
  if (/^'[^']*'$/s.test(value)) return value.slice(1, -1);
  if (!value.startsWith('"')) return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** Below, at or above 0 as `node` is less than, equal to or more than `comparand`; undefined when they cannot be compared. */
function compare(node: Node | Ratio, comparand: Comparand): number | undefined {
  if (node.kind === 'ratio') return comparand.kind === 'number' ? compareRatio(node, comparand.value) : undefined;
  switch (comparand.kind) {
    case 'number': {
      const value = decimalOf(node);
      return value && compareDecimals(value, comparand.value);
    }
    case 'moment': {
      const value = node.kind === 'string' ? parseMoment(node.value) : undefined;
      return value === undefined ? undefined : value - comparand.value;
    }
    case 'text':
      return node.kind === 'string' ? compareTexts(node.value, comparand) : undefined;
    case 'boolean':
      return node.kind === 'literal' ? Number(node.value !== comparand.value) : undefined;
  }
}

/** Two times are equal where they are the same moment; a time and another text cannot be compared, as for `<=`. Other texts are equal or not. */
function compareTexts(
  text: string,
  { value, moment }: { readonly value: string; readonly moment: number | undefined },
) {
  if (moment === undefined) return Number(text !== value);
  const own = parseMoment(text);
  return own === undefined ? undefined : own - moment;
}

/** `over / under` against `value`, without dividing; over 0 it is above every number. */
function compareRatio({ over, under }: Ratio, value: Decimal): number {
  if (compareDecimals(under, ZERO) === 0) return 1;
  return compareDecimals(over, multiplyDecimals(value, under));
}

function satisfies(operator: Operator, order: number): boolean {
  switch (operator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
  }
}

function conditionError(
  text: string,
  { problem, hint = CONDITION_HINT }: { readonly problem: string; readonly hint?: string },
): UsageError {
  return new UsageError(`the condition ${quoted(text)} ${problem}`, { hint });
}

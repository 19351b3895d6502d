/** The grammar of conditions: --fail-if, --where and the rules of a policy. */
import { UsageError } from '../errors.ts';
import { parsePathSpec } from '../paths/row-path.ts';
import { parseDecimal } from '../row/decimal.ts';
import { quoted } from '../secrets/redact.ts';
import { parseMoment } from '../text/when.ts';
import { type Aspect, type Comparand, type Condition, isOperator, type Operand, type Operator } from './conditions.ts';

const CONDITION_HINT = "write 'PATH OP VALUE' with one of < <= > >= == !=, 'PATH exists' or 'PATH missing'";

/**
 * Parses a condition. VALUE is a number (in quotes or not), true, false, or text, in quotes if it
 * contains an operator. `<` and its kin need a number, or an ISO 8601 date or time.
 * @throws UsageError
 */
export function parseCondition(text: string): Condition {
  const [, left = '', operator, right = ''] =
    /^((?:[^"<>=!]|"(?:[^"\\]|\\.)*"|!(?!=))*)(<=|>=|==|!=|<|>|=)(.*)$/s.exec(text) ?? [];
  if (operator === undefined) return parseExistenceTest(text);
  if (!isOperator(operator)) throw conditionError(text, { problem: "uses '=' instead of '=='" });
  const operand = parseLeft(text, left);
  const value = right.trim();
  if (EMPTY_VALUES.has(value)) return parseNullComparison(text, { ...operand, operator });
  const comparand = parseComparand(text, value);
  const isOrder = operator !== '==' && operator !== '!=';
  return { text, ...operand, test: operator, comparand: isOrder ? orderable(text, comparand) : comparand };
}

/** `low:score`: a name without a space after its colon. A key such as `eip155:1` is not a name. */
const NAME_WITHOUT_SPACE = /^\s*([\p{L}\p{N}](?:[\p{L}\p{N} _-]*[\p{L}\p{N}])?):(?=[\p{L}_[])/u;

/**
 * The path on the left. A colon that looks like the end of a name is refused, though it could be
 * part of a key: otherwise the mistake would show only after all answers are paid for.
 */
function parseLeft(text: string, left: string): Operand {
  const [glued, name = ''] = NAME_WITHOUT_SPACE.exec(text) ?? [];
  if (glued !== undefined && glued.length <= left.length) {
    const named = quoted(`${name}: ${text.slice(glued.length)}`);
    throw conditionError(text, {
      problem: 'has a colon where a path is expected',
      hint:
        `to name the condition, put a space after the colon, as in --fail-if ${named}; put a key that ` +
        'contains a colon in brackets: ["a:b"]',
    });
  }
  if (/:(?:\s|_meta\.)/.test(withoutQuoted(left))) {
    throw conditionError(text, {
      problem: 'has a colon where a path is expected',
      hint:
        `--fail-if 'NAME: CONDITION' takes letters, digits, spaces and . _ - for a name, and a space ` +
        'after the colon; put a key that contains a colon in brackets: ["a: b"]',
    });
  }
  return parseOperand(left.trim());
}

/** The last step of a path, unless it is in brackets: then it is a member of the document. */
const ASPECT = /(?<=.)\.(old|delta|ratio)(?=\??$)/s;

/**
 * `PATH`, `PATH.old`, `PATH.delta`, `PATH.ratio` or `change`, each with or without `?`. @throws
 * UsageError
 */
export function parseOperand(text: string): Operand {
  if (/^change\??$/.test(text)) return { path: [], isOptional: true, aspect: 'change' };
  const aspect = ASPECT.exec(text)?.[1] as Aspect | undefined;
  return aspect ? { ...parsePathSpec(text.replace(ASPECT, '')), aspect } : parsePathSpec(text);
}

/** Among texts, only dates and times have an order that everybody agrees on. */
function orderable(text: string, comparand: Comparand): Comparand {
  if (comparand.kind === 'number') return comparand;
  if (comparand.kind === 'text' && comparand.moment !== undefined) return { kind: 'moment', value: comparand.moment };
  throw conditionError(text, {
    problem: 'needs a number or a date to compare with',
    hint: 'use == or != with text, true and false; a date is 2026-12-31 or 2026-12-31T08:00:00Z',
  });
}

/** `== null` and the like mean `missing`. */
const EMPTY_VALUES: ReadonlySet<string> = new Set(['null', '""', "''", '{}', '[]']);

/**
 * Words that show that more than one condition was written. No answer has a path with them, so that
 * `exists` would never hold and `missing` always, without a message.
 */
const WORDS_OF_LOGIC = /(?:^|\s)(?:and|or|not|if|is|any|all|exists|missing|&&|\|\|)(?:\s|$)|^!/;

const withoutQuoted = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"/g, '');

function parseExistenceTest(text: string): Condition {
  const [, path, test] = /^(.*\S)\s+(exists|missing)\s*$/s.exec(text) ?? [];
  if (path === undefined || (test !== 'exists' && test !== 'missing')) {
    throw conditionError(text, { problem: 'has no operator' });
  }
  if (WORDS_OF_LOGIC.test(withoutQuoted(path))) {
    throw conditionError(text, {
      problem: 'is more than a path and one test',
      hint:
        "give each condition separately, or as 'all' and 'any' of a policy; put a key with such a word " +
        'in brackets: ["a and b"]',
    });
  }
  return { text, ...parseLeft(text, path), test };
}

function parseNullComparison(
  text: string,
  { operator, ...operand }: Operand & { readonly operator: Operator },
): Condition {
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

function conditionError(
  text: string,
  { problem, hint = CONDITION_HINT }: { readonly problem: string; readonly hint?: string },
): UsageError {
  return new UsageError(`the condition ${quoted(text)} ${problem}`, { hint });
}

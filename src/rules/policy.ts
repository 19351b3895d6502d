/**
 * A policy: rules for reviewers, and exceptions that excuse one wallet from one rule, optionally
 * until a date. It is read strictly, since nobody looks at it every day: what is misspelled, given
 * twice or without effect is refused, not ignored.
 */

import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import * as z from 'zod/mini';
import { MAX_DEPTH } from '../document/parse.ts';
import { formatPath, type Path } from '../document/path.ts';
import { UsageError } from '../errors.ts';
import { LEVELS } from '../row/verdict.ts';
import { redactPrivateKeys } from '../secrets/private-key.ts';
import { quoted, visibleName } from '../secrets/redact.ts';
import { DAY_MS, parseDay } from '../text/when.ts';
import { readWallet, type WalletRules } from '../wallet/address.ts';
import { type Exception, exceptionKey } from './judge.ts';
import { parseCondition } from './parse-condition.ts';
import { checkRules, type Expression, type Rule } from './rules.ts';

export interface Policy {
  readonly rules: readonly Rule[];
  readonly exceptions: readonly Exception[];
  /** What is wrong with the first exception whose rule the policy does not have. */
  readonly unknownRuleError?: UsageError | undefined;
}

export interface PolicyOptions {
  /** The name of the policy in messages. */
  readonly file: string;
  readonly wallets: WalletRules;
  /** Whether an exception may be for a rule that the policy does not have. */
  readonly allowsUnknownRules?: boolean;
}

/** As for --fail-if, and no longer than 100, so that a name can be printed in any output. */
const RULE_NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,98}[\p{L}\p{N}])?$/u;
const NOT_BLANK = /\S/;

const policySchema = z.strictObject({
  // For editors.
  $schema: z.optional(z.string()),
  rules: z
    .array(
      z.strictObject({
        name: z.string().check(z.regex(RULE_NAME)),
        if: z.unknown(),
        note: z.optional(z.string().check(z.regex(NOT_BLANK))),
        level: z.optional(z.enum(LEVELS)),
      }),
    )
    .check(z.minLength(1)),
  exceptions: z.optional(
    z.array(
      z.strictObject({
        wallet: z.string(),
        rule: z.string(),
        reason: z.string().check(z.regex(NOT_BLANK)),
        until: z.optional(z.string()),
      }),
    ),
  ),
});

/** The items of `{"all": [...]}` or `{"any": [...]}`, which are parsed one by one. */
const oneOrMore = z.array(z.unknown()).check(z.minLength(1));
const schemaOfAll = z.strictObject({ all: oneOrMore });
const schemaOfAny = z.strictObject({ any: oneOrMore });

/** A fault of a policy, and its place. */
class PolicyProblem extends Error {
  constructor(
    readonly path: Path,
    problem: string,
    /** Where it is, if that is not where the value at `path` begins. */
    readonly offset?: number,
  ) {
    super(problem);
  }
}

/**
 * Parses a policy.
 * @throws UsageError that names the place of the mistake
 */
export function parsePolicy(text: string, { file, wallets, allowsUnknownRules = false }: PolicyOptions): Policy {
  const policyError = (problem: string, hint = 'see riskcli help conditions') =>
    new UsageError(`the policy ${quoted(file)} cannot be used: ${problem}`, { code: 'policy', hint });
  const { tree, error } = readTree(text);
  if (!tree || error)
    throw policyError(`it is not JSON: ${problemOfSyntax(error)} (${lineAndColumn(text, error?.offset)})`);
  const policyErrorAt = ({ path, message, offset = offsetOf(tree, path) }: PolicyProblem) =>
    policyError(`${pathText(path)} ${message} (${lineAndColumn(text, offset)})`);
  try {
    checkKeys(tree, []);
    const { rules, exceptions = [] } = checkedAgainst(policySchema, tree);
    const parsed = rules.map(({ name, if: when, note, level = 'alarm' }, i): Rule => {
      if (visibleName(name) !== name) throw new PolicyProblem(['rules', i, 'name'], 'is not a name: it may be a key');
      const expression = parseExpression(when, ['rules', i, 'if']);
      return {
        source: '--policy',
        name,
        when: expression,
        level,
        ...(note !== undefined && { note: redactPrivateKeys(note) }),
      };
    });
    checkRules(parsed);
    const unknownRuleError = findUnknownRule(exceptions, parsed);
    if (unknownRuleError && !allowsUnknownRules) throw unknownRuleError;
    return {
      rules: parsed,
      exceptions: parseExceptions(exceptions, wallets),
      unknownRuleError: unknownRuleError && policyErrorAt(unknownRuleError),
    };
  } catch (error) {
    if (error instanceof PolicyProblem) throw policyErrorAt(error);
    throw error instanceof UsageError ? policyError(error.message, error.hint) : error;
  }
}

/** The values of a JSON text with their places; `error` if it is not JSON. */
function readTree(text: string): { readonly tree?: Node | undefined; readonly error?: ParseError | undefined } {
  const errors: ParseError[] = [];
  try {
    const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
    return { tree, error: errors[0] };
  } catch (cause) {
    // The parser is recursive.
    if (cause instanceof RangeError) return {};
    throw cause;
  }
}

/** `comma expected`, as the parser calls it. */
const problemOfSyntax = (error: ParseError | undefined): string =>
  error
    ? printParseErrorCode(error.error)
        .replace(/\B[A-Z]/g, ' $&')
        .toLowerCase()
    : TOO_DEEP;

const TOO_DEEP = `nesting deeper than ${MAX_DEPTH}`;

/** Where the value at `path` begins; if it is missing, where its nearest parent begins. */
function offsetOf(tree: Node, path: Path): number {
  const found = findNodeAtLocation(tree, [...path]);
  return found || path.length === 0 ? (found?.offset ?? 0) : offsetOf(tree, path.slice(0, -1));
}

/** `line 3, column 16`, both from 1. */
function lineAndColumn(text: string, offset = 0): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

const pathText = (path: Path) => (path.length === 0 ? 'it' : quoted(formatPath(path)).slice(1, -1));

/** @throws PolicyProblem for nesting too deep, a key that an object has twice, and `__proto__` */
function checkKeys({ type, children = [] }: Node, path: Path): void {
  if (path.length > MAX_DEPTH) throw new PolicyProblem([], `is not JSON: ${TOO_DEEP}`);
  if (type === 'array') for (const [i, item] of children.entries()) if (item.children) checkKeys(item, [...path, i]);
  if (type !== 'object') return;
  const keys = new Set<string>();
  for (const { children: [name, value] = [] } of children) {
    if (!name || !value) continue;
    const key: string = name.value;
    if (keys.has(key)) throw new PolicyProblem(path, `has the key ${quoted(key)} twice`, name.offset);
    if (key === '__proto__') throw new PolicyProblem(path, `has the unknown key ${quoted(key)}`, name.offset);
    keys.add(key);
    if (value.children) checkKeys(value, [...path, key]);
  }
}

/** The value of `tree`, if it conforms to `type`. @throws PolicyProblem */
function checkedAgainst<Type extends z.ZodMiniType>(type: Type, tree: Node): z.output<Type> {
  const plain: unknown = getNodeValue(tree);
  const result = z.safeParse(type, plain);
  if (result.success) return result.data;
  // A misspelled key is the likely reason why another one is missing.
  const { issues } = result.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  if (!issue) throw new TypeError('zod refused without an issue');
  const path = issue.path.filter((step) => typeof step !== 'symbol');
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    throw new PolicyProblem(path, `has the unknown key ${quoted(key)}`, offsetOf(tree, [...path, key]));
  }
  if (plainValueAt(plain, path) === undefined) throw new PolicyProblem(path, 'is missing');
  throw new PolicyProblem(path, problemOf(issue, path));
}

type Issue = { readonly code: string } | { readonly code: 'invalid_type'; readonly expected: string };

function problemOf(issue: Issue, path: Path): string {
  if (path.at(-1) === 'level') return `is not ${LEVELS.map((level) => quoted(level)).join(' or ')}`;
  if ('expected' in issue) return issue.expected === 'string' ? 'is not text' : `is not an ${issue.expected}`;
  if (issue.code === 'too_small') return 'is empty';
  return path.at(-1) === 'name'
    ? 'is not a name: that is up to 100 letters, digits and spaces, with . _ - inside'
    : 'says nothing';
}

const plainValueAt = (plain: unknown, path: Path): unknown =>
  path.reduce((value: unknown, step) => (value as Record<string | number, unknown> | undefined)?.[step], plain);

/** @throws PolicyProblem */
function parseExpression(plain: unknown, path: Path): Expression {
  if (typeof plain === 'string') {
    try {
      return parseCondition(plain);
    } catch (error) {
      throw error instanceof UsageError ? new PolicyProblem(path, `cannot be read: ${error.message}`) : error;
    }
  }
  const parts = (key: string, expressions: readonly unknown[]) =>
    expressions.map((part, i) => parseExpression(part, [...path, key, i]));
  const all = z.safeParse(schemaOfAll, plain);
  if (all.success) return { all: parts('all', all.data.all) };
  const any = z.safeParse(schemaOfAny, plain);
  if (any.success) return { any: parts('any', any.data.any) };
  throw new PolicyProblem(path, 'is neither a condition nor {"all": [...]} or {"any": [...]} with at least one');
}

type RawException = NonNullable<z.output<typeof policySchema>['exceptions']>[number];

/** The problem of the first exception whose rule is none of `rules`. */
function findUnknownRule(exceptions: readonly RawException[], rules: readonly Rule[]): PolicyProblem | undefined {
  const names = new Set(rules.map(({ name }) => name));
  const at = exceptions.findIndex(({ rule }) => !names.has(rule));
  const exception = exceptions[at];
  const problem = exception && `names no rule of the policy: ${quoted(exception.rule)}`;
  return problem === undefined ? undefined : new PolicyProblem(['exceptions', at, 'rule'], problem);
}

/** @throws PolicyProblem */
function parseExceptions(raw: readonly RawException[], wallets: WalletRules): readonly Exception[] {
  const seen = new Map<string, number>();
  return raw.map(({ wallet, rule, reason, until }, i) => {
    const path = ['exceptions', i];
    const reading = readWallet(wallet, wallets);
    if (!reading.ok) throw new PolicyProblem([...path, 'wallet'], `is not a wallet: ${reading.message}`);
    const key = exceptionKey(reading.id, rule);
    const other = seen.get(key);
    if (other !== undefined) throw new PolicyProblem(path, `is for the same wallet and rule as exceptions[${other}]`);
    seen.set(key, i);
    const endsAt = until === undefined ? undefined : endOfDay(until, [...path, 'until']);
    const { address, id } = reading;
    return { wallet: address, id, rule, reason: redactPrivateKeys(reason), until, endsAt };
  });
}

/** The end of the UTC day `until`, milliseconds since 1970. @throws PolicyProblem */
function endOfDay(until: string, path: Path): number {
  const day = parseDay(until);
  if (day === undefined) throw new PolicyProblem(path, `is not a date: write it like 2026-12-31`);
  return day + DAY_MS;
}

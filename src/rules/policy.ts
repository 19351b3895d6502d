/**
 * A policy: rules for reviewers, and exceptions that excuse one wallet from one rule, optionally
 * until a date. It is read strictly, since nobody looks at it every day: what is misspelled, given
 * twice or without effect is refused, not ignored.
 */

import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import {
  array,
  minLength,
  optional,
  type output,
  regex,
  safeParse,
  strictObject,
  string,
  unknown,
  type ZodMiniType,
  enum as zodEnum,
} from 'zod/mini';
import type { Node } from '../document/node.ts';
import { parseDocument } from '../document/parse.ts';
import { formatPath, type Path } from '../document/path.ts';
import { DocumentSyntaxError } from '../document/utf8.ts';
import { UsageError } from '../errors.ts';
import { LEVELS } from '../row/verdict.ts';
import { redactPrivateKeys } from '../secrets/private-key.ts';
import { quoted, visibleName } from '../secrets/redact.ts';
import { DAY_MS, parseDay } from '../text/when.ts';
import { readWallet, type WalletRules } from '../wallet/address.ts';
import type { Exception } from './judge.ts';
import { parseCondition } from './parse-condition.ts';
import { checkRules, type Expression, type Rule } from './rules.ts';

export interface Policy {
  readonly rules: readonly Rule[];
  readonly exceptions: readonly Exception[];
}

export interface PolicyOptions {
  /** The name of the policy in messages. */
  readonly file: string;
  readonly wallets: WalletRules;
  /**
   * Takes the error of an exception whose rule the policy does not have, instead of throwing it.
   */
  readonly onStray?: (error: unknown) => void;
}

/** As for --fail-if, so that a name can be printed in any output. */
const RULE_NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,98}[\p{L}\p{N}])?$/u;
const NOT_BLANK = /\S/;

const policySchema = strictObject({
  rules: array(
    strictObject({
      name: string().check(regex(RULE_NAME)),
      if: unknown(),
      note: optional(string().check(regex(NOT_BLANK))),
      level: optional(zodEnum(LEVELS)),
    }),
  ).check(minLength(1)),
  exceptions: optional(
    array(
      strictObject({
        wallet: string(),
        rule: string(),
        reason: string().check(regex(NOT_BLANK)),
        until: optional(string()),
      }),
    ),
  ),
});

/** The items of `{"all": [...]}` or `{"any": [...]}`, which are parsed one by one. */
const several = array(unknown()).check(minLength(1));
const schemaOfAll = strictObject({ all: several });
const schemaOfAny = strictObject({ any: several });

/** What is wrong with a policy, and where in it. */
class PolicyProblem extends Error {
  constructor(
    readonly path: Path,
    problem: string,
    /** The member that is wrong, if it is not the whole value at `path`. */
    readonly key?: string,
  ) {
    super(problem);
  }
}

/**
 * Parses a policy.
 * @throws UsageError that names the place of the mistake
 */
export function parsePolicy(text: string, { file, wallets, onStray }: PolicyOptions): Policy {
  const refusal = (error: unknown) => policyError(error, { text, file });
  try {
    const plain = readJson(text);
    const { rules, exceptions = [] } = checkedAgainst(policySchema, plain);
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
    return {
      rules: parsed,
      exceptions: parseExceptions(exceptions, {
        rules: parsed,
        wallets,
        onStray: onStray && ((problem) => onStray(refusal(problem))),
      }),
    };
  } catch (error) {
    throw refusal(error);
  }
}

function policyError(error: unknown, { text, file }: { readonly text: string; readonly file: string }): unknown {
  const refuse = (problem: string, hint = 'see riskcli help conditions') =>
    new UsageError(`the policy ${quoted(file)} cannot be used: ${problem}`, { code: 'policy', hint });
  if (error instanceof PolicyProblem) {
    const { path, key, message } = error;
    const offset = offsetOf(text, key === undefined ? path : [...path, key]);
    return refuse(`${pathText(path)} ${message} (${lineAndColumn(text, offset)})`);
  }
  if (error instanceof DocumentSyntaxError)
    return refuse(`it is not JSON: ${error.problem} (${lineAndColumn(text, error.offset)})`);
  return error instanceof UsageError ? refuse(error.message, error.hint) : error;
}

/**
 * Where the value at `path` begins in `text`, which is JSON; if it is missing, where its nearest
 * parent begins.
 */
function offsetOf(text: string, path: Path): number {
  const tree = parseTree(text);
  const found = tree && findNodeAtLocation(tree, [...path]);
  return found || path.length === 0 ? (found?.offset ?? 0) : offsetOf(text, path.slice(0, -1));
}

/** `line 3, column 16`, both from 1. */
function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

const pathText = (path: Path) => (path.length === 0 ? 'it' : quoted(formatPath(path)).slice(1, -1));

/** JSON.parse, but refuses keys given twice, and `__proto__`. */
function readJson(text: string): unknown {
  checkKeys(parseDocument(text), []);
  return JSON.parse(text);
}

function checkKeys(node: Node, path: Path): void {
  if (node.kind === 'array') for (const [i, item] of node.items.entries()) checkKeys(item, [...path, i]);
  if (node.kind !== 'object') return;
  const keys = new Set<string>();
  for (const [key, value] of node.members) {
    if (keys.has(key)) throw new PolicyProblem(path, `has the key ${quoted(key)} twice`, key);
    if (key === '__proto__') throw unknownKey(path, key);
    keys.add(key);
    checkKeys(value, [...path, key]);
  }
}

const unknownKey = (path: Path, key: string) => new PolicyProblem(path, `has the unknown key ${quoted(key)}`, key);

/** `plain`, if it conforms to `type`. @throws PolicyProblem */
function checkedAgainst<Type extends ZodMiniType>(type: Type, plain: unknown): output<Type> {
  const result = safeParse(type, plain);
  if (result.success) return result.data;
  // A misspelled key is the likely reason why another one is missing.
  const { issues } = result.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  if (!issue) throw new TypeError('zod refused without an issue');
  const path = issue.path.filter((step) => typeof step !== 'symbol');
  if (issue.code === 'unrecognized_keys') throw unknownKey(path, issue.keys[0] ?? '');
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
  const all = safeParse(schemaOfAll, plain);
  if (all.success) return { all: parts('all', all.data.all) };
  const any = safeParse(schemaOfAny, plain);
  if (any.success) return { any: parts('any', any.data.any) };
  throw new PolicyProblem(path, 'is neither a condition nor {"all": [...]} or {"any": [...]} with at least one');
}

type TypedException = NonNullable<output<typeof policySchema>['exceptions']>[number];

/** @throws PolicyProblem */
function parseExceptions(
  typed: readonly TypedException[],
  { rules, wallets, onStray }: Omit<PolicyOptions, 'file'> & Pick<Policy, 'rules'>,
): readonly Exception[] {
  const names = new Set(rules.map(({ name }) => name));
  const seen = new Map<string, number>();
  return typed.map(({ wallet, rule, reason, until }, i) => {
    const path = ['exceptions', i];
    const reading = readWallet(wallet, wallets);
    if (!reading.ok) throw new PolicyProblem([...path, 'wallet'], `is not a wallet: ${reading.message}`);
    if (!names.has(rule)) {
      const problem = new PolicyProblem([...path, 'rule'], `names no rule of the policy: ${quoted(rule)}`);
      if (!onStray) throw problem;
      onStray(problem);
    }
    const key = `${reading.id} ${rule}`;
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

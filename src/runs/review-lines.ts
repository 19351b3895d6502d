/**
 * The lines of a kept review that are no rows: the first, which says what was reviewed and how; one
 * for each wallet that left the list; and the last, which says how the review ended, and without
 * which the file is torn. Anybody may have edited a file.
 */

import * as z from 'zod/mini';
import { type Node, NULL, numberNode, textNode } from '../document/node.ts';
import { formatPath, memberOf } from '../document/path.ts';
import { cellText, writeCompact } from '../document/write.ts';
import { ListError, UsageError } from '../errors.ts';
import { type KeptMeta, keptNode, readRemoved } from '../row/kept.ts';
import { LEVELS } from '../row/verdict.ts';
import type { Exception } from '../rules/judge.ts';
import { type ExpressionJson, expressionFromJson, expressionToJson, type Rule } from '../rules/rules.ts';
import { DAY_MS, parseDay, parseMoment, timeIn } from '../text/when.ts';
import { REMOVED_KEY, REVIEW_END_KEY, REVIEW_HEADER_KEY } from './marker-lines.ts';

/** The version of the format. Version 1 was never published. */
const REVIEW_VERSION = 2;

const maybeText = z.optional(z.string());
const arrayOf = <Item extends z.ZodMiniType>(item: Item) => z.readonly(z.array(item));
/** Milliseconds since 1970. */
const writtenTime = z.codec(z.string().check(z.refine((written) => parseMoment(written) !== undefined)), z.number(), {
  decode: timeIn,
  encode: (at) => new Date(at).toISOString(),
});

/** A file that was read, for evidence: its name, and the SHA-256 of its bytes. */
const fileSchema = z.object({ name: z.string(), sha256: maybeText });

const expressionSchema: z.ZodMiniType<ExpressionJson> = z.union([
  z.string(),
  z.object({ all: z.array(z.lazy(() => expressionSchema)).check(z.minLength(1)) }),
  z.object({ any: z.array(z.lazy(() => expressionSchema)).check(z.minLength(1)) }),
]);

const ruleSchema = z.codec(
  z.object({
    source: z.enum(['--fail-if', '--policy']),
    name: z.string(),
    if: expressionSchema,
    note: maybeText,
    level: z.optional(z.enum(LEVELS)),
  }),
  z.custom<Rule>(),
  {
    decode: ({ if: condition, level = 'alarm', ...rest }) => ({ ...rest, level, when: expressionFromJson(condition) }),
    encode: ({ when, level, ...rest }) => ({
      ...rest,
      if: expressionToJson(when),
      ...(level === 'watch' && { level }),
    }),
  },
);

const exceptionSchema = z.codec(
  z.object({ wallet: z.string(), rule: z.string(), reason: z.string(), until: maybeText }),
  z.custom<Exception>(),
  {
    decode({ wallet, until, ...rest }) {
      const day = until === undefined ? undefined : parseDay(until);
      return { ...rest, wallet, id: wallet.toLowerCase(), until, endsAt: day === undefined ? undefined : day + DAY_MS };
    },
    encode: (one) => one,
  },
);

/** The list as it was read, so that `-o` can carry its columns, and what it was called. */
const listSchema = z.object({
  /** Empty for standard input. */
  name: z.string(),
  sha256: maybeText,
  kind: z.enum(['lines', 'csv', 'workbook', 'json', 'jsonl']),
  columns: arrayOf(z.string()),
  /** The column with the wallets. */
  column: maybeText,
  delimiter: z.string(),
  bom: z.boolean(),
  /** Of a workbook. */
  sheet: maybeText,
});

/** The kept review with which this one is compared. */
const baseSchema = z.object({
  name: z.string(),
  started: writtenTime,
  /** Whether it is younger than --since asks for, since no review is old enough. */
  is_oldest: z.boolean(),
  /** The path of the score, as it was set. */
  score: maybeText,
  rules: arrayOf(ruleSchema),
});

/** The first line: the list, the rules and the settings of the review. */
const headerSchema = z.object({
  list: listSchema,
  policy: z.optional(fileSchema),
  accept: arrayOf(z.string()),
  /** --label and --since, as typed. */
  label: maybeText,
  since: maybeText,
  /** The path of the score, as it is set. */
  score: maybeText,
  environment: z.string(),
  version: z.string(),
  rules: arrayOf(ruleSchema),
  /** Undefined if there is no policy. */
  exceptions: z.optional(arrayOf(exceptionSchema)),
  /** The column of the labels. */
  label_column: maybeText,
  base_url: z.string(),
  /** When the run that finished it started. */
  started: writtenTime,
  base: z.optional(baseSchema),
});

/** The last line: the end of the review, with its counts. */
const endSchema = z.object({
  ended: writtenTime,
  /** Rows of the list, and how many wallets and other texts they name. */
  rows: z.number(),
  distinct: z.number(),
  /** Wallets that left the list. */
  removed: z.number(),
  /** Rows by status. */
  counts: z.record(z.string(), z.number()),
  exit_code: z.number(),
  /** The SHA-256 of all lines before it. */
  sha256: z.string(),
});

export type ReviewHeader = Readonly<ReturnType<typeof readHeader>>;
export type ReviewEnd = Readonly<ReturnType<typeof readEnd>>;

export function headerLine({ labelColumn, baseUrl, ...rest }: ReviewHeader): string {
  const header = z.encode(headerSchema, { ...rest, label_column: labelColumn, base_url: baseUrl });
  return JSON.stringify({ [REVIEW_HEADER_KEY]: REVIEW_VERSION, ...header });
}

export const endLine = ({ exitCode, ...rest }: ReviewEnd): string =>
  JSON.stringify({ [REVIEW_END_KEY]: REVIEW_VERSION, ...z.encode(endSchema, { ...rest, exit_code: exitCode }) });

/** A wallet that left the list, with what the earlier reviews knew of it. */
export interface RemovedWallet extends Pick<KeptMeta, 'previous' | 'closed'> {
  readonly wallet: string;
  readonly label: string | undefined;
}

export function removedLine({ wallet, label, ...kept }: RemovedWallet): string {
  const { previous, closed } = keptNode;
  const members: readonly (readonly [string, Node | undefined])[] = [
    // The number is never read: the header has the version.
    [REMOVED_KEY, numberNode(1)],
    ['wallet_address', textNode(wallet)],
    ['label', label === undefined ? NULL : textNode(label)],
    ['previous', previous(kept)],
    ['closed', closed(kept)],
  ];
  return writeCompact({ kind: 'object', members: members.flatMap(([name, node]) => (node ? [[name, node]] : [])) });
}

/** @param node a line that isMarkerLine takes for one */
export function readRemovedLine(node: Node): RemovedWallet {
  if (node.kind !== 'object') throw new TypeError('the line of a removed wallet is an object');
  const text = (name: string) => cellText(memberOf(node, name)) || undefined;
  return { wallet: text('wallet_address') ?? '', label: text('label'), ...readRemoved(node) };
}

/**
 * @param line is JSON
 * @throws ListError for a review that an older or newer riskcli wrote, and for one that was damaged
 */
export function readHeader(line: string, name: string) {
  const version: unknown = JSON.parse(line)[REVIEW_HEADER_KEY];
  if (version !== REVIEW_VERSION) {
    const isNewer = typeof version === 'number' && version > REVIEW_VERSION;
    throw new ListError(`${name} was written by ${isNewer ? 'a newer' : 'an older'} version of riskcli`, {
      hint: isNewer ? 'update riskcli' : 'run riskcli review again',
    });
  }
  const header = readAs(headerSchema, line, `${name} has a first line`);
  const { label_column: labelColumn, base_url: baseUrl, ...rest } = header;
  return { ...rest, labelColumn, baseUrl };
}

/** @param line is JSON @throws ListError for what cannot be read */
export function readEnd(line: string, name: string) {
  const { exit_code: exitCode, ...rest } = readAs(endSchema, line, `${name} has a last line`);
  return { ...rest, exitCode };
}

function readAs<Schema extends z.ZodMiniType>(schema: Schema, line: string, what: string): z.output<Schema> {
  const damaged = (problem: string) =>
    new ListError(`${what} that cannot be read: ${problem}`, { hint: 'restore it from a backup, or delete it' });
  try {
    const result = z.safeParse(schema, JSON.parse(line));
    if (result.success) return result.data;
    const path = result.error.issues[0]?.path.filter((step) => typeof step !== 'symbol') ?? [];
    throw damaged(formatPath(path));
  } catch (error) {
    // A condition that cannot be parsed.
    throw error instanceof UsageError ? damaged(error.message) : error;
  }
}

/**
 * The first and the last line of a kept review. The file is a line that says what was reviewed and
 * how, the rows as riskcli profile --jsonl writes them, and a line that says how it ended, without
 * which the file is torn. Older versions left members out, and anybody may have edited a file.
 */
import * as z from 'zod/mini';
import { formatPath } from '../document/path.ts';
import { ListError, UsageError } from '../errors.ts';
import type { Exception } from '../rules/judge.ts';
import { type ExpressionText, expressionText, LEVELS, parseExpressionText, type Rule } from '../rules/rules.ts';
import { DAY_MS, parseDay, parseMoment, timeIn } from '../text/when.ts';
import { END_KEY, HEADER_KEY } from './our-line.ts';

const KEPT_VERSION = 1;

const maybeText = z.optional(z.string());
const textOrEmpty = z._default(z.string(), '');
const tally = z._default(z.number(), 0);
const arrayOf = <Item extends z.ZodMiniType>(item: Item) => z.readonly(z.array(item));
/** Milliseconds since 1970. */
const writtenTime = z.pipe(
  z.string().check(z.refine((written) => parseMoment(written) !== undefined)),
  z.transform(timeIn),
);

/** A file that was read, for evidence: its name, and the SHA-256 of its bytes, unpacked. */
export type ReadFile = Readonly<z.output<typeof file>>;
const file = z.object({ name: z.string(), sha256: maybeText });

const expression: z.ZodMiniType<ExpressionText> = z.union([
  z.string(),
  z.object({ all: z.array(z.lazy(() => expression)).check(z.minLength(1)) }),
  z.object({ any: z.array(z.lazy(() => expression)).check(z.minLength(1)) }),
]);

const rule = z.pipe(
  z.object({
    source: z._default(z.enum(['--fail-if', '--policy']), '--fail-if'),
    name: z.string(),
    if: expression,
    note: maybeText,
    level: z._default(z.enum(LEVELS), 'alarm'),
  }),
  z.transform(({ if: condition, ...rest }): Rule => ({ ...rest, when: parseExpressionText(condition) })),
);

const exception = z.pipe(
  z.object({ wallet: z.string(), rule: z.string(), reason: z.string(), until: maybeText }),
  z.transform(({ wallet, until, ...rest }): Exception => {
    const day = until === undefined ? undefined : parseDay(until);
    return { ...rest, wallet, id: wallet.toLowerCase(), until, endsAt: day === undefined ? undefined : day + DAY_MS };
  }),
);

/** What was reviewed, and how: the first line. */
export type ReviewHeader = Readonly<z.output<typeof headerSchema>>;
const headerSchema = z.pipe(
  z.object({
    /** The name is empty for standard input. */
    list: z._default(file, { name: '' }),
    policy: z.optional(file),
    rules: z._default(arrayOf(rule), []),
    /** Undefined where there is no policy. */
    exceptions: z.optional(arrayOf(exception)),
    accept: z._default(arrayOf(z.string()), []),
    /** --label and --since, as typed, and the column that the labels are from. */
    label: maybeText,
    label_column: maybeText,
    since: maybeText,
    /** The path of the score, as it is set. */
    score: maybeText,
    base_url: textOrEmpty,
    environment: textOrEmpty,
    version: textOrEmpty,
    /** When the run that finished it began. */
    begun: writtenTime,
    /** The kept review that it was compared with. */
    compared: z.optional(file),
  }),
  z.transform(({ label_column: labelColumn, base_url: baseUrl, ...rest }) => ({ ...rest, labelColumn, baseUrl })),
);

/** How it ended: the last line. */
export type ReviewEnd = Readonly<z.output<typeof endSchema>>;
const endSchema = z.pipe(
  z.object({
    ended: writtenTime,
    rows: tally,
    /** Rows by status. */
    counts: z._default(z.record(z.string(), z.number()), {}),
    exit_code: tally,
    /** The SHA-256 of all lines before it; undefined where the file has none. */
    sha256: maybeText,
    /** Other kept reviews that values were taken from. */
    values_from: z._default(arrayOf(file), []),
  }),
  z.transform(({ exit_code: exitCode, values_from: valuesFrom, ...rest }) => ({ ...rest, exitCode, valuesFrom })),
);

export function headerLine(header: ReviewHeader): string {
  const { rules, exceptions, labelColumn, baseUrl, begun, ...rest } = header;
  return JSON.stringify({
    [HEADER_KEY]: KEPT_VERSION,
    ...rest,
    rules: rules.map(({ source, name, when, note, level }) => ({
      source,
      name,
      if: expressionText(when),
      note,
      ...(level === 'watch' && { level }),
    })),
    exceptions: exceptions?.map(({ wallet, rule, reason, until }) => ({ wallet, rule, reason, until })),
    label_column: labelColumn,
    base_url: baseUrl,
    begun: new Date(begun).toISOString(),
  });
}

export const endLine = ({ ended, rows, counts, exitCode, sha256, valuesFrom }: ReviewEnd): string =>
  JSON.stringify({
    [END_KEY]: KEPT_VERSION,
    ended: new Date(ended).toISOString(),
    rows,
    counts,
    exit_code: exitCode,
    sha256,
    ...(valuesFrom.length > 0 && { values_from: valuesFrom }),
  });

/**
 * @param line is JSON
 * @throws ListError for a review that a newer riskcli has written, and for what nobody can judge by
 */
export function readHeader(line: string, name: string): ReviewHeader {
  if (JSON.parse(line)[HEADER_KEY] !== KEPT_VERSION) {
    throw new ListError(`${name} was written by a newer version of riskcli`, { hint: 'update riskcli' });
  }
  return readAs(headerSchema, line, `${name} has a first line`);
}

/** @param line is JSON @throws ListError for what cannot be read */
export const readEnd = (line: string, name: string): ReviewEnd => readAs(endSchema, line, `${name} has a last line`);

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

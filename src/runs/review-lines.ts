/**
 * The first and the last line of a kept review. The file is a line that says what was reviewed and how, the rows as riskcli
 * profile --jsonl writes them, and a line that says how it ended, without which the file is torn.
 */
import { isScalar, type Node, type ObjectNode } from '../document/node.ts';
import { memberOf } from '../document/path.ts';
import { cellText } from '../document/write.ts';
import { ListError, UsageError } from '../errors.ts';
import type { Exception } from '../row/judge.ts';
import { STATUSES, type Status } from '../row/row.ts';
import { type ExpressionText, expressionText, parseExpressionText, type Rule } from '../row/rules.ts';
import { DAY_MS, parseDay, timeIn } from '../text/when.ts';

const KEPT_VERSION = 1;

/** A file that was read, for evidence: its name, and the SHA-256 of its bytes, unpacked. */
export interface ReadFile {
  readonly name: string;
  readonly sha256?: string | undefined;
}

/** What was reviewed, and how: the first line. */
export interface ReviewHeader {
  /** The name is empty for standard input. */
  readonly list: ReadFile;
  readonly policy: ReadFile | undefined;
  readonly rules: readonly Rule[];
  /** Undefined where there is no policy. */
  readonly exceptions: readonly Exception[] | undefined;
  readonly accept: readonly string[];
  /** --label and --since, as typed, and the column that the labels are from. */
  readonly label: string | undefined;
  readonly labelColumn: string | undefined;
  readonly since: string | undefined;
  /** The path of the score, as it is set. */
  readonly score: string | undefined;
  readonly baseUrl: string;
  readonly environment: string;
  readonly version: string;
  /** When the run that finished it began, milliseconds since 1970. */
  readonly begun: number;
  /** The kept review that it was compared with. */
  readonly compared: ReadFile | undefined;
}

/** How it ended: the last line. */
export interface ReviewEnd {
  readonly ended: number;
  readonly rows: number;
  /** Rows by status. */
  readonly counts: Readonly<Record<Status, number>>;
  readonly exitCode: number;
  /** The SHA-256 of all lines before it; undefined where the file has none. */
  readonly sha256: string | undefined;
  /** Other kept reviews that values were taken from. */
  readonly valuesFrom: readonly ReadFile[];
}

export const HEADER_KEY = 'riskcli_review';
export const END_KEY = 'riskcli_review_end';

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

const textInNode = (node: Node | undefined) => (node && isScalar(node) ? cellText(node) || undefined : undefined);
const items = (node: Node | undefined) => (node?.kind === 'array' ? node.items : []);
const member = (node: Node | undefined, key: string) => (node?.kind === 'object' ? memberOf(node, key) : undefined);

function fileIn(node: Node | undefined): ReadFile | undefined {
  const name = textInNode(member(node, 'name'));
  return name === undefined ? undefined : { name, sha256: textInNode(member(node, 'sha256')) };
}

/** @throws ListError for a review that a newer riskcli has written, and for what nobody can judge by */
export function readHeader(node: ObjectNode, name: string): ReviewHeader {
  if (cellText(memberOf(node, HEADER_KEY)) !== String(KEPT_VERSION)) {
    throw new ListError(`${name} was written by a newer version of riskcli`, { hint: 'update riskcli' });
  }
  const at = (key: string) => memberOf(node, key);
  const begun = timeIn(textInNode(at('begun')) ?? '');
  if (Number.isNaN(begun)) throw malformed(name, 'begun');
  return {
    list: { name: textInNode(member(at('list'), 'name')) ?? '', sha256: textInNode(member(at('list'), 'sha256')) },
    policy: fileIn(at('policy')),
    rules: items(at('rules')).map((rule) => readRule(rule, name)),
    exceptions: at('exceptions') ? items(at('exceptions')).map((one) => readException(one)) : undefined,
    accept: items(at('accept')).map(cellText),
    label: textInNode(at('label')),
    labelColumn: textInNode(at('label_column')),
    since: textInNode(at('since')),
    score: textInNode(at('score')),
    baseUrl: textInNode(at('base_url')) ?? '',
    environment: textInNode(at('environment')) ?? '',
    version: textInNode(at('version')) ?? '',
    begun,
    compared: fileIn(at('compared')),
  };
}

const malformed = (name: string, what: string) =>
  new ListError(`${name} has a first line that cannot be read: ${what}`, {
    hint: 'restore it from a backup, or delete it',
  });

function readRule(node: Node, file: string): Rule {
  const [name, note] = [textInNode(member(node, 'name')), textInNode(member(node, 'note'))];
  if (name === undefined) throw malformed(file, 'rules');
  const source = textInNode(member(node, 'source')) === '--policy' ? '--policy' : '--fail-if';
  const level = textInNode(member(node, 'level')) === 'watch' ? 'watch' : 'alarm';
  return { source, name, level, when: expressionIn(member(node, 'if'), file), ...(note !== undefined && { note }) };
}

function expressionIn(node: Node | undefined, file: string) {
  try {
    return parseExpressionText(expressionTextIn(node, file));
  } catch (error) {
    if (error instanceof UsageError) throw malformed(file, `rules, ${error.message}`);
    throw error;
  }
}

function expressionTextIn(node: Node | undefined, file: string): ExpressionText {
  if (node?.kind === 'string') return node.value;
  const [all, any] = [member(node, 'all'), member(node, 'any')];
  const parts = items(all ?? any).map((part) => expressionTextIn(part, file));
  if (parts.length === 0) throw malformed(file, 'rules');
  return all ? { all: parts } : { any: parts };
}

function readException(node: Node): Exception {
  const [wallet = '', rule = '', reason = '', until] = ['wallet', 'rule', 'reason', 'until'].map((key) =>
    textInNode(member(node, key)),
  );
  const day = until === undefined ? undefined : parseDay(until);
  const endsAt = day === undefined ? undefined : day + DAY_MS;
  return { wallet, id: wallet.toLowerCase(), rule, reason, until, endsAt };
}

export function readEnd(node: ObjectNode): ReviewEnd {
  const numberAt = (key: string, of: Node = node) => Number(cellText(member(of, key)) || 0);
  const counts = memberOf(node, 'counts');
  return {
    ended: timeIn(textInNode(memberOf(node, 'ended')) ?? ''),
    rows: numberAt('rows'),
    counts: Object.fromEntries(STATUSES.map((status) => [status, numberAt(status, counts)])) as Record<Status, number>,
    exitCode: numberAt('exit_code'),
    sha256: textInNode(memberOf(node, 'sha256')),
    valuesFrom: items(memberOf(node, 'values_from')).flatMap((file) => fileIn(file) ?? []),
  };
}

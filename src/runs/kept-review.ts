/**
 * A whole review as one file: a line that says what was reviewed and how, the rows as riskcli profile --jsonl writes them, and a
 * line that says how it ended, without which the file is torn. Its name is the UTC second in which the run began.
 */
import { existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { isScalar, type Node, NULL, type ObjectNode } from '../document/node.ts';
import { memberOf } from '../document/path.ts';
import { cellText, writeCompact } from '../document/write.ts';
import { ListError } from '../errors.ts';
import { type AtomicFile, type AtomicHost, createAtomicFile } from '../files/atomic-file.ts';
import { closeQuietly } from '../files/close-file.ts';
import { asFileError, shownPath } from '../files/file-error.ts';
import { BLOCK_BYTES, createTextBlock } from '../files/text-block.ts';
import type { Exception } from '../row/judge.ts';
import { type Row, type Status, writeRow } from '../row/row.ts';
import { expressionText, parseExpressionText, type Rule } from '../row/rules.ts';
import { DAY_MS, parseDay } from '../text/when.ts';

const VERSION = 1;

/** A file that was read, for evidence: its name, and the digest of its bytes, unpacked; none for standard input. */
export interface ReadFile {
  readonly name: string;
  readonly sha256?: string | undefined;
}

/** What was reviewed, and how: the first line. */
export interface ReviewHeader {
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
  /** The names of other kept reviews from which values are, of wallets that have no score in that one. */
  readonly carriedFrom: readonly string[];
}

/** How it ended: the last line. */
export interface ReviewEnd {
  readonly ended: number;
  readonly rows: number;
  readonly counts: Readonly<Record<Status, number>>;
  readonly exitCode: number;
}

export const HEADER_KEY = 'riskcli_review';
export const END_KEY = 'riskcli_review_end';

function headerLine(header: ReviewHeader): string {
  const { rules, exceptions, labelColumn, baseUrl, begun, carriedFrom, ...rest } = header;
  return JSON.stringify({
    [HEADER_KEY]: VERSION,
    ...rest,
    rules: rules.map(({ source, name, when, note, level }) => ({
      ...{ source, name, if: expressionText(when), note },
      ...(level === 'watch' && { level }),
    })),
    exceptions: exceptions?.map(({ wallet, rule, reason, until }) => ({ wallet, rule, reason, until })),
    label_column: labelColumn,
    base_url: baseUrl,
    begun: new Date(begun).toISOString(),
    ...(carriedFrom.length > 0 && { carried_from: carriedFrom }),
  });
}

const endLine = ({ ended, rows, counts, exitCode }: ReviewEnd) =>
  JSON.stringify({ [END_KEY]: VERSION, ended: new Date(ended).toISOString(), rows, counts, exit_code: exitCode });

/** A review that is being written; it takes its place in the folder when it is whole. */
export interface KeptWriter {
  /** The name that it has, or will have. */
  readonly name: string;
  row(row: Row): void;
  /** Puts it in place, synced. @throws IoError */
  commit(end: Omit<ReviewEnd, 'rows'>): Promise<void>;
  discard(): void;
}

/** Begins to write a review into `folder`, for the holder of its lock. @throws IoError */
export function createKeptWriter(folder: string, header: ReviewHeader, host: AtomicHost): KeptWriter {
  const name = freeName(folder, header.begun);
  const path = join(folder, name);
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw cannotKeep(path, cause);
    }
  };
  const file: AtomicFile = guarded(() => createAtomicFile(path, { host, mode: 0o600 }));
  const block = createTextBlock();
  let rows = 0;
  block.add(`${headerLine(header)}\n`);
  return {
    name,
    row(row) {
      rows += 1;
      block.add(`${writeRow(row)}\n`);
      if (block.size >= BLOCK_BYTES) guarded(() => file.write(block.take()));
    },
    async commit(end) {
      block.add(`${endLine({ ...end, rows })}\n`);
      guarded(() => file.write(block.take()));
      await file.commit().catch((cause: unknown) => {
        throw cannotKeep(path, cause);
      });
    },
    discard: () => file.discard(),
  };
}

const cannotKeep = (path: string, error: unknown) =>
  asFileError(error, `the review ${shownPath(path)} cannot be kept`, {
    hint: 'make room, then run the same command again',
    isResumable: true,
  });

const SECOND_MS = 1_000;

/** The name of the second `begun`, or of the next one that no review has. */
function freeName(folder: string, begun: number): string {
  const stem = new Date(begun).toISOString().slice(0, 19).replaceAll(':', '');
  const name = `${stem}Z.jsonl`;
  const isTaken = [name, `${name}.gz`].some((one) => existsSync(join(folder, one)));
  return isTaken ? freeName(folder, begun + SECOND_MS) : name;
}

/** More than the last line of a review takes. */
const TAIL_BYTES = 4_096;

/** When the review at `path` ended, by its last line; undefined for one that is packed, torn or cannot be read. */
export function endedAt(path: string): number | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(TAIL_BYTES, size));
    readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    const [, ended = ''] = /\n\{"riskcli_review_end":.*?"ended":"([^"]*)".*\n$/.exec(bytes.toString('latin1')) ?? [];
    const at = Date.parse(ended);
    return Number.isNaN(at) ? undefined : at;
  } catch {
    // Whoever reads it all says why it cannot be read.
    return undefined;
  } finally {
    closeQuietly(fd);
  }
}

const text = (node: Node | undefined) => (node && isScalar(node) ? cellText(node) || undefined : undefined);
const items = (node: Node | undefined) => (node?.kind === 'array' ? node.items : []);
const member = (node: Node | undefined, key: string) => (node?.kind === 'object' ? memberOf(node, key) : undefined);

/** @throws ListError for a review that a newer riskcli has written */
export function readHeader(node: ObjectNode, name: string): ReviewHeader {
  if (cellText(memberOf(node, HEADER_KEY)) !== String(VERSION)) {
    throw new ListError(`${name} was written by a newer version of riskcli`, { hint: 'update riskcli' });
  }
  const at = (key: string) => memberOf(node, key);
  const fileAt = (key: string): ReadFile | undefined => {
    const found = text(member(at(key), 'name'));
    return found === undefined ? undefined : { name: found, sha256: text(member(at(key), 'sha256')) };
  };
  const begun = Date.parse(text(at('begun')) ?? '');
  return {
    list: fileAt('list') ?? { name: '', sha256: undefined },
    policy: fileAt('policy'),
    rules: items(at('rules')).map(readRule),
    exceptions: at('exceptions') ? items(at('exceptions')).map(readException) : undefined,
    accept: items(at('accept')).map(cellText),
    label: text(at('label')),
    labelColumn: text(at('label_column')),
    since: text(at('since')),
    score: text(at('score')),
    baseUrl: text(at('base_url')) ?? '',
    environment: text(at('environment')) ?? '',
    version: text(at('version')) ?? '',
    begun,
    compared: fileAt('compared'),
    carriedFrom: items(at('carried_from')).map(cellText),
  };
}

function readRule(node: Node): Rule {
  const note = text(member(node, 'note'));
  const when = parseExpressionText(JSON.parse(writeCompact(member(node, 'if') ?? NULL)));
  const source = text(member(node, 'source')) === '--policy' ? '--policy' : '--fail-if';
  // What is no watch rule for sure is an alarm.
  const level = text(member(node, 'level')) === 'watch' ? 'watch' : 'alarm';
  return { source, name: text(member(node, 'name')) ?? '', when, level, ...(note !== undefined && { note }) };
}

function readException(node: Node): Exception {
  const [wallet = '', rule = '', reason = '', until] = ['wallet', 'rule', 'reason', 'until'].map((key) =>
    text(member(node, key)),
  );
  const day = until === undefined ? undefined : parseDay(until);
  const endsAt = day === undefined ? undefined : day + DAY_MS;
  return { wallet, id: wallet.toLowerCase(), rule, reason, until, endsAt };
}

export function readEnd(node: ObjectNode): ReviewEnd {
  const numberAt = (key: string, of: Node = node) => Number(cellText(member(of, key)) || 0);
  const counts = memberOf(node, 'counts');
  const of = (status: Status) => numberAt(status, counts);
  return {
    ended: Date.parse(text(memberOf(node, 'ended')) ?? ''),
    rows: numberAt('rows'),
    counts: {
      scored: of('scored'),
      no_score: of('no_score'),
      invalid: of('invalid'),
      failed: of('failed'),
      pending: of('pending'),
    },
    exitCode: numberAt('exit_code'),
  };
}

/**
 * Remarks on a list that was read, so that nothing is lost in silence: the sheet that was chosen,
 * comments that contain an address, a first line that was taken for a header or a title, cells that
 * were redacted, and formulas without a value.
 */
import { quoted } from '../secrets/redact.ts';
import { ownCopy } from '../text/own-copy.ts';
import { groupDigits } from '../text/words.ts';
import { addressesIn } from '../wallet/address.ts';
import { parseCsv } from './csv/csv.ts';
import type { Line } from './lines.ts';
import type { ListHead, ListRemark, ReadListOptions } from './list.ts';

/** More comments than this are not looked at for rows. */
const MAX_LIKE_ROWS = 1_000;
/** Beyond this many columns, cells are counted together. */
const MAX_LISTED_COLUMNS = 20;

const IN_QUOTES = 'put the # in quotes, or take it out, to make such a line a row';
const BELOW_NAMES = 'put a line with the names of the columns above it to make it a row';
const KEPT_COLUMNS = 'hashes are kept in a column with the word tx or hash in its name';
const COMPUTE = 'open and save the workbook in a spreadsheet program';

type Head = Pick<ListHead, 'kind' | 'columns' | 'delimiter'>;

/** The settings by which a list is read, and the remarks of its reader. */
export interface ListReading extends ReadListOptions {
  readonly remarks: Remarks;
}

export type Remarks = ReturnType<typeof createRemarks>;

export function createRemarks() {
  let comments: CountedLines | undefined;
  let header: (CountedLines & { readonly text: string }) | undefined;
  const likeRows: Line[] = [];
  const redacted = countByColumn();
  const notComputed = countByColumn();
  let sheet: ListRemark | undefined;
  return {
    /** The sheet `name` is read; `others` of the workbook have addresses. */
    sheet(name: string, others: readonly string[]): void {
      const also = others.length > 0 ? `, and ${nameList(others)} also has addresses` : '';
      const remedy = others.length > 0 ? 'choose one with --sheet' : undefined;
      sheet = { audience: 'person', what: `the sheet ${quoted(name)} is read${also}`, remedy };
    },
    comment({ line, text }: Line): void {
      if (/^\s*#\S/.test(text) && likeRows.length < MAX_LIKE_ROWS) likeRows.push({ line, text: ownCopy(text) });
      if (addressesIn(text).length === 0) return;
      comments = { count: (comments?.count ?? 0) + 1, first: comments?.first ?? line };
    },
    /**
     * `lines` are taken for a title or for the header, though none of their cells is a usual name.
     */
    header(lines: readonly Line[]): void {
      const [first] = lines;
      if (first) header = { count: lines.length, first: first.line, text: first.text.trim() };
    },
    /** A cell of `column` is redacted, or a part of it; of a list without columns it is a line. */
    redacted: redacted.add,
    /** A cell of `column` is a formula without a value. */
    notComputed: notComputed.add,
    /** Notes which of the `shown` cells of the columns `names` are not as they were. */
    cells(names: readonly string[], own: readonly string[], shown: readonly string[]): void {
      for (let i = 0; i < own.length; i++) if (shown[i] !== own[i]) redacted.add(names[i]);
    },
    /** All that was noted so far of a list with this head. */
    all(head: Head): readonly ListRemark[] {
      const rows = likeRows.filter(({ text }) => isRowOf(head, text));
      const withoutAddress = rows.filter(({ text }) => addressesIn(text).length === 0);
      const title = `lines taken for a title or a header (${quoted(header?.text ?? '')})`;
      return [
        ...(sheet ? [sheet] : []),
        ...remark('person', 'comments that contain an address', comments, IN_QUOTES),
        ...remark('person', 'rows that are comments', countLines(withoutAddress), IN_QUOTES),
        ...remark('log', 'rows that are comments', countLines(rows), IN_QUOTES),
        ...remark('person', title, header, BELOW_NAMES),
        ...redacted.remark('cells redacted, since they may hold private keys', KEPT_COLUMNS),
        ...notComputed.remark('formulas without a stored value', COMPUTE),
      ];
    },
  };
}

const countLines = (lines: readonly Line[]): CountedLines | undefined =>
  lines[0] && { count: lines.length, first: lines[0].line };

interface CountedLines {
  readonly count: number;
  /** The number of the first line. */
  readonly first: number;
}

function remark(
  audience: ListRemark['audience'],
  what: string,
  counted: CountedLines | undefined,
  remedy: string,
): readonly ListRemark[] {
  if (!counted) return [];
  const { count, first } = counted;
  return [{ audience, what: `${what}: ${groupDigits(count)}, first on line ${groupDigits(first)}`, remedy }];
}

/** Whether the comment `text` has as many cells as the table has columns. */
function isRowOf({ kind, columns, delimiter }: Head, text: string): boolean {
  if (kind !== 'csv') return false;
  const [cells] = parseCsv([{ line: 1, text }], { delimiter, hasComments: false });
  return cells?.length === columns?.length;
}

/** Counts cells by the names of their columns. */
function countByColumn() {
  const counts = new Map<string, number>();
  return {
    add(column = ''): void {
      const name = counts.has(column) || counts.size < MAX_LISTED_COLUMNS ? column : '';
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    remark(what: string, remedy: string): readonly ListRemark[] {
      if (counts.size === 0) return [];
      const places = [...counts].map(([column, count]) =>
        column ? `${groupDigits(count)} in ${quoted(column)}` : groupDigits(count),
      );
      return [{ audience: 'both', what: `${what}: ${places.join(', ')}`, remedy }];
    },
  };
}

const MAX_LISTED_SHEETS = 20;

/** Names of sheets in quotes, not too many. */
export function nameList(names: readonly string[]): string {
  const listed = names.slice(0, MAX_LISTED_SHEETS).map(quoted).join(', ');
  const more = names.length - MAX_LISTED_SHEETS;
  return more > 0 ? `${listed} and ${groupDigits(more)} more` : listed;
}

/** A remark in one line. */
export const remarkText = ({ what, remedy }: ListRemark): string => (remedy ? `${what}; ${remedy}` : what);

/**
 * Every output format is a row here: its switch, its file extensions, and which commands have it. Its writer for rows of a
 * list is in output/rows/row-writer.ts, the reader of what begins like it in runs/open-results.ts: without either it does not
 * compile.
 */
import type { ParsedArgs } from './flag.ts';

interface Format {
  /** Whether `--NAME` is another way to write `--format NAME`. */
  readonly hasSwitch?: true;
  /** Extensions of files (-o) in this format. */
  readonly extensions?: readonly string[];
  /** Whether messages on standard error are JSON as well. */
  readonly isJson?: true;
}

/** A format of rows for programs: diff, report and review read it back. */
interface DataRow extends Format {
  /** The first character by which its files are known: '' for a header of cells, whatever their delimiter. */
  readonly begins: string;
  /** Whether a row is cells below a header, and not an object. */
  readonly hasColumns: boolean;
}

const OF_DATA = {
  json: { hasSwitch: true, extensions: ['.json'], isJson: true, begins: '[', hasColumns: false },
  jsonl: { hasSwitch: true, extensions: ['.jsonl'], isJson: true, begins: '{', hasColumns: false },
  csv: { hasSwitch: true, extensions: ['.csv'], begins: '', hasColumns: true },
} as const satisfies Record<string, DataRow>;

/** Formats of lists, in the order in which help lists them. Each kind of rows draws a table itself. */
const OF_LISTS = { table: {}, ...OF_DATA } as const satisfies Record<string, Format>;

/** Formats of reports of a list. */
const OF_REPORTS = {
  html: { extensions: ['.html', '.htm'] },
} as const satisfies Record<string, Format>;

const FORMATS = {
  ...OF_LISTS,
  nagios: {},
  prometheus: { extensions: ['.prom'] },
  ...OF_REPORTS,
} as const satisfies Record<string, Format>;

export type ListFormat = keyof typeof OF_LISTS;
export type DataFormat = keyof typeof OF_DATA;
export type Beginning = (typeof OF_DATA)[DataFormat]['begins'];
export type ReportFormat = keyof typeof OF_REPORTS;
export type FormatName = keyof typeof FORMATS;
export type FormatSwitch = {
  [Name in FormatName]: (typeof FORMATS)[Name] extends { hasSwitch: true } ? Name : never;
}[FormatName];

const ROWS = Object.entries<Format>(FORMATS) as readonly (readonly [FormatName, Format])[];
const namesWhere = (holds: (format: Format) => unknown) => ROWS.flatMap(([name, row]) => (holds(row) ? [name] : []));

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];
export const LIST_FORMATS = Object.keys(OF_LISTS) as readonly ListFormat[];
export const DATA_FORMATS = Object.keys(OF_DATA) as readonly DataFormat[];
export const REPORT_FORMATS = Object.keys(OF_REPORTS) as readonly ReportFormat[];
export const isReport = (name: FormatName): name is ReportFormat => Object.hasOwn(OF_REPORTS, name);
/** Formats of commands that print a few values. */
export const RECORD_FORMATS = ['table', 'json', 'csv'] as const satisfies readonly FormatName[];
/** Those in which a single record can be printed. */
export type RecordFormat = (typeof RECORD_FORMATS)[number] | 'jsonl';
export const FORMAT_SWITCHES = namesWhere(({ hasSwitch }) => hasSwitch) as readonly FormatSwitch[];

export const hasColumns = (name: ListFormat): boolean => name !== 'table' && OF_DATA[name].hasColumns;

/** How a file begins whose first character is `first`. */
export const beginningOf = (first: string): Beginning =>
  DATA_FORMATS.map((name) => OF_DATA[name].begins).find((one) => one === first) ?? '';

/** The format that the name of `file` says. */
export function formatOfFile(file: string): FormatName | undefined {
  const extension = /\.[a-z]+$/i.exec(file)?.[0].toLowerCase() ?? '';
  return namesWhere(({ extensions }) => extensions?.includes(extension))[0];
}

/** The extension of files in the format `name`; undefined when it has none. */
export const extensionOf = (name: FormatName): string | undefined => (FORMATS[name] as Format).extensions?.[0];

/** What flags say of the format. */
export type AskedFormat = { readonly [Name in FormatSwitch]?: boolean } & {
  readonly format?: string | undefined;
  /** The file of -o. */
  readonly output?: string | undefined;
};

/** The format that was typed; undefined when none was. */
export const typedFormat = (asked: AskedFormat): string | undefined =>
  asked.format ?? FORMAT_SWITCHES.find((name) => asked[name]);

const isJson = (name: string) => ROWS.some(([known, row]) => known === name && row.isJson);

/**
 * @param about.leftOver words of a wrong command line that no option took: `--json` counts even where it is not an option
 * @param about.isRead whether a person reads the messages: then the name of an output file does not count
 */
export function asksForJson(
  { words }: ParsedArgs,
  { leftOver, isRead }: { readonly leftOver: readonly string[]; readonly isRead: boolean },
): boolean {
  const switches = FORMAT_SWITCHES.filter((name) => words(name) || leftOver.includes(`--${name}`));
  const formats = [...(words('format')?.slice(-1) ?? []), ...switches];
  if (formats.length > 0) return formats.some(isJson);
  const output = words('output')?.at(-1);
  return !isRead && output !== undefined && isJson(formatOfFile(output) ?? '');
}

/**
 * Every output format is a row here: its switch, its file extensions, and what it can do. Output
 * writes the formats, and runs reads some of them back: both take their lists from here.
 */
import { anyOf } from '../text/words.ts';

interface Format {
  /** Whether `--NAME` is another way to write `--format NAME`. */
  readonly hasSwitch?: true;
  /** Extensions of files (-o) in this format. */
  readonly extensions?: readonly string[];
  /** Whether messages on standard error are JSON as well. */
  readonly isJson?: true;
  /**
   * Whether a person opens the file with another program, which expects this format by the file's
   * name.
   */
  readonly isDocument?: true;
  /** Whether it can be written to a file only. */
  readonly needsFile?: true;
}

/** A format of rows for programs. */
interface DataRow extends Format {
  /** Whether a row is cells below a header, and not an object. */
  readonly hasColumns: boolean;
  /** Whether riskcli reads it back, as diff, report and review do. */
  readonly isReadBack: boolean;
}

const DATA_FORMAT_TRAITS = {
  json: {
    hasSwitch: true,
    extensions: ['.json'],
    isJson: true,
    hasColumns: false,
    isReadBack: true,
  },
  jsonl: {
    hasSwitch: true,
    extensions: ['.jsonl'],
    isJson: true,
    hasColumns: false,
    isReadBack: true,
  },
  csv: {
    hasSwitch: true,
    extensions: ['.csv'],
    hasColumns: true,
    isReadBack: true,
  },
  xlsx: {
    extensions: ['.xlsx'],
    hasColumns: true,
    isReadBack: false,
    isDocument: true,
    needsFile: true,
  },
} as const satisfies Record<string, DataRow>;

/**
 * Formats of lists, in the order in which help lists them. Each kind of rows draws a table itself.
 */
const LIST_FORMAT_TRAITS = { table: {}, ...DATA_FORMAT_TRAITS } as const satisfies Record<string, Format>;

/** Formats of reports of a list. */
const REPORT_FORMAT_TRAITS = {
  html: { extensions: ['.html', '.htm'], isDocument: true },
} as const satisfies Record<string, Format>;

const FORMAT_TRAITS = {
  ...LIST_FORMAT_TRAITS,
  nagios: {},
  prometheus: { extensions: ['.prom'] },
  ...REPORT_FORMAT_TRAITS,
} as const satisfies Record<string, Format>;

export type ListFormat = keyof typeof LIST_FORMAT_TRAITS;
export type DataFormat = keyof typeof DATA_FORMAT_TRAITS;
type ReportFormat = keyof typeof REPORT_FORMAT_TRAITS;
export type FormatName = keyof typeof FORMAT_TRAITS;
export type FormatSwitch = {
  [Name in FormatName]: (typeof FORMAT_TRAITS)[Name] extends { hasSwitch: true } ? Name : never;
}[FormatName];

export const FORMAT_NAMES = Object.keys(FORMAT_TRAITS) as readonly FormatName[];
export const LIST_FORMATS = Object.keys(LIST_FORMAT_TRAITS) as readonly ListFormat[];
export const DATA_FORMATS = Object.keys(DATA_FORMAT_TRAITS) as readonly DataFormat[];
export const READ_BACK_FORMATS = DATA_FORMATS.filter((name) => DATA_FORMAT_TRAITS[name].isReadBack);
export const REPORT_FORMATS = Object.keys(REPORT_FORMAT_TRAITS) as readonly ReportFormat[];
/** Formats of commands that print a few values. */
export const RECORD_FORMATS = ['table', 'json', 'csv'] as const satisfies readonly FormatName[];

/** The capabilities of the format `name`. */
export const formatNamed = (name: FormatName): Format => FORMAT_TRAITS[name];
export const dataFormat = (name: DataFormat): DataRow => DATA_FORMAT_TRAITS[name];

export const FORMAT_SWITCHES = FORMAT_NAMES.filter((name) => formatNamed(name).hasSwitch) as readonly FormatSwitch[];

export const hasColumns = (name: ListFormat): boolean => name !== 'table' && DATA_FORMAT_TRAITS[name].hasColumns;

/** The format that the name of `file` says. */
export function formatOfFile(file: string): FormatName | undefined {
  const extension = /\.[a-z]+$/i.exec(file)?.[0].toLowerCase() ?? '';
  return FORMAT_NAMES.find((name) => formatNamed(name).extensions?.includes(extension));
}

/** The extension of files in the format `name`; undefined when it has none. */
export const extensionOf = (name: FormatName): string | undefined => formatNamed(name).extensions?.[0];

/** `.json, .jsonl or .csv`: the extensions of files in these formats. */
export const extensionWords = (names: readonly FormatName[]): string =>
  anyOf(names.flatMap((name) => extensionOf(name) ?? []));

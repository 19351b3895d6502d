/** Which format a command prints in. No setting decides it: a script must not change with the configuration. */
import { statSync } from 'node:fs';
import { IoError, UsageError } from '../errors.ts';
import { quoted } from '../secrets/withhold.ts';
import {
  type AskedFormat,
  extensionOf,
  FORMAT_NAMES,
  FORMAT_SWITCHES,
  type FormatName,
  formatOfFile,
  isReport,
  outputsOf,
  typedFormats,
} from './formats.ts';

export interface FormatOptions<F extends FormatName> {
  readonly choices: readonly F[];
  /** A list that goes to a file of an unknown name must say its format. */
  readonly list?: boolean;
  /** Whether no output file is written, so that its name decides no format. */
  readonly ignoreName?: boolean;
}

/**
 * The format typed, else that of the output file's name, else a table.
 * @throws UsageError when two formats are typed, when a list's file name says none, and when another format is to be written
 * to a .html file; IoError when the output is a directory
 */
export function chooseFormat<F extends FormatName>(asked: AskedFormat, options: FormatOptions<F>): F | 'table' {
  const { choices, ignoreName } = options;
  const typed = checkFormats(asked, choices);
  const format = choices.find((choice) => choice === typed);
  const [output] = outputsOf(asked);
  if (format && output !== undefined && !ignoreName) checkPage(output, format);
  if (format || ignoreName || output === undefined) return format ?? 'table';
  return formatByName(output, options, `add --format with one of ${choices.join(', ')}`);
}

/** `--json -o page.html`: whoever opens the page expects one. @throws UsageError */
function checkPage(output: string, format: FormatName): void {
  const said = formatOfFile(output);
  if (said === undefined || !isReport(said) || isReport(format)) return;
  throw new UsageError(`${quoted(output)} would hold ${format}, and its name says ${said}`, {
    hint: `leave out ${flagFor(format)}, or end the name in ${extensionOf(format) ?? 'something else'}`,
  });
}

function formatByName<F extends FormatName>(
  output: string,
  { choices, list }: FormatOptions<F>,
  hint: string,
): F | 'table' {
  const said = formatOfFile(output);
  const format = choices.find((choice) => choice === said);
  if (!format && output !== '-' && statSync(output, { throwIfNoEntry: false })?.isDirectory()) {
    throw new IoError(`${quoted(output)} is a directory`, { hint: 'give a file in it' });
  }
  if (!format && list && output !== '-') {
    throw new UsageError(`the file name ${quoted(output)} does not say which format to write`, { hint });
  }
  return format ?? 'table';
}

/** A file of -o, or `-` for standard output, and what is written there. */
export interface Output<F extends FormatName> {
  readonly path: string;
  readonly format: F | 'table';
}

/**
 * Where a run writes: one file or several, each in the format of its name, or standard output.
 * @throws UsageError as chooseFormat does, when standard output is given twice, and for --format with several files
 */
export function chooseOutputs<F extends FormatName>(
  asked: AskedFormat,
  options: FormatOptions<F>,
): readonly Output<F>[] {
  const files = outputsOf(asked);
  if (files.length < 2) return [{ path: files[0] ?? '-', format: chooseFormat(asked, options) }];
  const format = checkFormats(asked, options.choices);
  if (format !== undefined) {
    throw new UsageError(`--format ${format} cannot be used with several outputs`, {
      hint: 'leave it out: the name of each file says its format',
    });
  }
  if (files.filter((file) => file === '-').length > 1) {
    throw new UsageError('standard output is given twice', { hint: 'remove one of the two' });
  }
  return outputsByName(files, options);
}

/** `files`, each with the format that its name says. @throws UsageError for a name that says none */
export function outputsByName<F extends FormatName>(
  files: readonly string[],
  options: FormatOptions<F>,
): readonly Output<F>[] {
  for (const path of files) refuseBareName(path, options.choices, { isPrinted: false });
  const names = options.choices.filter((name) => formatOfFile(`.${name}`) === name).map((name) => `.${name}`);
  return files.map((path) => ({ path, format: formatByName(path, options, `end it in ${names.join(', ')}`) }));
}

/** The format typed. @throws UsageError when there are two, or when -o names none but should */
export function checkFormats(typed: AskedFormat, choices: readonly string[]): string | undefined {
  const formats = typedFormats(typed);
  if (formats.length > 1) {
    throw new UsageError(`more than one format was given (${formats.join(', ')})`, { hint: 'choose one' });
  }
  const files = outputsOf(typed);
  for (const output of files) refuseBareName(output, choices, { isPrinted: files.length === 1 });
  return formats[0];
}

/**
 * `-o json` would make a file called json, in another format.
 * @param isPrinted whether the one output may be standard output, in a format that is asked for
 */
function refuseBareName(
  output: string,
  choices: readonly string[],
  { isPrinted }: { readonly isPrinted: boolean },
): void {
  const name = FORMAT_NAMES.find((known) => known === output.toLowerCase());
  if (!name || !choices.includes(name)) return;
  const extension = extensionOf(name);
  const ways = [
    ...(isPrinted && !isReport(name) ? [`use ${flagFor(name)}`] : []),
    ...(extension === undefined ? [] : [`name a file: -o FILE${extension}`]),
  ];
  throw new UsageError(`-o ${output} would write a file with the name of a format`, {
    hint: ways.join(', or ') || 'give it another name',
  });
}

const flagFor = (name: FormatName) => (FORMAT_SWITCHES.some((one) => one === name) ? `--${name}` : `--format ${name}`);

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
  const { output } = asked;
  if (format && output !== undefined && !ignoreName) checkPage(output, format);
  if (format || ignoreName || output === undefined) return format ?? 'table';
  return formatByName(output, options);
}

/** `--json -o page.html`: whoever opens the page expects one. @throws UsageError */
function checkPage(output: string, format: FormatName): void {
  const said = formatOfFile(output);
  if (said === undefined || !isReport(said) || isReport(format)) return;
  throw new UsageError(`${quoted(output)} would hold ${format}, and its name says ${said}`, {
    hint: `leave out ${flagFor(format)}, or end the name in ${extensionOf(format) ?? 'something else'}`,
  });
}

function formatByName<F extends FormatName>(output: string, { choices, list }: FormatOptions<F>): F | 'table' {
  const said = formatOfFile(output);
  const format = choices.find((choice) => choice === said);
  if (!format && output !== '-' && statSync(output, { throwIfNoEntry: false })?.isDirectory()) {
    throw new IoError(`${quoted(output)} is a directory`, { hint: 'give a file in it' });
  }
  if (!format && list && output !== '-') {
    throw new UsageError(`the file name ${quoted(output)} does not say which format to write`, {
      hint: `add --format with one of ${choices.join(', ')}`,
    });
  }
  return format ?? 'table';
}

/** The format typed. @throws UsageError when there are two, or when -o names none but should */
export function checkFormats(typed: AskedFormat, choices: readonly string[]): string | undefined {
  const formats = typedFormats(typed);
  if (formats.length > 1) {
    throw new UsageError(`more than one format was given (${formats.join(', ')})`, { hint: 'choose one' });
  }
  if (typed.output !== undefined) refuseBareName(typed.output, choices);
  return formats[0];
}

/** `-o json` would make a file called json, in another format. */
function refuseBareName(output: string, choices: readonly string[]): void {
  const name = FORMAT_NAMES.find((known) => known === output.toLowerCase());
  if (!name || !choices.includes(name)) return;
  const extension = extensionOf(name);
  const ways = [
    ...(!isReport(name) ? [`use ${flagFor(name)}`] : []),
    ...(extension === undefined ? [] : [`name a file: -o FILE${extension}`]),
  ];
  throw new UsageError(`-o ${output} would write a file with the name of a format`, {
    hint: ways.join(', or ') || 'give it another name',
  });
}

const flagFor = (name: FormatName) => (FORMAT_SWITCHES.some((one) => one === name) ? `--${name}` : `--format ${name}`);

/** Which format a command prints in. No setting decides it: a script must not change with the configuration. */
import { UsageError } from '../errors.ts';
import { quoted } from '../secrets/withhold.ts';
import {
  type AskedFormat,
  extensionOf,
  FORMAT_NAMES,
  FORMAT_SWITCHES,
  type FormatName,
  formatOfFile,
  isReport,
  typedFormat,
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
 * @throws UsageError when a list's file name says none, and when it says another one than was typed, or is that of a format
 */
export function chooseFormat<F extends FormatName>(asked: AskedFormat, options: FormatOptions<F>): F | 'table' {
  const { choices, list, ignoreName } = options;
  const { output = '-' } = asked;
  refuseBareName(output, choices);
  const typed = typedFormat(asked);
  const format = choices.find((choice) => choice === typed);
  if (ignoreName || output === '-') return format ?? 'table';
  if (format) {
    checkPage(output, format);
    return format;
  }
  const said = formatOfFile(output);
  const meant = choices.find((choice) => choice === said);
  if (!meant && list) {
    throw new UsageError(`the file name ${quoted(output)} does not say which format to write`, {
      hint: `add --format with one of ${choices.join(', ')}`,
    });
  }
  return meant ?? 'table';
}

/** `--json -o page.html`: whoever opens the page expects one. @throws UsageError */
function checkPage(output: string, format: FormatName): void {
  const said = formatOfFile(output);
  if (said === undefined || !isReport(said) || isReport(format)) return;
  throw new UsageError(`${quoted(output)} would hold ${format}, and its name says ${said}`, {
    hint: `leave out ${flagFor(format)}, or end the name in ${extensionOf(format) ?? 'something else'}`,
  });
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

/**
 * Which format a command prints in. No setting decides it: a script must not change with the
 * configuration.
 */
import { UsageError } from '../errors.ts';
import {
  extensionOf,
  FORMAT_NAMES,
  FORMAT_SWITCHES,
  type FormatName,
  type FormatSwitch,
  formatNamed,
  formatOfFile,
} from '../row/formats.ts';
import { quoted } from '../secrets/redact.ts';

/** The flags that choose the format. */
export type AskedFormat = { readonly [Name in FormatSwitch]?: boolean } & {
  readonly format?: string | undefined;
  /** The file of -o. */
  readonly output?: string | undefined;
};

interface FormatOptions<F extends FormatName> {
  readonly choices: readonly F[];
  /** Whether the name of the output file must imply a format when none was typed. */
  readonly nameMustImply?: boolean;
  /** Whether no output file is written, so that its name decides no format. */
  readonly ignoreName?: boolean;
}

/**
 * The format typed, else that of the output file's name, else a table.
 * @throws UsageError when the file name must imply a format and does not, when it implies another
 * one than was typed, or is that of a format, and when a format that needs a file has none
 */
export function chooseFormat<F extends FormatName>(asked: AskedFormat, options: FormatOptions<F>): F | 'table' {
  const { choices, nameMustImply, ignoreName } = options;
  const { output = '-' } = asked;
  refuseBareName(output, choices);
  const typed = asked.format ?? FORMAT_SWITCHES.find((name) => asked[name]);
  const format = choices.find((choice) => choice === typed);
  if (ignoreName) return format ?? 'table';
  if (output === '-') {
    if (format && formatNamed(format).needsFile) {
      throw new UsageError(`${format} cannot be written to standard output`, { hint: nameFile(format) });
    }
    return format ?? 'table';
  }
  if (format) {
    checkDocument(output, format);
    return format;
  }
  const said = formatOfFile(output);
  const chosen = choices.find((choice) => choice === said);
  if (!chosen && nameMustImply) {
    throw new UsageError(`the file name ${quoted(output)} does not say which format to write`, {
      hint: `add --format with one of ${choices.join(', ')}`,
    });
  }
  return chosen ?? 'table';
}

/** `--json -o page.html`: whoever opens the page expects one. @throws UsageError */
function checkDocument(output: string, format: FormatName): void {
  const said = formatOfFile(output);
  if (said === undefined || said === format || !formatNamed(said).isDocument) return;
  throw new UsageError(`${quoted(output)} would hold ${format}, and its name says ${said}`, {
    hint: `leave out ${flagFor(format)}, or end the name in ${extensionOf(format) ?? 'something else'}`,
  });
}

/** `-o json` would make a file called json, in another format. */
function refuseBareName(output: string, choices: readonly string[]): void {
  const name = FORMAT_NAMES.find((known) => known === output.toLowerCase());
  if (!name || !choices.includes(name)) return;
  const ways = [
    ...(formatNamed(name).isDocument ? [] : [`use ${flagFor(name)}`]),
    ...(extensionOf(name) === undefined ? [] : [nameFile(name)]),
  ];
  throw new UsageError(`-o ${output} would write a file with the name of a format`, {
    hint: ways.join(', or ') || 'give it another name',
  });
}

const nameFile = (format: FormatName) => `name a file: -o FILE${extensionOf(format) ?? ''}`;

const flagFor = (name: FormatName) => (FORMAT_SWITCHES.some((one) => one === name) ? `--${name}` : `--format ${name}`);

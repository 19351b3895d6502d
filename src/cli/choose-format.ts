/** Which format a command prints in. No setting has a say in it: a script must not change under a config. */
import { UsageError } from '../errors.ts';
import { quoted } from '../secrets/withhold.ts';
import { type AskedFormat, type FormatName, formatOfFile, typedFormats } from './formats.ts';

export interface FormatOptions<F extends FormatName> {
  readonly choices: readonly F[];
  /** A list that goes to a file of an unknown name must say its format. */
  readonly list?: boolean;
  /** Nothing goes to the output file, so its name says nothing. */
  readonly ignoreName?: boolean;
}

/**
 * The format typed, else what the name of the output file says, else a table.
 * @throws UsageError when two formats are typed, or when a list's file name says none.
 */
export function chooseFormat<F extends FormatName>(asked: AskedFormat, options: FormatOptions<F>): F | 'table' {
  const { output: file } = asked;
  const known = (name: string | undefined) => options.choices.find((choice) => choice === name);
  const format = known(checkFormats(asked, options.choices));
  if (format) return format;
  const output = options.ignoreName ? undefined : file;
  const byName = known(formatOfFile(output ?? ''));
  if (byName) return byName;
  if (options.list && output !== undefined && output !== '-') {
    throw new UsageError(`the file name ${quoted(output)} does not say which format to write`, {
      hint: `add --format with one of ${options.choices.join(', ')}`,
    });
  }
  return 'table';
}

/** The format typed. @throws UsageError when there are two, or when -o names none but should */
export function checkFormats(typed: AskedFormat, choices: readonly string[]): string | undefined {
  const formats = typedFormats(typed);
  if (formats.length > 1) {
    throw new UsageError(`more than one format was given (${formats.join(', ')})`, { hint: 'choose one' });
  }
  refuseBareName(typed.output, choices);
  return formats[0];
}

/** `-o json` would make a file called json, and the format would be another one. */
function refuseBareName(output: string | undefined, choices: readonly string[]): void {
  const name = output?.toLowerCase();
  if (output === undefined || !choices.some((choice) => choice === name)) return;
  throw new UsageError(`-o ${output} would write a file with the name of a format`, {
    hint: `use --format ${name}, or -o ./${output} if you want a file of that name`,
  });
}

/**
 * The lines on stderr. One place decides their format (plain or JSON) and how many there are, so
 * that no command can print a stack trace, break a JSON consumer or write when asked to be quiet.
 */
import type { OutputStream, ReportContext, Reporter } from '../context.ts';
import { ERROR_CODES, type ErrorCode, type ErrorKind } from '../error-codes.ts';
import { exitCodeOf, RiskcliError } from '../errors.ts';
import type { ColorLevel } from '../output/terminal/color.ts';
import { FORMAT_NAMES, FORMAT_SWITCHES, formatNamed, formatOfFile } from '../row/formats.ts';
import { MIN_SECRET_LENGTH, redactApiKeys } from '../secrets/api-key.ts';
import { terminalColumns } from '../text/columns.ts';
import { visible } from '../text/escape.ts';
import { ISSUES, VERSION } from '../version.ts';
import type { ParsedArgs } from './flag.ts';

/** Whether messages are JSON, and which ones are printed. */
export interface MessageFlags {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Whether --verbose was typed twice. */
  readonly headers: boolean;
  readonly debug: boolean;
}

interface MessageOptions extends Partial<MessageFlags> {
  readonly stderr: OutputStream;
  /** The colours of stderr; by default none. */
  readonly color?: ColorLevel;
  /** Puts a line's words on lines of a terminal; by default they stay on one. */
  readonly wrap?: ((text: string, width: number) => readonly string[]) | undefined;
}

/** The colour of each kind of line; SGR codes of ECMA-48: red, yellow, dim. */
const MESSAGE_COLORS = { error: '31', warning: '33', note: '2' } as const;
/** Among 256 colours, a yellow that can be read on white and on black. */
const DARK_YELLOW = '38;5;136';

/**
 * The flags of messages, also of a command line that is wrong, as far as it could be read.
 * @param line.leftOver words of a wrong command line that no option took: `--json` counts even
 * where it is not an option
 * @param stderr on a terminal messages are JSON only where JSON was asked for by name
 */
export function messageFlags(
  { typed, leftOver = [] }: { readonly typed: ParsedArgs; readonly leftOver?: readonly string[] },
  { isTTY = false }: Pick<OutputStream, 'isTTY'>,
): MessageFlags {
  const end = leftOver.indexOf('--');
  const isTyped = (long: string) => typed.words(long) !== undefined;
  const beforeDashes = end < 0 ? leftOver : leftOver.slice(0, end);
  return {
    json: asksForJson(typed, { leftOver: beforeDashes, isRead: isTTY }),
    quiet: isTyped('quiet'),
    verbose: isTyped('verbose'),
    headers: (typed.words('verbose') ?? []).length > 1,
    debug: isTyped('debug'),
  };
}

const isJson = (name: string) => FORMAT_NAMES.some((known) => known === name && formatNamed(known).isJson);

/**
 * @param about.leftOver words of a wrong command line that no option took: `--json` counts even
 * where it is not an option
 * @param about.isRead whether a person reads the messages: then the name of an output file does not
 * count
 */
function asksForJson(
  { words }: ParsedArgs,
  { leftOver, isRead }: { readonly leftOver: readonly string[]; readonly isRead: boolean },
): boolean {
  const switches = FORMAT_SWITCHES.filter((name) => words(name) || leftOver.includes(`--${name}`));
  const formats = [...(words('format')?.slice(-1) ?? []), ...switches];
  if (formats.length > 0) return formats.some(isJson);
  const output = words('output')?.at(-1);
  return !isRead && output !== undefined && isJson(formatOfFile(output) ?? '');
}

type Description = ReturnType<typeof describeError>;

/** The request id of an error, or of an error that it was made from. */
function requestIdIn(error: unknown): string | undefined {
  if (!(error instanceof RiskcliError)) return undefined;
  return error.requestId ?? requestIdIn(error.cause);
}

/** An error as it is printed, under the names and in the order of the JSON object. */
function describeError(error: unknown, safe: (text: string) => string) {
  if (!(error instanceof RiskcliError)) {
    const name = error instanceof Error ? error.name : typeof error;
    return {
      exit_code: exitCodeOf(error),
      code: 'fault' as const,
      message: safe(`internal error in riskcli ${VERSION} (${name})`),
      hint: `run it again with --debug and report what it prints to ${ISSUES}`,
    };
  }
  const { code, message, hint, httpStatus, resumeAt, counts } = error;
  const requestId = requestIdIn(error);
  return {
    exit_code: error.exitCode,
    code,
    http_status: httpStatus,
    request_id: requestId && safe(requestId),
    retry_at: resumeAt === undefined ? undefined : new Date(resumeAt).toISOString(),
    counts,
    message: safe(message),
    hint: hint && safe(hint),
  };
}

/** Reports on `options.stderr`; a stderr that is full or gone changes nothing else. */
export function createReporter(options: MessageOptions): Reporter {
  let context: ReportContext = {};
  const { json = false, quiet = false, verbose = false, headers = false, debug = false } = options;
  const secrets: string[] = [];
  let prepare = () => {};
  const say = (line: string): void => {
    prepare();
    options.stderr.write(`${line}\n`, () => {});
  };
  const withoutKeys = (text: string) => redactApiKeys(text, secrets);
  const safe = (text: string) => withoutKeys(visible(text));
  const sayNote = (text: string, kind: 'warning' | 'note' = 'note') =>
    say(json ? JSON.stringify({ note: safe(text) }) : textLine(kind, safe(text), options));
  const info = (text: string) => {
    if (!quiet) sayNote(text);
  };
  return {
    isVerbose: verbose,
    showsHeaders: headers,
    isQuiet: quiet,
    isJson: json,
    redact(secret) {
      if (secret.length >= MIN_SECRET_LENGTH) secrets.push(secret);
    },
    onBeforeWrite(action) {
      prepare = action;
    },
    setContext(facts) {
      context = { ...context, ...facts };
    },
    warn: (text) => sayNote(text, 'warning'),
    info,
    hint(text) {
      if (options.stderr.isTTY) info(text);
    },
    verbose(text) {
      if (verbose) sayNote(text);
    },
    error(error) {
      if (error instanceof RiskcliError && error.isSilent) return;
      const described = describeError(error, safe);
      const stack = debug && error instanceof Error ? withoutKeys(stackOf(error)) : undefined;
      if (json)
        return say(JSON.stringify({ error: { ...described, ...errorContext(described, context, safe), stack } }));
      const { code, message, hint } = described;
      say(textLine('error', hint ? `${message}; ${hint}` : message, options, code));
      if (stack) say(stack);
    },
  };
}

/** The place of an error, and the commands to run next. */
const errorContext = ({ code }: Description, { environment, url }: ReportContext, safe: (text: string) => string) => ({
  environment: environment ?? null,
  url: url && safe(url),
  next: nextCommands(code, environment),
});

/** A name that needs no quotes in any shell. */
const PLAIN_NAME = /^[\w.-]+$/;

/**
 * A line that can be run as it is, in the environment that the error is about; undefined when there
 * is none.
 */
function nextCommands(code: ErrorCode, environment = 'default'): readonly string[] | undefined {
  const { run }: ErrorKind = ERROR_CODES[code];
  if (run === undefined) return undefined;
  const isElsewhere = environment !== 'default' && PLAIN_NAME.test(environment) && run.endsWith(' --json');
  return [isElsewhere ? `${run} -e ${environment}` : run];
}

/** @param code of an error, which `riskcli help CODE` explains */
function textLine(
  kind: keyof typeof MESSAGE_COLORS,
  text: string,
  { stderr, color = 0, wrap = (line) => [line] }: MessageOptions,
  code?: ErrorCode,
): string {
  if (!stderr.isTTY) return `riskcli: ${text}`;
  const styled = (style: string, part: string) => (color > 0 ? `\u001b[${style}m${part}\u001b[0m` : part);
  const mark = `${kind}:`;
  const end = code === undefined ? '' : `[${code}]`;
  const lines = wrap(`${mark} ${text} ${end}`.trimEnd(), terminalColumns(stderr)).join('\n');
  const style = kind === 'warning' && color > 1 ? DARK_YELLOW : MESSAGE_COLORS[kind];
  const body = lines.slice(mark.length, lines.length - end.length);
  return styled(style, mark) + body + (end && styled(MESSAGE_COLORS.note, end));
}

function stackOf(error: Error): string {
  const lines = [error.stack ?? String(error)];
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) lines.push(`caused by ${cause.stack}`);
  return lines.map((line) => line.split('\n').map(visible).join('\n')).join('\n');
}

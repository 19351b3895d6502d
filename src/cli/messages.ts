/**
 * The lines on stderr. One place decides their form (plain or JSON) and how much is said, so that no command can leak a
 * stack, break a JSON consumer or talk when asked to be quiet.
 */
import type { OutputStream, ReportContext, Reporter } from '../context.ts';
import type { ErrorCode } from '../error-codes.ts';
import { ExitCode, gravest, RiskcliError, type RowCounts } from '../errors.ts';
import { withholdApiKeys } from '../secrets/api-key.ts';
import { visible } from '../text/escape.ts';
import { wrapped } from '../text/words.ts';
import { ISSUES } from '../version.ts';
import type { ParsedArgs } from './flag.ts';
import { asksForJson } from './formats.ts';
import { nextCommands } from './next-commands.ts';

/** In which form messages are printed, plain lines or JSON, and how much is said. */
export interface MessageFlags {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Typed twice. */
  readonly headers: boolean;
  readonly debug: boolean;
}

export interface MessageOptions extends MessageFlags {
  readonly stderr: OutputStream;
  /** Whether stderr may be coloured; by default not. */
  readonly isColored?: boolean;
  readonly version: string;
}

/** How a terminal marks each kind of line; SGR codes of ECMA-48: red, yellow, dim. */
const KINDS = { error: 31, warning: 33, note: 2 } as const;

/**
 * A command line that is wrong is answered in the form that it asked for, too, as far as it could be read.
 * @param leftOver words of a wrong command line that no option took: `--json` where it is not known is still a wish
 */
export function messageFlags(typed: ParsedArgs, leftOver: readonly string[]): MessageFlags {
  const end = leftOver.indexOf('--');
  const isTyped = (long: string) => typed.words(long) !== undefined;
  const strays = end < 0 ? leftOver : leftOver.slice(0, end);
  return {
    json: asksForJson(typed, strays),
    quiet: isTyped('quiet'),
    verbose: isTyped('verbose'),
    headers: (typed.words('verbose') ?? []).length > 1,
    debug: isTyped('debug'),
  };
}

/** The exit code that `error` asks for; anything unforeseen is internal error in riskcli. */
export function exitCodeOf(error: unknown): ExitCode {
  return error instanceof RiskcliError ? error.exitCode : ExitCode.fault;
}

/** The one of two errors whose exit code counts; either may be undefined. */
export function graverError(one: unknown, other: unknown): unknown {
  if (one === undefined || other === undefined) return one ?? other;
  return gravest([exitCodeOf(one), exitCodeOf(other)]) === exitCodeOf(one) ? one : other;
}

interface Description {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly http_status?: number | undefined;
  readonly request_id?: string | undefined;
  readonly retry_at?: string | undefined;
  readonly counts?: RowCounts | undefined;
}

/** An error may be another one in other words. */
function requestIdIn(error: unknown): string | undefined {
  if (!(error instanceof RiskcliError)) return undefined;
  return error.requestId ?? requestIdIn(error.cause);
}

function describe(error: unknown, version: string): Description {
  if (error instanceof RiskcliError) {
    const { code, message, hint, httpStatus, resumeAt, counts } = error;
    const retryAt = resumeAt === undefined ? undefined : new Date(resumeAt).toISOString();
    const requestId = requestIdIn(error);
    return { code, http_status: httpStatus, request_id: requestId, retry_at: retryAt, counts, message, hint };
  }
  const name = error instanceof Error ? error.name : typeof error;
  return {
    code: 'fault',
    message: `internal error in riskcli ${version} (${name})`,
    hint: `run it again with --debug and report what it prints to ${ISSUES}`,
  };
}

/** A terminal that does not say how wide it is. */
const DEFAULT_COLUMNS = 80;

/** Anything shorter is no key, and would be found in any text. */
const MIN_SECRET_LENGTH = 8;

/** Reports on `options.stderr`; a stderr that is full or gone changes nothing else. */
export function createReporter(options: MessageOptions): Reporter {
  let prepare = () => {};
  let concern: ReportContext = {};
  const secrets: string[] = [];
  const safe = (text: string) => withholdApiKeys(visible(text), secrets);
  const say = (line: string) => {
    prepare();
    options.stderr.write(`${line}\n`, () => {});
  };
  const { stderr, isColored } = options;
  const sayText = (kind: keyof typeof KINDS, text: string) => {
    if (!stderr.isTTY) return say(`riskcli: ${text}`);
    const [first = '', ...more] = wrapped(`${kind}: ${text}`, stderr.columns || DEFAULT_COLUMNS);
    const mark = `${kind}:`;
    const shown = isColored ? `\u001b[${KINDS[kind]}m${mark}\u001b[0m` : mark;
    say([shown + first.slice(mark.length), ...more].join('\n'));
  };
  const sayNote = (text: string, kind: 'warning' | 'note' = 'note') => {
    if (options.json) say(JSON.stringify({ note: safe(text) }));
    else sayText(kind, safe(text));
  };
  const info = (text: string) => {
    if (!options.quiet) sayNote(text);
  };
  return {
    isVerbose: options.verbose,
    showsHeaders: options.headers,
    isQuiet: options.quiet,
    isJson: options.json,
    withhold(secret) {
      if (secret.length >= MIN_SECRET_LENGTH) secrets.push(secret);
    },
    setContext(facts) {
      concern = { ...concern, ...facts };
    },
    onBeforeWrite(action) {
      prepare = action;
    },
    warn: (text) => sayNote(text, 'warning'),
    info,
    hint(text) {
      if (options.stderr.isTTY) info(text);
    },
    verbose(text) {
      if (options.verbose) sayNote(text);
    },
    error(error) {
      if (error instanceof RiskcliError && error.isSilent) return;
      const { message, hint, ...facts } = describe(error, options.version);
      const shown = { message: safe(message), hint: hint && safe(hint) };
      const stack = options.debug && error instanceof Error ? withholdApiKeys(stackOf(error), secrets) : undefined;
      if (options.json) {
        const about = { environment: concern.environment ?? null, url: concern.url && safe(concern.url) };
        const { code, request_id: id } = facts;
        const ids = { request_id: id && safe(id) };
        const next = nextCommands(code, concern.environment);
        const told = { exit_code: exitCodeOf(error), ...facts, ...ids, ...shown, ...about, next, stack };
        return say(JSON.stringify({ error: told }));
      }
      sayText('error', `${shown.message}${shown.hint ? `; ${shown.hint}` : ''}`);
      if (stack) say(stack);
    },
  };
}

function stackOf(error: Error): string {
  const lines = [error.stack ?? String(error)];
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) lines.push(`caused by ${cause.stack}`);
  return lines.map((line) => line.split('\n').map(visible).join('\n')).join('\n');
}

/**
 * The lines on stderr. One place decides their form (plain or JSON) and how much is said, so that no command can leak a
 * stack, break a JSON consumer or talk when asked to be quiet.
 */
import type { OutputStream, ReportContext, Reporter } from '../context.ts';
import { ExitCode, gravest, ReaderGoneError, RiskcliError } from '../errors.ts';
import { withholdApiKeys } from '../secrets/api-key.ts';
import { visible } from '../text/escape.ts';
import { ISSUES } from '../version.ts';
import type { ParsedArgs } from './flag.ts';
import { asksForJson } from './formats.ts';

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
  readonly version: string;
}

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

/** The exit code that `error` asks for; anything unforeseen is a fault in riskcli. */
export function exitCodeOf(error: unknown): ExitCode {
  return error instanceof RiskcliError ? error.exitCode : ExitCode.fault;
}

/** The one of two errors whose exit code counts; either may be undefined. */
export function graverError(one: unknown, other: unknown): unknown {
  if (one === undefined || other === undefined) return one ?? other;
  return gravest([exitCodeOf(one), exitCodeOf(other)]) === exitCodeOf(one) ? one : other;
}

function describe(error: unknown, version: string) {
  if (error instanceof RiskcliError) {
    const { code, message, hint, httpStatus, resumeAt, counts } = error;
    const retryAt = resumeAt === undefined ? undefined : new Date(resumeAt).toISOString();
    return { code, http_status: httpStatus, retry_at: retryAt, counts, message, hint };
  }
  const name = error instanceof Error ? error.name : typeof error;
  return {
    code: 'fault',
    message: `a fault in riskcli ${version} (${name})`,
    hint: `run it again with --debug and report what it prints to ${ISSUES}`,
  };
}

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
  const sayNote = (text: string) => say(options.json ? JSON.stringify({ note: safe(text) }) : `riskcli: ${safe(text)}`);
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
    warn: sayNote,
    info,
    hint(text) {
      if (options.stderr.isTTY) info(text);
    },
    verbose(text) {
      if (options.verbose) sayNote(text);
    },
    error(error) {
      if (error instanceof ReaderGoneError) return;
      const { message, hint, ...facts } = describe(error, options.version);
      const shown = { message: safe(message), hint: hint && safe(hint) };
      const stack = options.debug && error instanceof Error ? withholdApiKeys(stackOf(error), secrets) : undefined;
      if (options.json) {
        const about = { environment: concern.environment ?? null, url: concern.url && safe(concern.url) };
        return say(JSON.stringify({ error: { exit_code: exitCodeOf(error), ...facts, ...shown, ...about, stack } }));
      }
      say(`riskcli: ${shown.message}${shown.hint ? `; ${shown.hint}` : ''}`);
      if (stack) say(stack);
    },
  };
}

function stackOf(error: Error): string {
  const lines = [error.stack ?? String(error)];
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) lines.push(`caused by ${cause.stack}`);
  return lines.map((line) => line.split('\n').map(visible).join('\n')).join('\n');
}

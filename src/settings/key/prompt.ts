/**
 * Reads a key from a hidden prompt on a terminal, else from standard input. The terminal is always restored, and nothing typed is
 * shown.
 */
import { formatDuration } from '../../cli/duration.ts';
import type { Context, InputStream } from '../../context.ts';
import { KeyError, SignalError, UsageError } from '../../errors.ts';
import { startTimeLimit, takeTurn } from '../../host/clock.ts';
import { readingFrom } from '../../text/shell.ts';
import { MAX_KEY_BYTES, parseKey } from './key.ts';

/**
 * The key that the user types, if `mayAsk`, or pipes in within `timeoutMs`.
 * @throws UsageError when a prompt is not allowed, KeyError for none, SignalError when interrupted
 */
export async function receiveKey(
  context: Context,
  { mayAsk, timeoutMs }: { readonly mayAsk: boolean; readonly timeoutMs: number },
): Promise<string> {
  const stdin = context.stdin();
  if (!stdin.isTTY) {
    const text = await withinTimeout(STANDARD_INPUT, { context, timeoutMs }, (signal) => readToEnd(stdin, signal));
    return parseKey(text, STANDARD_INPUT);
  }
  if (!mayAsk) {
    throw new UsageError('--no-input does not allow asking for the key', {
      hint: `pipe it in: ${readingFrom('key.txt', 'riskcli keys set', context.platform)}`,
    });
  }
  return parseKey(await askHidden(stdin, context), 'the terminal');
}

const STANDARD_INPUT = 'standard input';

/** Most commands that print a key take less; one that asks its user for a password takes more. */
const NOTICE_AFTER_MS = 1_000;

/**
 * Runs `read`, which waits for a key from `what`, and tells the user after a second. `signal` aborts with a KeyError when the time
 * is up, or when the run is to stop.
 */
async function withinTimeout<T>(
  what: string,
  { context, timeoutMs }: { readonly context: Context; readonly timeoutMs: number },
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const within = formatDuration(timeoutMs);
  const tooLong = new KeyError(`no key arrived from ${what} within ${within}`, {
    code: 'key_missing',
    hint: 'check the command that prints it, or allow more time with --timeout',
  });
  const sayWaiting = () => context.report.info(`waiting up to ${within} for the key from ${what}`);
  const callOffNotice = startTimeLimit(NOTICE_AFTER_MS, sayWaiting);
  const callOffLimit = startTimeLimit(timeoutMs, () => limit.abort(tooLong));
  try {
    return await read(AbortSignal.any([context.signal(), limit.signal]));
  } finally {
    callOffNotice();
    callOffLimit();
  }
}

/** Reads no more than is needed to check the key. */
async function readToEnd(stdin: InputStream, signal: AbortSignal): Promise<string> {
  let size = 0;
  const chunks: Buffer[] = [];
  await eachChunk(stdin, signal, (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    return size < MAX_KEY_BYTES;
  });
  return Buffer.concat(chunks).toString('utf8');
}

const PROMPT = 'API key (hidden): ';

async function askHidden(stdin: InputStream, context: Context): Promise<string> {
  // Before the terminal is changed: from now on signals do not end the process at once.
  const signal = context.signal();
  signal.throwIfAborted();
  // What is typed or pasted before the prompt appears must not be echoed either.
  stdin.setRawMode?.(true);
  try {
    const { read } = await import('read');
    const typed = read({ prompt: PROMPT, silent: true, terminal: true, input: stdin, output: context.stderr });
    const text = await Promise.race([typed, ended(stdin, signal)]);
    if (text !== '') return text;
    throw new KeyError('no key was typed', {
      code: 'key_missing',
      hint: 'run the same command again',
      isResumable: true,
    });
  } catch (error) {
    throw error instanceof Error && error.message === 'canceled' ? new SignalError('SIGINT') : error;
  } finally {
    stdin.setRawMode?.(false);
    stdin.pause();
    stdin.unref?.();
    context.stderr.write('\n');
  }
}

/** Resolves to no key after Ctrl-D, of which `read` says nothing: it only pauses its input. Rejects when `signal` aborts. */
function ended(stdin: InputStream, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    stdin.once('pause', () => takeTurn(signal).then(() => resolve(''), reject));
  });
}

/** Calls `take` until it returns false, the stream ends or the signal aborts; then stdin no longer keeps the process alive. */
function eachChunk(stdin: InputStream, signal: AbortSignal, take: (chunk: Buffer) => boolean): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const end = (settle: () => void) => {
      stdin.off('data', onData).off('end', onEnd).off('error', onError);
      signal.removeEventListener('abort', onAbort);
      stdin.pause();
      stdin.unref?.();
      settle();
    };
    const onEnd = () => end(resolve);
    const onAbort = () => end(() => reject(signal.reason));
    const onError = (cause: Error) =>
      end(() => reject(new KeyError('standard input cannot be read', { hint: 'pipe the key in', cause })));
    const onData = (chunk: Buffer | string) => {
      try {
        if (!take(Buffer.from(chunk as Buffer))) end(resolve);
      } catch (error) {
        end(() => reject(error));
      }
    };
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    stdin.on('data', onData).on('end', onEnd).on('error', onError);
    stdin.resume();
  });
}

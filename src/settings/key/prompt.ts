/**
 * Reads a key from a hidden prompt on a terminal, else from standard input. The terminal is always
 * restored, and nothing typed is shown.
 */
import { addAbortSignal, type Readable } from 'node:stream';
import type { Context, InputStream } from '../../context.ts';
import { KeyError, SignalError, UsageError } from '../../errors.ts';
import { startTimeLimit, yieldToEvents } from '../../host/clock.ts';
import { readingFrom } from '../../text/shell.ts';
import { parseBaseUrl } from '../base-url.ts';
import { formatDuration } from '../typed-values.ts';
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
    return parseKey(await readPiped(stdin, context, timeoutMs), STANDARD_INPUT);
  }
  if (!mayAsk) {
    throw new UsageError('--no-input does not allow asking for the key', {
      hint: `pipe it in: ${readingFrom('key.txt', 'riskcli keys set', context.platform)}`,
    });
  }
  return parseKey(await askKey(context), 'the terminal');
}

const STANDARD_INPUT = 'standard input';

/** Reads what is piped in, up to what is needed to check the key. */
async function readPiped(stdin: InputStream, context: Context, timeoutMs: number): Promise<string> {
  const within = formatDuration(timeoutMs);
  const stop = context.signal();
  stop.throwIfAborted();
  const limit = new AbortController();
  context.report.verbose(`waiting up to ${within} for the key from ${STANDARD_INPUT}`);
  const cancelLimit = startTimeLimit(timeoutMs, () => limit.abort());
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of addAbortSignal(AbortSignal.any([stop, limit.signal]), stdin as Readable)) {
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      size += bytes.length;
      if (size >= MAX_KEY_BYTES) break;
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch (cause) {
    stop.throwIfAborted();
    if (!limit.signal.aborted) throw new KeyError('standard input cannot be read', { hint: 'pipe the key in', cause });
    throw new KeyError(`no key arrived from ${STANDARD_INPUT} within ${within}`, {
      code: 'key_missing',
      hint: 'check the command that prints it, or allow more time with --timeout',
    });
  } finally {
    cancelLimit();
  }
}

/**
 * The address of the service, typed by the user, who sees it.
 * @throws UsageError for none, or one that is not valid; SignalError when interrupted
 */
export async function askAddress(context: Context): Promise<string> {
  const text = await ask(context, { prompt: 'Address of the service (https://...): ', isHidden: false });
  if (text === '') throw new UsageError('no address was typed', { code: 'no_base_url', hint: 'add --base-url URL' });
  parseBaseUrl(text, 'the address');
  return text;
}

async function askKey(context: Context): Promise<string> {
  const text = await ask(context, { prompt: 'API key (hidden): ', isHidden: true });
  if (text !== '') return text;
  throw new KeyError('no key was typed', {
    code: 'key_missing',
    hint: 'run the same command again',
    isResumable: true,
  });
}

interface Question {
  readonly prompt: string;
  readonly isHidden: boolean;
}

/** What the user types; empty for nothing. @throws SignalError when interrupted */
async function ask(context: Context, { prompt, isHidden }: Question): Promise<string> {
  const stdin = context.stdin();
  // Before the terminal is changed: from now on signals do not end the process at once.
  const signal = context.signal();
  signal.throwIfAborted();
  // Keys typed or pasted before the prompt appears must not be echoed either.
  stdin.setRawMode?.(true);
  stdin.ref?.();
  let text = '';
  try {
    const { read } = await import('read');
    const typed = read({ prompt, silent: isHidden, terminal: true, input: stdin, output: context.stderr });
    text = await Promise.race([typed, ended(stdin, signal)]);
    return text;
  } catch (error) {
    throw error instanceof Error && error.message === 'canceled' ? new SignalError('SIGINT') : error;
  } finally {
    stdin.setRawMode?.(false);
    stdin.pause();
    stdin.unref?.();
    // Only a text that is shown ends its own line.
    if (isHidden || text === '') context.stderr.write('\n');
  }
}

/**
 * Resolves to an empty text after Ctrl-D, which `read` does not report: it only pauses its input.
 * Rejects when `signal` aborts.
 */
function ended(stdin: InputStream, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    stdin.once('pause', () => yieldToEvents(signal).then(() => resolve(''), reject));
  });
}

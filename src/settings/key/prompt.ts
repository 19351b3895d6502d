/**
 * Reading a key from whoever hands it over: hidden from a terminal, else from standard input. The terminal is put back
 * on every way out, and nothing that was typed is shown.
 */
import { StringDecoder } from 'node:string_decoder';
import type { Context, InputStream, TerminalGuard } from '../../context.ts';
import { KeyError, SignalError, UsageError } from '../../errors.ts';
import { readingFrom } from '../../text/shell.ts';
import { MAX_KEY_BYTES, parseKey, withinTimeout } from './key.ts';

/**
 * The key that the user types, if a terminal may be asked, or pipes in, which may take `timeoutMs`.
 * @throws UsageError instead of asking when it may not, KeyError for none, SignalError when interrupted.
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

/** Reads no more than it takes to tell whether this is a key. */
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
  // Set twice: node does not set a mode that it believes to be set, and a shell has changed it behind node's back.
  const resume = () => {
    stdin.setRawMode?.(false);
    stdin.setRawMode?.(true);
    line.clear();
    context.stderr.write(`\r${PROMPT}`);
  };
  const suspend = () => {
    stdin.setRawMode?.(false);
    context.stderr.write('\n');
  };
  // Asked for before the terminal is changed: from now on no signal ends the process behind our back.
  const signal = context.signal();
  const guard = context.guardTerminal({ suspend, resume });
  const line = createLine(guard);
  const decoder = new StringDecoder('utf8');
  // Raw mode first: what is typed or pasted before the prompt shows must not be echoed either.
  stdin.setRawMode?.(true);
  try {
    context.stderr.write(PROMPT);
    await eachChunk(stdin, signal, (chunk) => line.type(decoder.write(chunk)));
  } finally {
    guard.release();
    suspend();
  }
  if (line.text() === '') {
    throw new KeyError('no key was typed', {
      code: 'key_missing',
      hint: 'run the same command again',
      isResumable: true,
    });
  }
  return line.text();
}

/** A line as raw mode delivers it: editing keys are ours to obey. */
function createLine(guard: TerminalGuard) {
  let characters: string[] = [];
  const typeOne = (character: string): boolean => {
    if (character === '\u0003') throw new SignalError('SIGINT');
    if (character === '\r' || character === '\n' || character === '\u0004') return false;
    if (character === '\u007f' || character === '\b') characters.pop();
    else if (character === '\u0015') characters = [];
    else if (character === '\u001a') guard.raise('SIGTSTP');
    else if (character === '\u001c') guard.raise('SIGQUIT');
    else characters.push(character);
    return true;
  };
  return {
    /** False when the line has ended; what was pasted behind it is dropped. */
    type: (text: string) => [...text].every(typeOne),
    text: () => characters.join(''),
    clear() {
      characters = [];
    },
  };
}

/** Feeds `take` until it says false, the stream ends or the signal aborts; then lets the process end. */
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

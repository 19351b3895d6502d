/**
 * Reading a key from whoever hands it over: hidden from a terminal, else from standard input. The terminal is put back
 * on every way out, and nothing that was typed is shown.
 */
import { StringDecoder } from 'node:string_decoder';
import type { Context, InputStream } from '../context.ts';
import { KeyError, SignalError, UsageError } from '../errors.ts';
import { MOST_KEY_BYTES, parseKey } from './key.ts';

/**
 * The key that the user types or pipes in. With `mayAsk` false a terminal is not asked.
 * @throws UsageError instead of asking when it may not, KeyError for none, SignalError when interrupted.
 */
export async function receiveKey(context: Context, { mayAsk }: { readonly mayAsk: boolean }): Promise<string> {
  const stdin = context.stdin();
  if (!stdin.isTTY) return parseKey(await readToEnd(stdin, context.signal), 'standard input');
  if (!mayAsk) {
    throw new UsageError('with --no-input nobody is asked for the key', {
      hint: 'pipe it in: riskcli keys set < key.txt',
    });
  }
  return parseKey(await askHidden(stdin, context), 'the terminal');
}

/** As much as tells whether it is a key; more is left unread. */
async function readToEnd(stdin: InputStream, signal: AbortSignal): Promise<string> {
  let size = 0;
  const chunks: Buffer[] = [];
  await eachChunk(stdin, {
    signal,
    take: (chunk) => {
      chunks.push(chunk);
      size += chunk.length;
      return size < MOST_KEY_BYTES;
    },
  });
  return Buffer.concat(chunks).toString('utf8');
}

async function askHidden(stdin: InputStream, context: Context): Promise<string> {
  const line = createLine();
  const decoder = new StringDecoder('utf8');
  // Raw mode first: what is typed or pasted before the prompt shows must not be echoed either.
  stdin.setRawMode?.(true);
  try {
    context.stderr.write('API key (hidden): ');
    await eachChunk(stdin, { signal: context.signal, take: (chunk) => line.type(decoder.write(chunk)) });
  } finally {
    stdin.setRawMode?.(false);
    context.stderr.write('\n');
  }
  if (line.text() === '') {
    throw new KeyError('no key was typed', { code: 'key_missing', hint: 'run the same command again' });
  }
  return line.text();
}

/** A line as raw mode delivers it: editing keys are ours to obey. */
function createLine() {
  let characters: string[] = [];
  const typeOne = (character: string): boolean => {
    if (character === '\u0003') throw new SignalError('SIGINT');
    if (character === '\r' || character === '\n' || character === '\u0004') return false;
    if (character === '\u007f' || character === '\b') characters.pop();
    else if (character === '\u0015') characters = [];
    else characters.push(character);
    return true;
  };
  return {
    /** False when the line has ended; what was pasted behind it is dropped. */
    type: (text: string) => [...text].every(typeOne),
    text: () => characters.join(''),
  };
}

interface Reading {
  readonly signal: AbortSignal;
  /** Takes a chunk; false when no more is wanted. */
  readonly take: (chunk: Buffer) => boolean;
}

/** Feeds `take` until it wants no more, the stream ends or the signal aborts; then lets the process end. */
function eachChunk(stdin: InputStream, { signal, take }: Reading): Promise<void> {
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

/** A key as it arrives, from a variable, a file, a prompt: its sanity is judged here, and it is never said back. */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { KeyError } from '../errors.ts';

/** No service's keys are as long; header limits begin at 8 KiB. */
const LONGEST_KEY = 4096;
/** How much of a source is read: enough to tell that it holds no key. */
export const MOST_KEY_BYTES = 2 * LONGEST_KEY;

/**
 * The key in `text`, without one final newline. `what` begins the message: `RISKCLI_API_KEY`, `standard input`.
 * Nothing is assumed about its prefix; it has to fit into a header and be free of accidents of copying.
 * @throws KeyError that does not hold any of it.
 */
export function parseKey(text: string, what: string): string {
  const key = text.replace(/\r?\n$/, '');
  const trouble = troubleWith(key);
  if (!trouble) return key;
  throw new KeyError(`the key from ${what} ${trouble}`, {
    code: 'key_malformed',
    hint: 'copy the whole key again, and nothing else',
  });
}

function troubleWith(key: string): string | undefined {
  if (key === '') return 'is empty';
  if (/[\r\n]/.test(key)) return 'holds a line break';
  if (/[^\0-\x7f]/.test(key)) return 'holds characters outside ASCII';
  if (/[\0-\x20\x7f]/.test(key)) return 'holds a space or a control character';
  return key.length > LONGEST_KEY ? 'is too long to be one' : undefined;
}

/**
 * The key in the file at `path` (Docker and systemd put secrets into files; `<(pass show risk)` is a pipe). The path is
 * not said back: someone may have put the key itself there.
 * @throws KeyError when there is none to be read.
 */
export function readKeyFile(path: string): string {
  let text: string;
  try {
    text = readStart(path);
  } catch (error) {
    throw new KeyError(`the file in RISKCLI_API_KEY_FILE cannot be read (${(error as NodeJS.ErrnoException).code})`, {
      // Without the cause: its message, which --debug prints, quotes the path.
      hint: 'name a readable file that holds the key, or use RISKCLI_API_KEY',
    });
  }
  return parseKey(text, 'RISKCLI_API_KEY_FILE');
}

const PAUSE_MS = 20;
const MOST_PAUSES = 500;

/** The first bytes of a file or pipe. Non-blocking, since a FIFO that nobody writes to would hang even SIGINT. */
function readStart(path: string): string {
  const buffer = Buffer.alloc(MOST_KEY_BYTES);
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  let size = 0;
  try {
    for (let pauses = 0; size < buffer.length; ) {
      try {
        const count = readSync(fd, buffer, size, buffer.length - size, null);
        if (count === 0) break;
        size += count;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || pauses++ >= MOST_PAUSES) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
      }
    }
  } finally {
    closeSync(fd);
  }
  return buffer.toString('utf8', 0, size);
}

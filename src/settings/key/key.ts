/** Reads keys from a variable, a file or a prompt, and checks whether they can be keys. None is shown. */
import { constants, openSync, readSync } from 'node:fs';
import { formatDuration } from '../../cli/duration.ts';
import type { Context } from '../../context.ts';
import { KeyError } from '../../errors.ts';
import { closeQuietly } from '../../files/close-file.ts';
import { systemCode } from '../../files/file-error.ts';
import { startTimeLimit } from '../../host/clock.ts';
import { DAY_MS } from '../../text/when.ts';

const KEY_FILE = 'RISKCLI_API_KEY_FILE';

/** Longer than any key; header limits begin at 8 KiB. */
const MAX_KEY_LENGTH = 4096;
/** How much of a source is read: enough to see that it is too long. */
export const MAX_KEY_BYTES = 2 * MAX_KEY_LENGTH;

/** The hint for a key that was copied by hand. */
const COPY_AGAIN = 'copy the whole key again, and nothing else';

/**
 * The key in `text`, without one final newline. `what` is its source, for messages: `RISKCLI_API_KEY`. Any prefix is allowed; the
 * key must fit into a header and be free of copying mistakes.
 * @throws KeyError that contains no part of it
 */
export function parseKey(text: string, what: string, hint = COPY_AGAIN): string {
  const key = text.replace(/\r?\n$/, '');
  const problem = problemWith(key);
  if (!problem) return key;
  throw new KeyError(`the key from ${what} ${problem}`, { code: 'key_malformed', hint });
}

function problemWith(key: string): string | undefined {
  if (key === '') return 'is empty';
  // U+FFFD is a UTF-16 mark decoded as UTF-8.
  if (/^[\ufeff\ufffd]/.test(key)) return 'begins with a byte order mark (save it as ASCII)';
  if (/[\r\n]/.test(key)) return 'contains a line break';
  if (/[^\0-\x7f]/.test(key)) return 'contains characters outside ASCII';
  if (/[\0-\x20\x7f]/.test(key)) return 'contains a space or a control character';
  return key.length > MAX_KEY_LENGTH ? 'is too long to be a key' : undefined;
}

export interface KeyFile {
  /** Reads what is available. @returns false while a pipe is open. Never blocks and never throws: `key` does. */
  readOn(): boolean;
  /** @throws KeyError when it cannot be read */
  key(): string;
}

/**
 * The file at `path` that should hold the key (Docker and systemd put secrets into files; `<(pass show risk)` is a pipe). The path
 * is not shown: someone may have put the key itself there.
 */
export function openKeyFile(path: string): KeyFile {
  const buffer = Buffer.alloc(MAX_KEY_BYTES);
  let size = 0;
  let fd: number | undefined;
  let failure: unknown;
  let isDone = false;
  const readOn = () => {
    while (!isDone) {
      try {
        // Non-blocking, since a FIFO that nobody writes to would hang even SIGINT.
        fd ??= openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
        const count = readSync(fd, buffer, size, buffer.length - size, null);
        size += count;
        isDone = count === 0;
      } catch (error) {
        const code = systemCode(error);
        if (code === 'EAGAIN') return false;
        // Windows reports the end of a pipe as EOF.
        if (code !== 'EOF') failure = error;
        isDone = true;
      }
    }
    closeQuietly(fd);
    fd = undefined;
    return true;
  };
  return {
    readOn,
    key() {
      if (!readOn()) throw unreadable('nothing has arrived yet');
      if (failure) throw unreadable(systemCode(failure));
      return parseKey(buffer.toString('utf8', 0, size), KEY_FILE);
    },
  };
}

/** Without the cause, whose message quotes the path; --debug would print it. */
function unreadable(why: string | undefined): KeyError {
  return new KeyError(`the file that ${KEY_FILE} names cannot be read (${why})`, {
    hint: 'set it to a readable file that contains the key, or use RISKCLI_API_KEY',
  });
}

const PAUSE_MS = 20;

/** Reads `file` to its end; it may be a slow pipe. @throws KeyError when that takes too long */
export function waitForKeyFile(file: KeyFile, timeoutMs: number, context: Context): Promise<void> {
  return withinTimeout(`the pipe in ${KEY_FILE}`, { context, timeoutMs }, async (signal) => {
    while (!file.readOn()) await context.sleep(PAUSE_MS, signal);
  });
}

/** Most commands that print a key take less; one that asks its user for a password takes more. */
const NOTICE_AFTER_MS = 1_000;

/**
 * Runs `read`, which waits for a key from `what`, and tells the user after a second. `signal` aborts with a KeyError when the time
 * is up, or when the run is to stop.
 */
export async function withinTimeout<T>(
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

/** The age at which a key should be replaced (contract, section 5.8). */
export const ROTATION_DAYS = 90;

/** Whole days from `storedAt` (ISO 8601) to `now` (ms since 1970); undefined when `storedAt` is not a time. */
export function ageInDays(storedAt: string | undefined, now: number): number | undefined {
  const days = Math.floor((now - Date.parse(storedAt ?? '')) / DAY_MS);
  return Number.isNaN(days) ? undefined : Math.max(0, days);
}

/**
 * Reads keys from a variable, a file or a prompt, and checks whether they can be keys. None is
 * shown.
 */
import { constants, fstatSync, openSync, readSync } from 'node:fs';
import { KeyError } from '../../errors.ts';
import { closeQuietly } from '../../files/close-file.ts';
import { systemCode, systemReason } from '../../files/file-error.ts';
import { isForeign, isWritableByOthers, octal } from '../../files/file-trust.ts';
import { DAY_MS, parseTime } from '../../text/when.ts';

export const KEY_FILE = 'RISKCLI_API_KEY_FILE';

/** Longer than any key; header limits begin at 8 KiB. */
const MAX_KEY_LENGTH = 4096;
/** Bytes that are read of a source: enough to see that it is too long. */
export const MAX_KEY_BYTES = 2 * MAX_KEY_LENGTH;

/** The hint for a key that was copied by hand. */
const COPY_AGAIN = 'copy the whole key again, and nothing else';

/**
 * The key in `text`, without one final newline. `what` is its source, for messages:
 * `RISKCLI_API_KEY`. Any prefix is allowed; the key must fit into a header and be free of copying
 * mistakes.
 * @throws KeyError that contains no part of it
 */
export function parseKey(text: string, what: string, hint = COPY_AGAIN): string {
  const key = text.replace(/\r?\n$/, '');
  const problem = problemWithKey(key);
  if (!problem) return key;
  throw new KeyError(`the key from ${what} ${problem}`, { code: 'key_malformed', hint });
}

/** A prefix, an underscore, URL-safe characters (docs/service.md, The key); gateways differ. */
export const hasUsualShape = (key: string): boolean => /^[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_-]{16,}$/.test(key);

function problemWithKey(key: string): string | undefined {
  if (key === '') return 'is empty';
  // U+FFFD is a UTF-16 mark decoded as UTF-8.
  if (/^[\ufeff\ufffd]/.test(key)) return 'begins with a byte order mark (save it as ASCII)';
  if (/[\r\n]/.test(key)) return 'contains a line break';
  if (/[^\0-\x7f]/.test(key)) return 'contains characters outside ASCII';
  if (/[\0-\x20\x7f]/.test(key)) return 'contains a space or a control character';
  // A key has letters, digits, _ and - (docs/service.md, The key); files of variables keep what
  // stands around them.
  if (/["'`]/.test(key)) return /^["'`].*["'`]$/.test(key) ? 'is in quotes' : 'contains a quote';
  if (/[{}[\]<>\\]/.test(key)) return 'contains a bracket or a backslash, as JSON and templates do';
  if (/^[A-Z][A-Z0-9_]*=./.test(key)) return 'begins with the name of a variable';
  return key.length > MAX_KEY_LENGTH ? 'is too long to be a key' : undefined;
}

/**
 * The key in the file at `path` (Docker and systemd put secrets into files), which only the user
 * `uid` and root may own and write, as keys.json. The path is not shown: someone may have put the
 * key itself there.
 * @throws KeyError
 */
export function readKeyFile(path: string, uid?: number): string {
  let fd: number | undefined;
  try {
    // Non-blocking: to open a FIFO that nobody writes to would wait for ever.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw unreadableKeyFile('it is not a regular file');
    if (isWritableByOthers(stats, uid))
      throw untrustedKeyFile(`is writable by others (mode ${octal(stats.mode)})`, 'run chmod 600 on it');
    if (isForeign(stats, uid))
      throw untrustedKeyFile('belongs to another user', 'make it your own, or use RISKCLI_API_KEY');
    const buffer = Buffer.alloc(MAX_KEY_BYTES);
    const size = readSync(fd, buffer);
    return parseKey(buffer.toString('utf8', 0, size), KEY_FILE);
  } catch (error) {
    throw error instanceof KeyError
      ? error
      : unreadableKeyFile(systemCode(error) === undefined ? 'unknown' : systemReason(error));
  } finally {
    closeQuietly(fd);
  }
}

/** Without the cause, whose message quotes the path; --debug would print it. */
function unreadableKeyFile(why: string): KeyError {
  return new KeyError(`the file that ${KEY_FILE} names cannot be read: ${why}`, {
    hint: 'set it to a readable file that contains the key, or use RISKCLI_API_KEY',
  });
}

const untrustedKeyFile = (why: string, hint: string) =>
  new KeyError(`the file that ${KEY_FILE} names ${why}`, { hint });

/** The age at which a key should be replaced (docs/service.md, The key). */
export const ROTATION_DAYS = 90;

/**
 * Whole days from `storedAt` (ISO 8601) to `now` (ms since 1970); undefined when `storedAt` is not
 * a time.
 */
export function ageInDays(storedAt: string | undefined, now: number): number | undefined {
  const at = parseTime(storedAt ?? '');
  return at === undefined ? undefined : Math.max(0, Math.floor((now - at) / DAY_MS));
}

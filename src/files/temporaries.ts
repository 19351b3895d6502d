/** New files beside those that they are to replace: their names, and which of them killed processes have left. */
import { lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Host } from '../context.ts';
import { crypto, randomHex } from '../host/builtin.ts';
import { quietly } from './close-file.ts';
import { identityOfProcess, type ProcessHost, stillRuns, UNKNOWN } from './process-identity.ts';

/** Leaves room for the rest of a temporary's name within the 255 bytes of most file systems, four bytes a character. */
const MAX_NAME_LENGTH = 50;
const DIGEST_LENGTH = 16;

/** How the names of `path`'s temporaries begin: with its name or, if that is long, with its beginning and a digest. */
function startOfName(path: string): string {
  const name = basename(path);
  const characters = [...name];
  if (characters.length <= MAX_NAME_LENGTH) return `.${name}.`;
  const beginning = characters.slice(0, MAX_NAME_LENGTH - DIGEST_LENGTH - 1).join('');
  return `.${beginning}~${digest(name, DIGEST_LENGTH)}.`;
}

const digest = (text: string, length: number) =>
  crypto().createHash('sha256').update(text).digest('hex').slice(0, length);

/**
 * `.name.PID-HOST.RANDOM.tmp` beside `path`. It does not end as the file does, since collectors read every `*.prom` in a folder.
 * HOST is a digest of the host and the pid namespace of PID.
 */
export function temporaryPath(path: string, host: ProcessHost): string {
  const name = `${startOfName(path)}${host.pid}-${hostHash(host)}.${randomHex(8)}.tmp`;
  return join(dirname(path), name);
}

function hostHash(own: ProcessHost): string {
  const { host, space } = identityOfProcess(own);
  return digest(`${host} ${space}`, 8);
}

/** The rest of the name; conf appends a suffix of its own. */
const TEMPORARY = /^(\d+)-([0-9a-f]{8})\.[0-9a-f]{16}\.tmp(?:\.tmp-[0-9a-f]+)?$/;
/** Longer than any run writes to a file, milliseconds. */
const STALE_MS = 7 * 24 * 3_600_000;

interface Sweep {
  readonly host: ProcessHost;
  /** By the clock of the disk, milliseconds since 1970. */
  readonly now: number;
}

/**
 * Removes the temporaries of `path` whose writers are gone: those of this host and pid namespace whose process no longer runs,
 * and those whose writers cannot be seen once they are old, or older than the boot of this host.
 */
export function sweep(path: string, { host, now }: Sweep): void {
  const start = startOfName(path);
  const isAbandoned = judgeTemporaries({ host, now });
  quietly(() => {
    for (const name of readdirSync(dirname(path))) {
      const left = join(dirname(path), name);
      if (name.startsWith(start) && isAbandoned(left, name.slice(start.length))) quietly(() => unlinkSync(left));
    }
  });
}

/** The temporaries of any file in `folder` whose writers are gone; none if it cannot be listed. */
export function leftOverTemporaries(folder: string, host: ProcessHost & Pick<Host, 'now'>): readonly string[] {
  const isAbandoned = judgeTemporaries({ host, now: host.now() });
  try {
    return readdirSync(folder).flatMap((name) => {
      const [, rest = ''] = /^\..+?\.(\d+-.*)$/.exec(name) ?? [];
      const path = join(folder, name);
      return isAbandoned(path, rest) ? [path] : [];
    });
  } catch {
    return [];
  }
}

/** Whether a file, given the rest of its name, is a temporary whose writer is gone. */
function judgeTemporaries({ host, now }: Sweep): (path: string, rest: string) => boolean {
  const [here, canSee] = [hostHash(host), identityOfProcess(host).space !== UNKNOWN];
  return (path, rest) => {
    const [, writer, where] = TEMPORARY.exec(rest) ?? [];
    if (writer === undefined) return false;
    const silentMs = now - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now);
    return where === here && canSee
      ? !stillRuns({ pid: Number(writer), started: UNKNOWN, silentMs }, host)
      : silentMs > (where === here ? Math.min(STALE_MS, host.uptime()) : STALE_MS);
  };
}

/** Removes all temporaries of `path`. Only for the holder of the lock under which they are made. */
export function removeTemporaries(path: string): void {
  const start = startOfName(path);
  quietly(() => {
    for (const name of readdirSync(dirname(path))) {
      if (!name.startsWith(start) || !TEMPORARY.test(name.slice(start.length))) continue;
      quietly(() => unlinkSync(join(dirname(path), name)));
    }
  });
}

/** Devices to write to. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './folder.ts';

const MINOR = { null: '3', full: '7' };

/**
 * /dev/null or /dev/full. Root, who could lose them to a fault in riskcli and the whole machine with them, gets one of its
 * own where the system lets it make and open one.
 */
export function device(name: keyof typeof MINOR): string {
  const own = join(temporaryFolder(), name);
  try {
    spawnSync('mknod', ['-m', '666', own, 'c', '1', MINOR[name]]);
    closeSync(openSync(own, 'r+'));
    return own;
  } catch {
    return `/dev/${name}`;
  }
}

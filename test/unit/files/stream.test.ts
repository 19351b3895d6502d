/** Standard output: whole, or an error that says why. */
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { OutputStream } from '../../../src/context.ts';
import { ReaderGoneError } from '../../../src/errors.ts';
import { writeAll } from '../../../src/files/stream.ts';
import { failCall, replaceCall, systemError } from '../../fixtures/place/calls.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

const FULL = {
  exitCode: 8,
  message: 'standard output cannot be written: no space left on the device',
  hint: 'free up disk space or redirect the output elsewhere, then run the same command again',
  isResumable: true,
};

/** Standard output that goes to a file: node's own stream would lose the rest of a short write. */
function redirected() {
  const path = join(temporaryFolder(), 'out');
  const fd = openSync(path, 'w');
  onTestFinished(() => closeSync(fd));
  return { path, stream: { fd, isTTY: false, write: expect.unreachable } as unknown as OutputStream };
}

it.each(['h\u00e9llo world', Buffer.from('h\u00e9llo world')])(
  'writes a file completely, though a nearly full disk takes some bytes at a time',
  async (text) => {
    const { path, stream } = redirected();
    replaceCall('writeSync', (write) => (fd, bytes, from) => write(fd, bytes, from, Math.min(3, bytes.length - from)));
    await writeAll(stream, text);
    expect(readFileSync(path, 'utf8')).toBe('h\u00e9llo world');
  },
);

it('reports a full disk', async () => {
  const { stream } = redirected();
  failCall('writeSync', 'ENOSPC');
  await expect(writeAll(stream, 'x')).rejects.toMatchObject(FULL);
});

it.each(['EPIPE', 'EOF', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ENOSPC'])(
  'distinguishes a closed pipe from other errors: %s',
  async (code) => {
    const write = (_: unknown, done: (error: Error) => void) => done(systemError(code));
    const written = writeAll({ write } as unknown as OutputStream, 'x');
    if (code === 'ENOSPC') await expect(written).rejects.toMatchObject(FULL);
    else await expect(written).rejects.toThrow(ReaderGoneError);
  },
);

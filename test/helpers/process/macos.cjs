/**
 * Loaded before the binary (`--require`), makes Linux answer riskcli as macOS would in two things. It is no macOS: nothing
 * here has been run on one. There is no /proc, and to open /dev/stdin is to copy its descriptor, as dup(2) does, so that
 * what was read once is behind whoever opens it again (fd(4) of the BSDs).
 */
const fs = require('node:fs');

Object.defineProperty(process, 'platform', { value: 'darwin' });

const { open, close, readFileSync, readlinkSync } = fs;
const STDIN = 0;
fs.open = (path, ...rest) => (path === '/dev/stdin' ? process.nextTick(rest.at(-1), null, STDIN) : open(path, ...rest));
fs.close = (fd, done) => (fd === STDIN ? process.nextTick(done, null) : close(fd, done));

function hidden(path) {
  if (!String(path).startsWith('/proc/')) return;
  throw Object.assign(new Error(`ENOENT: emulated, '${path}'`), { code: 'ENOENT', path });
}
fs.readFileSync = (path, ...rest) => {
  hidden(path);
  return readFileSync(path, ...rest);
};
fs.readlinkSync = (path, ...rest) => {
  hidden(path);
  return readlinkSync(path, ...rest);
};

/**
 * Loaded before the binary (`--require`), makes Linux answer riskcli as Windows would, as far as that was read in libuv's
 * src/win/fs.c and src/win/process.c and in Microsoft's manuals. It is no Windows: nothing here has been run on one.
 *
 * What is open for appending alone cannot be cut short. A name whose file is open goes only when that is closed, and is
 * denied to everybody until then. Nothing replaces a file that is open. Identities are beyond 2^53, modes mean nothing, nobody
 * has a number, and there is neither /proc nor /dev. Whom a signal ends, it ends with exit code 1. A program without a path is
 * looked for in the folder at hand first, and its name ends with .exe. EMULATED_BUSY makes as many renames fail first, as a
 * virus scanner does, EMULATED_SYNCED as many removals of a journal, as whatever copies a folder to a cloud does, and
 * EMULATED_PENDING as many attempts to take a lock, as somebody does who still reads the one before. SIGUSR2 stands for
 * Ctrl-Break.
 */
const fs = require('node:fs');

Object.defineProperty(process, 'platform', { value: 'win32' });
for (const name of ['getuid', 'geteuid', 'getgid', 'getegid']) delete process[name];
for (const name of ['O_NOFOLLOW', 'O_NONBLOCK', 'O_DIRECTORY']) delete fs.constants[name];

process.on('SIGUSR2', () => process.emit('SIGBREAK', 'SIGBREAK'));

const { kill } = process;
process.kill = (pid, signal) => {
  if (signal === 0) return kill(pid, 0);
  if (['SIGHUP', 'SIGQUIT', 'SIGTSTP'].includes(signal)) throw denied('ENOSYS', 'kill');
  // Every other signal is the end of the process, and nothing tells which it was.
  return pid === process.pid ? process.reallyExit(1) : kill(pid, 'SIGKILL');
};

const programs = require('node:child_process');
const { spawn } = programs;
programs.spawn = (program, args, options) => {
  if (options?.shell || program.includes('/')) return spawn(program, args, options);
  const here = `./${program}.exe`;
  return spawn(fs.existsSync(here) ? here : `${program}.exe`, args, options);
};

function denied(code, call, path) {
  return Object.assign(new Error(`${code}: emulated, ${call} '${path}'`), { code, syscall: call, path });
}

/** Of each descriptor the name it was opened by, and whether it may only append. */
const handles = new Map();
/** Names that go with the last descriptor. */
const going = new Set();
const real = { ...fs };
const named = (path) => (typeof path === 'string' ? path.replaceAll('\\', '/') : path);
const isOpen = (path) => [...handles.values()].some((handle) => handle.path === path);

let pending = Number(process.env.EMULATED_PENDING ?? 0);
function refuse(path, call) {
  if (typeof path !== 'string') return;
  if (path.endsWith('.lock') && pending-- > 0) throw denied('EPERM', call, path);
  if (/^\/(proc|dev)\//.test(path)) throw denied('ENOENT', call, path);
  if (going.has(path)) throw denied('EPERM', call, path);
}

const APPEND = fs.constants.O_APPEND;
const WRITES = fs.constants.O_WRONLY | fs.constants.O_RDWR;

fs.openSync = (path, flags = 'r', mode = 0o666) => {
  const name = named(path);
  refuse(name, 'open');
  const fd = real.openSync(name, flags, mode);
  const appends = typeof flags === 'number' ? (flags & APPEND) !== 0 : flags.startsWith('a');
  const writes = typeof flags === 'number' ? (flags & WRITES) !== 0 : flags !== 'r';
  handles.set(fd, { path: name, appends, writes });
  return fd;
};
fs.closeSync = (fd) => {
  const { path } = handles.get(fd) ?? {};
  handles.delete(fd);
  real.closeSync(fd);
  if (going.has(path) && !isOpen(path)) {
    going.delete(path);
    real.unlinkSync(path);
  }
};
let synced = Number(process.env.EMULATED_SYNCED ?? 0);
fs.unlinkSync = (path) => {
  const name = named(path);
  refuse(name, 'unlink');
  if (name.endsWith('.journal') && synced-- > 0) throw denied('EBUSY', 'unlink', name);
  if (isOpen(name)) going.add(name);
  else real.unlinkSync(name);
};
fs.rmSync = (path, options = {}) => {
  if (options.recursive) return real.rmSync(named(path), options);
  if (options.force && !real.existsSync(named(path))) return;
  fs.unlinkSync(path);
};
let busy = Number(process.env.EMULATED_BUSY ?? 0);
fs.renameSync = (from, to) => {
  const [old, name] = [named(from), named(to)];
  refuse(old, 'rename');
  refuse(name, 'rename');
  if (isOpen(name)) throw denied('EPERM', 'rename', name);
  if (busy-- > 0) throw denied('EBUSY', 'rename', name);
  real.renameSync(old, name);
  for (const handle of handles.values()) if (handle.path === old) handle.path = name;
};
fs.ftruncateSync = (fd, length) => {
  if (handles.get(fd)?.appends) throw denied('EPERM', 'ftruncate');
  real.ftruncateSync(fd, length);
};
for (const call of ['fsync', 'fdatasync']) {
  const check = (fd) => (handles.get(fd)?.writes === false ? denied('EPERM', call) : undefined);
  fs[call] = (fd, done) => (check(fd) ? process.nextTick(done, check(fd)) : real[call](fd, done));
  fs[`${call}Sync`] = (fd) => {
    if (check(fd)) throw check(fd);
    real[`${call}Sync`](fd);
  };
}

const BEYOND = 2n ** 60n;

/** By its name a file is on no volume that is told, as users of node 22.12 to 22.16 and 24.0 have reported. */
function byName(stats, options) {
  if (stats) stats.dev = options?.bigint ? 0n : 0;
  return disguised(stats, options);
}

/** Any number but a bigint has lost the last digits of the identity. */
function disguised(stats, options) {
  if (!stats) return stats;
  const isExact = options?.bigint === true;
  const number = isExact ? (value) => BigInt(value) : Number;
  stats.ino = number(BigInt(stats.ino) + BEYOND);
  stats.uid = number(0);
  stats.gid = number(0);
  stats.mode = isExact ? (stats.mode & ~0o777n) | 0o666n : (stats.mode & ~0o777) | 0o666;
  return stats;
}
for (const call of ['statSync', 'lstatSync']) {
  fs[call] = (path, options) => {
    refuse(named(path), call);
    return byName(real[call](named(path), options), options);
  };
}
fs.fstatSync = (fd, options) => disguised(real.fstatSync(fd, options), options);
const promises = { ...fs.promises };
for (const call of ['stat', 'lstat']) {
  fs.promises[call] = async (path, options) => {
    refuse(named(path), call);
    return byName(await promises[call](named(path), options), options);
  };
}
for (const call of ['linkSync', 'copyFileSync']) {
  fs[call] = (from, to, ...rest) => {
    refuse(named(from), call);
    refuse(named(to), call);
    return real[call](named(from), named(to), ...rest);
  };
}
for (const call of ['readFileSync', 'mkdirSync', 'rmdirSync', 'readdirSync', 'realpathSync', 'readlinkSync']) {
  fs[call] = (path, ...rest) => {
    refuse(named(path), call);
    return real[call](named(path), ...rest);
  };
}

/**
 * Runs another program, without a shell, and reads what it prints. It may ask the user on riskcli's terminal; whatever it has
 * started ends with it.
 */
import { join } from 'node:path';
import type { ProgramEnd, ProgramOptions } from '../context.ts';
import { startTimeLimit } from './clock.ts';

/** Time for an orderly end, in milliseconds: less than riskcli itself has after a signal. */
const GRACE_MS = 400;
/** How long output may still arrive after the program has ended, in milliseconds. */
const LAST_OUTPUT_MS = 500;

/** Loaded where they are needed: hardly any run starts a program. */
const childProcess = () => process.getBuiltinModule('node:child_process');
const terminals = () => process.getBuiltinModule('node:tty');

export async function runProgram(words: readonly string[], options: ProgramOptions): Promise<ProgramEnd> {
  const { maxBytes, signal, timeoutMs } = options;
  signal.throwIfAborted();
  const { child, isGroup } = start(words, options.mayAsk && hasTerminal());
  const output = collect(child.stdout, maxBytes);
  const ending = createEnding(child.pid, isGroup);
  let timedOut = false;
  const onTimeout = () => {
    timedOut = true;
    ending.begin();
  };
  const callOff = startTimeLimit(timeoutMs - GRACE_MS, onTimeout);
  signal.addEventListener('abort', ending.begin, { once: true });
  try {
    await Promise.race([ending.over, endOf(child, output, ending)]);
    signal.throwIfAborted();
    return { output: output.text(), exitCode: child.exitCode, killedBy: child.signalCode, timedOut };
  } finally {
    callOff();
    signal.removeEventListener('abort', ending.begin);
    ending.finish();
    child.stdout.destroy();
    // A program that not even SIGKILL ends at once must not keep this process alive.
    child.unref();
  }
}

type Child = ReturnType<typeof start>['child'];
type Output = ReturnType<typeof collect>;
type Ending = ReturnType<typeof createEnding>;

function start([program = '', ...args]: readonly string[], onTerminal: boolean) {
  // In a new session it is a group that can be ended as one, and has no terminal.
  const isGroup = !onTerminal && process.platform !== 'win32';
  const child = childProcess().spawn(program, args, {
    stdio: [onTerminal && terminals().isatty(0) ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    detached: isGroup,
    windowsHide: true,
  });
  return { child, isGroup };
}

/** Resolves when the program has ended and what it printed is there. */
function endOf(child: Child, output: Output, ending: Ending): Promise<void> {
  let lastOutput: NodeJS.Timeout | undefined;
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    // A process that it leaves running may keep its output open, so that `close` never comes.
    child.on('exit', (exitCode) => {
      if (ending.hasBegun() || exitCode !== 0 || output.hasLine()) return resolve();
      child.stdout.on('data', () => output.hasLine() && resolve());
      // Immediate: a late timer fires before data that has arrived meanwhile is read.
      lastOutput = setTimeout(() => setImmediate(resolve), LAST_OUTPUT_MS);
    });
    child.on('close', () => resolve());
  });
  return ended.finally(() => clearTimeout(lastOutput));
}

/** Whether the process has a terminal that a program could open as /dev/tty, whatever its streams are. */
function hasTerminal(): boolean {
  if (process.platform === 'win32') return terminals().isatty(0);
  const { closeSync, openSync } = process.getBuiltinModule('node:fs');
  try {
    closeSync(openSync('/dev/tty', 'r+'));
    return true;
  } catch {
    return false;
  }
}

/** Reads `stream` to its end, or a full pipe would block the program, and keeps `maxBytes` of it. */
function collect(stream: NodeJS.ReadableStream, maxBytes: number) {
  let kept = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    if (kept.length < maxBytes) kept = Buffer.concat([kept, chunk.subarray(0, maxBytes - kept.length)]);
  });
  return { text: () => kept.toString('utf8'), hasLine: () => kept.includes('\n') };
}

/**
 * Ends a program and what it has started: by SIGTERM, then by SIGKILL. `over` resolves when the time for an orderly end has
 * passed.
 */
function createEnding(pid: number | undefined, isGroup: boolean) {
  let targets: readonly number[] | undefined;
  let timer: NodeJS.Timeout | undefined;
  let onOver = () => {};
  return {
    over: new Promise<void>((resolve) => {
      onOver = resolve;
    }),
    begin() {
      if (targets || pid === undefined) return;
      // Looked up now: once a program has ended, the system no longer knows what it has started.
      targets = isGroup ? [-pid] : [pid, ...descendants(pid)];
      if (process.platform === 'win32') endTree(pid);
      send(targets, 'SIGTERM');
      timer = setTimeout(onOver, GRACE_MS);
    },
    hasBegun: () => targets !== undefined,
    finish() {
      clearTimeout(timer);
      send(targets, 'SIGKILL');
    },
  };
}

function send(targets: readonly number[] = [], signal: NodeJS.Signals): void {
  for (const pid of targets) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  }
}

/** Windows has neither process groups nor signals, but a program that ends a process with all that it has started. */
function endTree(pid: number): void {
  const taskkill = join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  childProcess().spawnSync(taskkill, ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
}

/** The processes that `pid` has started, directly or not; none where there is no ps, as on Windows. */
function descendants(pid: number): readonly number[] {
  if (process.platform === 'win32') return [];
  const { stdout } = childProcess().spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = (stdout ?? '').split('\n').map((row) => row.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    rows.flatMap(([child = 0, itsParent]) => (itsParent === parent ? [child, ...below(child)] : []));
  return below(pid);
}

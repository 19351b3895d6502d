/** `run('profile', address, options)`: the whole program in this process, against streams that the test reads. */
import { hostname, tmpdir, uptime } from 'node:os';
import { Readable, Writable } from 'node:stream';
import type { Host, OutputStream } from '../../src/context.ts';
import { runProgram } from '../../src/host/program.ts';
import { main } from '../../src/main.ts';
import { holdToTable, watchedEnvironment } from './held.ts';

export interface RunOptions extends Partial<Omit<Host, 'stdin' | 'stdout' | 'stderr' | 'env' | 'signal'>> {
  readonly signal?: AbortSignal;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array | Readable;
  /** Makes stdout, stderr or stdin terminals. */
  readonly tty?: { readonly stdout?: boolean; readonly stderr?: boolean; readonly stdin?: boolean };
  readonly columns?: number;
  readonly rows?: number;
}

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

class Sink extends Writable {
  readonly isTTY: boolean;
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  readonly chunks: Buffer[] = [];
  constructor(isTTY: boolean, { columns, rows }: Pick<RunOptions, 'columns' | 'rows'>) {
    super();
    this.isTTY = isTTY;
    this.columns = columns;
    this.rows = rows;
  }
  override _write(chunk: Buffer, _encoding: string, done: () => void) {
    this.chunks.push(chunk);
    done();
  }
  text() {
    return Buffer.concat(this.chunks).toString('utf8');
  }
}

/** The folders of a run that was given none: it must find nothing of the developer's. */
export const NOWHERE = '/nonexistent/riskcli-test';
/** A state folder that not even root can make. */
const NO_STATE = '/dev/null';

/** As the process itself sees it. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A host with nothing of the developer's machine in it. */
export function testHost(options: RunOptions = {}): Host & { readonly stdout: OutputStream } {
  const { env = {}, stdin = '', tty = {}, columns, rows, signal = new AbortController().signal, ...rest } = options;
  const input = stdin instanceof Readable ? stdin : Readable.from([Buffer.from(stdin)]);
  return {
    stdin: () => Object.assign(input, { isTTY: tty.stdin ?? false }),
    stdout: new Sink(tty.stdout ?? false, { columns, rows }),
    stderr: new Sink(tty.stderr ?? false, { columns, rows }),
    env: { RISKCLI_CONFIG_DIR: NOWHERE, XDG_STATE_HOME: NO_STATE, ...env },
    platform: 'linux',
    nodeVersion: process.versions.node,
    pid: process.pid,
    isRunning,
    uptime: () => uptime() * 1000,
    hostName: hostname,
    temporaryFolder: tmpdir,
    home: undefined,
    signal: () => signal,
    stopWithin: () => {},
    beforeEnd: () => {},
    // Whatever was asked would hold for all tests of this process.
    engine: { compileParserOnce() {}, keepHeapSmall() {}, keepYoungHeapSmall() {} },
    runProgram,
    page: () => Promise.resolve(false),
    guardTerminal: () => ({ raise: () => {}, release: () => {} }),
    now: Date.now,
    monotonic: () => performance.now(),
    halted: () => 0,
    sleep: () => Promise.resolve(),
    random: () => 0.5,
    isBusy: () => false,
    ...rest,
  };
}

/** Runs riskcli with `args`; a last argument that is an object sets the stage. */
export const run = (...args: (string | RunOptions)[]): Promise<Outcome> => runBy(main, ...args);

/** The same where `program` is riskcli: it may have been built. */
export async function runBy(program: typeof main, ...args: (string | RunOptions)[]): Promise<Outcome> {
  const last = args.at(-1);
  const options = typeof last === 'object' ? last : {};
  const argv = args.filter((arg) => typeof arg === 'string');
  const host = testHost(options);
  const { env, read } = watchedEnvironment(host.env);
  const exitCode = await program(argv, { ...host, env });
  const outcome = { stdout: (host.stdout as Sink).text(), stderr: (host.stderr as Sink).text(), exitCode };
  await holdToTable(argv, { outcome, read });
  return outcome;
}

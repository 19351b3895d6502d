/** The built binary and a sandbox as two processes, timed and weighed: for lists too long for a test's own process. */
import { readFileSync } from 'node:fs';
import { bareEnv, type Finished, start } from './binary.ts';

export interface SandboxProcess extends AsyncDisposable {
  /** What a user of it has in the environment. */
  readonly env: Readonly<Record<string, string>>;
  /** What it has said on stderr so far; with -v, a line for each request. */
  log(): string;
}

/** Starts `riskcli sandbox` with `args`; it answers when this resolves. */
export async function startSandboxProcess(args: readonly string[]): Promise<SandboxProcess> {
  const { child, done, collected } = start(['sandbox', ...args]);
  const env = await new Promise<Record<string, string>>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const exports = [...collected.stdout.matchAll(/^export (\w+)=(.*)\n/gm)];
      if (exports.length === 2) resolve(Object.fromEntries(exports.map(([, name, value]) => [name, value])));
    });
    done.then(({ stderr }) => reject(new Error(stderr)), reject);
  });
  return {
    env,
    log: () => collected.stderr,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await done;
    },
  };
}

export interface Measured extends Finished {
  readonly seconds: number;
  /** Peak resident set, MB; 0 where the system does not say (it is Linux that does, in proc(5)). */
  readonly peakMb: number;
}

/** Runs riskcli with `args`. */
export async function measure(
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Measured> {
  const startedAt = performance.now();
  const { child, done } = start(args, { cwd, env: bareEnv({ HOME: cwd, ...env }) });
  let peakMb = 0;
  // The peak so far goes with the process, so it is read again and again.
  const look = setInterval(() => {
    peakMb = peakOf(child.pid) || peakMb;
  }, 50);
  const finished = await done.finally(() => clearInterval(look));
  return { ...finished, seconds: (performance.now() - startedAt) / 1000, peakMb };
}

function peakOf(pid: number | undefined): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}

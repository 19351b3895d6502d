/** A machine of a test's own, with a systemd that runs: machine.sh says what it is made of. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../place/folder.ts';
import { type Finished, start } from '../process/binary.ts';

const SCRIPT = fileURLToPath(new URL('machine.sh', import.meta.url));
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** How often the machine is asked whether it is up: 15 s in all, or 315 where it never answers. */
const TRIES = 150;

export interface Machine {
  /** Runs a line of bash there, as root. */
  run(line: string): Promise<Finished>;
  read(path: string): string;
  write(path: string, content: string | Uint8Array, mode?: number): void;
  end(): Promise<void>;
}

/** Undefined where none can be had: that takes root, namespaces, cgroups, an overlay, and systemd. */
export async function startMachine(): Promise<Machine | undefined> {
  const child = spawn('bash', [SCRIPT, temporaryFolder()], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(child, 'close');
  const end = async () => {
    child.stdin.end();
    await ended;
  };
  const [first] = await Promise.race([once(child.stdout, 'data'), ended]);
  const pid = Number(first);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const place = (path: string) => join(`/proc/${pid}/root`, path);
  const machine: Machine = {
    run: (line) =>
      start(`exec nsenter --target ${pid} --mount --pid --cgroup --ipc --uts bash`, { input: line, env: { PATH } })
        .done,
    read: (path) => readFileSync(place(path), 'utf8'),
    write(path, content, mode = 0o644) {
      mkdirSync(dirname(place(path)), { recursive: true });
      writeFileSync(place(path), content, { mode });
    },
    end,
  };
  for (let i = 0; i < TRIES; i++) {
    const { stdout } = await machine.run('sleep 0.1; timeout 2 systemctl is-system-running');
    if (/^(running|degraded)$/m.test(stdout)) return machine;
  }
  await end();
  return undefined;
}

/** The built program in this process, behind a command of a shell: what a shell line prints takes a tenth of the time then. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { clock } from '../../src/host/clock.ts';
import type { main } from '../../src/main.ts';
import { runBy } from './run.ts';

/** Leaves what it was called with in files beside it, and gives back what is then in others: all of stdout comes first. */
const script = (port: number) => `#!/bin/bash
call=$0.$$
cat > "$call.in"
printf '%s\\0' riskcli "$@" > "$call.args"
env -0 > "$call.env"
exec 3<> /dev/tcp/127.0.0.1/${port}
echo "$call" >&3
read -r code <&3
cat "$call.out"
cat "$call.err" >&2
exit "$code"
`;

interface BuiltProgram extends AsyncDisposable {
  /** Of a command that is the program, for a shell. It has to stand in a file of its own. */
  readonly script: string;
}

/** Called one at a time, since a process is in one folder: `cwd`. */
export async function serveBuiltProgram(cwd: string): Promise<BuiltProgram> {
  const built = createRequire(import.meta.url)('../../dist/main.js') as { readonly main: typeof main };
  const server = createServer((socket) => {
    socket.setEncoding('utf8').once('data', async (line) => {
      const code = await answer(built.main, { call: String(line).trim(), cwd });
      socket.end(`${code}\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    script: script((server.address() as AddressInfo).port),
    [Symbol.asyncDispose]: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

async function answer(program: typeof main, { call, cwd }: { readonly call: string; readonly cwd: string }) {
  const words = (name: string) => readFileSync(`${call}.${name}`, 'utf8').split('\0').slice(0, -1);
  const env = Object.fromEntries(words('env').map((pair) => pair.split(/=(.*)/s, 2) as [string, string]));
  const before = process.cwd();
  process.chdir(cwd);
  try {
    const { stdout, stderr, exitCode } = await runBy(program, ...words('args').slice(1), {
      env: { RISKCLI_CONFIG_DIR: '', ...env },
      stdin: readFileSync(`${call}.in`),
      home: env.HOME,
      uid: process.getuid?.(),
      sleep: clock.sleep,
    });
    writeFileSync(`${call}.out`, stdout);
    writeFileSync(`${call}.err`, stderr);
    return exitCode;
  } catch (error) {
    writeFileSync(`${call}.out`, '');
    writeFileSync(`${call}.err`, `${error}\n`);
    return 1;
  } finally {
    process.chdir(before);
  }
}

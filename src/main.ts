/** One run: argv in, exit code out. The only catch; never process.exit. */
import type { Rescue } from './commands/command.ts';
import { commands } from './commands/index.ts';
import { type Context, type Host, processHost } from './context.ts';
import { ExitCode } from './errors.ts';
import { readMessageFlags } from './output/message-flags.ts';
import { createReporter, exitCodeOf } from './output/messages.ts';
import { writeAll } from './output/stream.ts';
import { runProgram } from './program.ts';
import { VERSION } from './version.ts';

/** Runs `argv` (without node and script) in `host`; everything thrown ends as one line on stderr and an exit code. */
export async function main(argv: readonly string[], host: Host): Promise<ExitCode> {
  const report = createReporter({ stderr: host.stderr, version: VERSION, ...readMessageFlags(argv) });
  // Not a copy: whatever the host makes only when it is asked for, stays so.
  const context: Context = Object.assign(Object.create(host), { report });
  let text = '';
  try {
    const outcome = await runProgram(argv, {
      version: VERSION,
      commands,
      print: (piece) => {
        text += piece;
      },
      run: async (command, typed) => command.run?.(typed, context),
    });
    if (text) await writeAll(host.stdout, text);
    return outcome ?? ExitCode.ok;
  } catch (error) {
    const rescued = await rescue(argv, error);
    if (!rescued) report.error(error);
    else await writeAll(host.stdout, rescued.stdout).catch(() => {});
    return rescued?.exitCode ?? exitCodeOf(error);
  }
}

/** What a command that has its own way to end badly makes of `error`: a monitoring plugin must always answer. */
async function rescue(argv: readonly string[], error: unknown): Promise<Rescue | undefined> {
  for (const entry of commands.filter(({ name }) => argv.includes(name))) {
    const rescued = (await entry.load()).rescue?.(argv, error);
    if (rescued) return rescued;
  }
  return undefined;
}

/** Runs the real process: what the launcher calls. */
export async function start(): Promise<void> {
  process.exitCode = await main(process.argv.slice(2), processHost());
}

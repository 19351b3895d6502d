/** One run: argv in, exit code out. The only catch; never process.exit. */
import type { Command } from './commands/command.ts';
import { commands } from './commands/index.ts';
import { type Host, processHost } from './context.ts';
import { ExitCode } from './errors.ts';
import { readMessageFlags } from './output/message-flags.ts';
import { createReporter, exitCodeOf } from './output/messages.ts';
import { writeAll } from './output/stream.ts';
import { runProgram } from './program.ts';
import { VERSION } from './version.ts';

/** Runs `argv` (without node and script) in `host`; everything thrown ends as one line on stderr and an exit code. */
export async function main(argv: readonly string[], host: Host): Promise<ExitCode> {
  const report = createReporter({ stderr: host.stderr, version: VERSION, ...readMessageFlags(argv) });
  const context = { ...host, report };
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
    const rescued = rescuer(argv)?.rescue?.(argv, error);
    if (!rescued) report.error(error);
    else await writeAll(host.stdout, rescued.stdout).catch(() => {});
    return rescued?.exitCode ?? exitCodeOf(error);
  }
}

/** The command named in `argv`, if it has its own way to end badly (a monitoring plugin must always answer). */
function rescuer(argv: readonly string[]): Command | undefined {
  return commands.find((command) => command.rescue && argv.includes(command.name));
}

/** Runs the real process: what the launcher calls. */
export async function start(): Promise<void> {
  process.exitCode = await main(process.argv.slice(2), processHost());
}

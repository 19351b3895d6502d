/** One run: argv in, exit code out. The only catch; never process.exit. */

import { type CommandLine, readCommandLine } from './cli/command-line.ts';
import { createReporter, messageFlags } from './cli/messages.ts';
import { keyAmong } from './cli/mistakes.ts';
import { commands } from './commands/index.ts';
import type { Context, Host } from './context.ts';
import { ExitCode, exitCodeOf } from './errors.ts';
import { writeAll } from './files/stream.ts';
import { processHost } from './host/process-host.ts';
import { COLOR_CHOICES, colorLevel } from './output/terminal/color.ts';
import { paged } from './output/terminal/paged.ts';

/** Runs `argv` (without node and script) in `host`. */
export async function main(argv: readonly string[], host: Host): Promise<ExitCode> {
  return runLine(await readLine(argv, host), host);
}

export async function readLine(argv: readonly string[], { stdout, env }: Host): Promise<CommandLine> {
  const line = await readCommandLine(argv, { commands, width: helpWidth(stdout) });
  // Checked first: the key could otherwise become the name of a column or a file.
  return { ...line, error: line.error ?? keyAmong(argv, env.RISKCLI_API_KEY?.trim()) };
}

/** Everything thrown ends as one line on stderr and an exit code. */
export async function runLine(line: CommandLine, host: Host): Promise<ExitCode> {
  const flags = messageFlags(line, host.stderr);
  const color = COLOR_CHOICES.find((choice) => choice === line.typed.words('color')?.at(-1));
  const level = colorLevel(host.stderr, { flag: color, env: host.env });
  // Loaded on a terminal only: its packages add 5 ms to the start.
  const wrap = host.stderr.isTTY ? (await import('./text/width.ts')).wrapWords : undefined;
  const report = createReporter({ stderr: host.stderr, color: level, wrap, ...flags });
  report.redact(host.env.RISKCLI_API_KEY?.trim() ?? '');
  const context: Context = { ...host, report };
  try {
    if (line.error) throw line.error;
    if (line.text) await printText(line.text, context);
    const run = line.command?.read?.(line.typed);
    return (await run?.(context)) ?? ExitCode.ok;
  } catch (error) {
    // A monitoring plugin must always print its result.
    const rescued = await line.command?.rescue?.(error, line.typed, context).catch(() => undefined);
    if (rescued === undefined) report.error(error);
    return rescued ?? exitCodeOf(error);
  }
}

/** Prints help or the version: on a terminal through the pager, if it is longer than the screen. */
async function printText(text: string, context: Context): Promise<void> {
  if (!context.stdout.isTTY) return writeAll(context.stdout, text);
  for await (const piece of paged([text], { context, mayWait: true })) await writeAll(context.stdout, piece);
}

/** The terminal's width, within what is easy to read; 80 in a pipe. */
function helpWidth({ isTTY, columns }: Host['stdout']): number {
  return isTTY && columns ? Math.min(Math.max(columns, 60), 100) : 80;
}

/** Runs the real process: what the launcher calls. */
export async function start(): Promise<void> {
  process.exitCode = await main(process.argv.slice(2), processHost());
}

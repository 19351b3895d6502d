/** The help that is not made by commander: the root's, which fits a terminal of 80x24, and what each command's ends with. */
import type { Command, CommandEntry } from '../cli/command.ts';
import { EXITS, exitsOf } from '../cli/exits.ts';
import { variablesOf } from '../cli/variables.ts';
import { joinWrapped } from '../text/words.ts';
import { topics } from './topics/index.ts';

/** Not in the table of commands: it runs nothing of theirs. */
export const HELP_COMMAND = { name: 'help', summary: 'Print help for a command or a topic' };
const NAME_WIDTH = 11;

/** `riskcli --help`: what there is, and where to read on. */
export function rootHelp(commands: readonly CommandEntry[]): string {
  const rows = [...commands, HELP_COMMAND].map(({ name, summary }) => `  ${name.padEnd(NAME_WIDTH)} ${summary}`);
  return `Usage: riskcli <command> [options]

Risk profiles of blockchain wallets, from the Wallet Risk Profile Service.

${rows.join('\n')}

Example: riskcli profile --sandbox 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
Documentation: riskcli help <command>, man riskcli, or one of these topics:
${topicNames()}
`;
}

function topicNames(): string {
  const names = joinWrapped(
    topics.map(({ name }) => name),
    78,
  );
  return names.map((line) => `  ${line}`).join('\n');
}

/** What the help of `command` ends with: examples, variables, exit codes. */
export function commandNotes(command: Command): string {
  const examples = (command.examples ?? []).flatMap(({ line, does }) => [`  # ${does}`, `  $ ${line}`]);
  const exits = exitsOf(command).map((code) => `${code} ${EXITS.find((exit) => exit.code === code)?.brief}`);
  return [
    ...(examples.length > 0 ? [section('Examples', examples)] : []),
    listSection('Variables (riskcli help settings)', variablesOf(command)),
    listSection('Exit codes (riskcli help exit-codes)', exits),
  ].join('');
}

function listSection(heading: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  return section(
    heading,
    joinWrapped(items, 78).map((line) => `  ${line}`),
  );
}

const section = (heading: string, lines: readonly string[]) => `\n${heading}:\n${lines.join('\n')}\n`;

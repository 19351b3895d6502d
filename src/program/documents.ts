/** The parts of docs/ that are made from the program's tables: `npm run docs` writes them, and a test checks the pages. */

import { GLOBAL_FLAGS } from '../cli/global-flags.ts';
import { SETTINGS, type Setting } from '../cli/settings-table.ts';
import { VARIABLES } from '../cli/variables.ts';
import { commands, loadCommand } from '../commands/index.ts';

const MADE = '<!-- made from the tables of the program: npm run docs -->';
const END = '<!-- end -->';

/** `page`, docs/settings.md, with its tables made again. */
export async function withSettingsTables(page: string): Promise<string> {
  const [before = '', rest = ''] = page.split(MADE);
  const after = rest.slice(rest.indexOf(END));
  return `${before}${MADE}\n\n${settingsTable()}\n\n${variablesTable()}\n\n${await optionsTable()}\n\n${after}`;
}

function settingsTable(): string {
  const rows: readonly Setting[] = SETTINGS;
  return table(
    ['setting', '', 'option', 'variable'],
    rows.map(({ name, help, fallback, flag, variable }) => [
      code(name),
      fallback === undefined ? help : `${help} (default: ${fallback})`,
      flag ? code(`--${flag}`) : '',
      variable ? code(variable) : '',
    ]),
  );
}

/** Options that a command's help names without a description: those of the connection, and those of every command. */
async function optionsTable(): Promise<string> {
  const all = await Promise.all(commands.map(loadCommand));
  const flags = all.flatMap((command) => [command, ...(command.subcommands ?? [])]).flatMap((one) => one.flags ?? []);
  const connection = flags.filter(({ group }) => group === 'Connection');
  const shared = new Map([...connection, ...GLOBAL_FLAGS].map((flag) => [flag.long, flag]));
  return table(
    ['option', ''],
    [...shared.values()].map(({ long, short, value, help }) => [
      code([...(short ? [`-${short}`] : []), value ? `--${long} <${value}>` : `--${long}`].join(', ')),
      help,
    ]),
  );
}

const variablesTable = () =>
  table(
    ['variable', ''],
    VARIABLES.map(({ name, help }) => [code(name), help]),
  );

const code = (text: string) => `\`${text}\``;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

/** The parts of docs/ that are made from the program's tables: `npm run docs` writes them, and a test checks the pages. */

import { EXITS } from '../cli/exits.ts';
import { GLOBAL_FLAGS } from '../cli/global-flags.ts';
import { SETTINGS, type Setting } from '../cli/settings-table.ts';
import { VARIABLES } from '../cli/variables.ts';
import { commands, loadCommand } from '../commands/index.ts';
import { ERROR_CODES, type ErrorCode, type ErrorKind, WALLET_CODES } from '../error-codes.ts';
import { ExitCode, PRECEDENCE } from '../errors.ts';
import { ERROR_HELP } from './topics/error-help.ts';

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

/** docs/errors.md. */
export function errorsPage(): string {
  return `# Exit codes and errors

\`riskcli help CODE\` says what is known of one code: \`riskcli help key_refused\`, \`riskcli help 7\`.

## Exit codes

${table(
  ['code', 'meaning'],
  EXITS.map(({ code: exit, meaning }) => [String(exit), meaning]),
)}

When several hold, the first of these counts: ${PRECEDENCE.filter((exit) => exit !== ExitCode.ok).join(', ')}.

A script that runs a list until it is done: run it again after 5, wait after 7 (stderr says until when), stop after anything else.
\`health --format nagios\` exits with 0 to 3 and nothing else, as plugins do.

\`\`\`console
$ riskcli profile 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 --base-url http://127.0.0.1:9 --timeout 1s; echo "exit $?"
riskcli: 127.0.0.1:9 [..]; check the base URL and the network, then run the same command again
exit 5
\`\`\`

${errorCodesSection()}`;
}

function errorCodesSection(): string {
  const kinds: readonly (readonly [string, ErrorKind])[] = Object.entries(ERROR_CODES);
  const messages = kinds.filter(([, { exits }]) => exits.length > 0);
  return `## Error codes

Scripts and programs can rely on these; the words of messages may change. With \`--json\` or \`--jsonl\`, \`error\` on stderr has
\`exit_code\`, \`code\`, \`message\` and \`environment\`, and, where they are known, \`hint\`, \`http_status\`, \`retry_at\` (when the
same command can continue), \`counts\` (rows of the list by status) and \`url\` (the base URL). Rows and summaries have the same codes.

\`\`\`console
$ riskcli profile nonsense --json 2> error.json; jq -c '.error | [.exit_code, .code]' error.json
[2,"invalid_wallet"]
\`\`\`

${errorTable(messages.map(([name]) => name as ErrorCode))}

## Rows that are not wallets

\`_meta.error.code\` of the row says what is wrong:

${errorTable(Object.keys(WALLET_CODES) as ErrorCode[])}
`;
}

function errorTable(codes: readonly ErrorCode[]): string {
  const rows = codes.map((name) => {
    const { exits, means }: ErrorKind = ERROR_CODES[name];
    const { cause, remedy, again } = ERROR_HELP[name];
    return [code(name), exits.join(', '), `${means}. ${cause}`, remedy, again];
  });
  const columns = ['code', 'exit', 'what happened', 'what to do', 'again?'];
  return table(columns, rows);
}

const code = (text: string) => `\`${text}\``;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

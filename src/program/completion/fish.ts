/** The fish script. Each line holds only where its command has been typed; the root's lines only before any command. */
import type { Argument } from '../../cli/command.ts';
import type { Flag } from '../../cli/flag.ts';
import type { CompletedCommand } from './words.ts';

const quote = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;

export function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap((command) => {
    const where = `-n ${quote(condition(command))}`;
    return [
      ...command.subcommands.map(({ name, summary }) => `${where} -a ${name} -d ${quote(summary)}`),
      ...command.flags.map((flag) => `${where} ${flagWords(flag)}`),
      ...command.args.flatMap((argument) => argumentLine(command, argument)),
    ];
  });
  return `# fish completion of riskcli; made from the command table by: riskcli completion fish
# Of several texts with commas between them the last is completed, behind the + of --fields as well.
function __riskcli_several
  set -l typed (string replace -r -- '^--[a-z-]+=' '' (commandline -ct))
  set -l before (string match -r -- '^.*[,+]' $typed)
  printf '%s\\n' $before$argv
  if test -z "$before"
    printf '%s\\n' $argv
  end
end
complete -c riskcli -f
${lines.map((line) => `complete -c riskcli ${line}`).join('\n')}
`;
}

function condition({ path, subcommands }: CompletedCommand): string {
  const seen = path.map((name) => `__fish_seen_subcommand_from ${name}`);
  const below = subcommands.map((subcommand) => subcommand.name).join(' ');
  return [...seen, ...(below ? [`not __fish_seen_subcommand_from ${below}`] : [])].join('; and ');
}

function flagWords(flag: Flag): string {
  const names = `${flag.short ? `-s ${flag.short} ` : ''}-l ${flag.long}`;
  return `${names}${flag.value ? valueWords(flag) : ''} -d ${quote(flag.help)}`;
}

function valueWords({ choices, completes, rest, commas }: Flag): string {
  if (commas && Array.isArray(completes)) return ` -x -a ${quote(`(__riskcli_several ${completes.join(' ')})`)}`;
  if (rest) return ' -x -a "(__fish_complete_command)"';
  if (completes === 'file') return ' -r -F';
  const words = wordsFor({ choices, completes });
  return words === undefined ? ' -x' : ` -x -a ${words}`;
}

function argumentLine(command: CompletedCommand, { choices, completes }: Argument): string[] {
  const where = condition(command);
  if (completes === 'file') return [`-n ${quote(where)} -F`];
  // One of them is one argument: where it stands, the next one has its turn.
  return choices
    ? [
        `-n ${quote(`${where}; and not __fish_seen_subcommand_from ${choices.join(' ')}`)} -a ${quote(choices.join(' '))}`,
      ]
    : [];
}

function wordsFor({ choices, completes }: Pick<Flag, 'choices' | 'completes'>): string | undefined {
  if (completes === 'environment') return quote('(command riskcli completion environments 2> /dev/null)');
  const words = choices ?? (Array.isArray(completes) ? completes : undefined);
  return words && quote(words.join(' '));
}

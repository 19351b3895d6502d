/** The zsh script: works from a folder in fpath as `_riskcli` and when sourced. */
import type { Argument } from '../../cli/command.ts';
import type { Flag } from '../../cli/flag.ts';
import type { CompletedCommand } from './words.ts';

const functionName = (path: readonly string[]) => ['_riskcli', ...path].join('_');
const inQuotes = (text: string) => text.replaceAll("'", "'\\''");
const inBrackets = (text: string) => inQuotes(text.replace(/[[\]:\\]/g, '\\$&'));

export function zshScript(commands: readonly CompletedCommand[]): string {
  return `#compdef riskcli
# zsh completion of riskcli; made from the command table by: riskcli completion zsh
${commands.map(commandFunction).join('\n')}
if [[ $funcstack[1] == _riskcli ]]; then
  _riskcli "$@"
else
  compdef _riskcli riskcli
fi
`;
}

function commandFunction(command: CompletedCommand): string {
  const specs = command.flags.map(flagSpec);
  const name = functionName(command.path);
  if (command.subcommands.length === 0) {
    return `${name}() {\n  _arguments -s -S \\\n${[...specs, ...command.args.map(argumentSpec)].map((s) => `    ${s}`).join(' \\\n')}\n}`;
  }
  const subcommands = command.subcommands.map(({ name, summary }) => `'${name}:${inBrackets(summary)}'`).join(' ');
  return `${name}() {
  local context state state_descr line
  typeset -A opt_args
  local -a subcommands=(${subcommands})
  _arguments -s -S -C \\
${specs.map((spec) => `    ${spec}`).join(' \\\n')} \\
    '1: :->command' '*:: :->rest'
  case $state in
    command) _describe command subcommands ;;
    rest)
      case $words[1] in
${command.subcommands.map((sub) => `        ${sub.name}) ${functionName([...command.path, sub.name])} ;;`).join('\n')}
      esac ;;
  esac
}`;
}

function values({ choices, completes, rest, commas }: Pick<Flag, 'choices' | 'completes' | 'rest' | 'commas'>): string {
  if (choices) return `(${choices.join(' ')})`;
  if (rest) return '_command_names -e';
  // What may be followed by more has no blank behind it.
  if (Array.isArray(completes)) {
    // Of several texts with commas between them the last is completed, behind the + of --fields as well.
    const cut = commas ? 'compset -P "*[,+]"; ' : '';
    return `{${cut}compadd -S "" -- ${completes.join(' ')}}`;
  }
  if (completes === 'environment') return '{compadd -- $(command riskcli completion environments 2> /dev/null)}';
  return completes === 'file' ? '_files' : ' ';
}

function flagSpec(flag: Flag): string {
  const help = `[${inBrackets(flag.help)}]`;
  const value = flag.value ? `:${flag.value}:${values(flag)}` : '';
  const long = flag.value ? `--${flag.long}=` : `--${flag.long}`;
  const repeat = flag.repeatable ? '*' : '';
  if (!flag.short) return `'${repeat}${long}${help}${value}'`;
  const short = flag.value ? `-${flag.short}+` : `-${flag.short}`;
  const exclusive = flag.repeatable ? repeat : `(-${flag.short} --${flag.long})`;
  return `'${exclusive}'{${short},${long}}'${help}${value}'`;
}

function argumentSpec(argument: Argument): string {
  const help = inBrackets(argument.name);
  return argument.variadic ? `'*:${help}:${values(argument)}'` : `':${help}:${values(argument)}'`;
}

/**
 * The bash script. It needs no bash-completion package, asks riskcli for nothing but the names of environments, evaluates
 * nothing that was typed, and leaves file names to readline, which knows about spaces, quotes and tildes.
 */
import type { Flag } from '../../cli/flag.ts';
import { type CompletedCommand, spellings } from './words.ts';

const key = (path: readonly string[]) => `'${path.join(' ')}'`;

export function bashScript(commands: readonly CompletedCommand[]): string {
  return `# bash completion of riskcli; made from the command table by: riskcli completion bash
_riskcli() {
  local words=() joined='' path='' flag='' current prefix='' candidates='' several='' more='' i n=0 position=0
  # readline cuts --flag=value at the equals sign: join the pieces again.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    if [[ \${COMP_WORDS[i]} == '=' && n -gt 0 && \${words[n-1]} == --* ]]; then
      words[n-1]+='='; joined=1
    elif [[ -n $joined ]]; then
      words[n-1]+=\${COMP_WORDS[i]}; joined=''
    else
      words[n]=\${COMP_WORDS[i]}; n=$((n + 1))
    fi
  done
  current=\${words[n-1]}
  for ((i = 0; i < n - 1; i++)); do
    if [[ -n $flag ]]; then flag=''; continue; fi
    if [[ \${words[i]} == -- ]]; then path+=' --'; break; fi
    if [[ \${words[i]} == -* ]]; then
      if _riskcli_takes_value "$path" "\${words[i]}"; then flag=\${words[i]}; fi
      continue
    fi
    case "$path/\${words[i]}" in
${commands
  .filter((command) => command.path.length > 0)
  .map((command) => `      ${key(command.path.slice(0, -1))}/${command.path.at(-1)}) path=${key(command.path)} ;;`)
  .join('\n')}
      *) position=$((position + 1)) ;;
    esac
  done
  if [[ -z $flag && $current == --*=* ]]; then
    flag=\${current%%=*}
    if [[ $COMP_WORDBREAKS != *=* ]]; then prefix="$flag="; fi
    current=\${current#*=}
  fi
  if [[ -n $flag ]]; then
    _riskcli_values "$path" "$flag"
  elif [[ $current == -* ]]; then
    _riskcli_flags "$path"
  else
    _riskcli_arguments "$path:$position"
  fi
  COMPREPLY=()
  if [[ $candidates == '<programs>' ]]; then
    while IFS= read -r i; do COMPREPLY+=("$i"); done < <(compgen -c -- "$current")
    return
  fi
  if [[ $candidates == '<files>' ]]; then return; fi
  # Of several texts with commas between them the last is completed, behind the + of --fields as well.
  if [[ -n $several && $current == *[,+]* ]]; then
    i=\${current##*[,+]}
    prefix+=\${current:0:\${#current}-\${#i}}
    current=$i
  fi
  if type compopt &> /dev/null; then
    compopt +o default +o bashdefault 2> /dev/null
    if [[ -n $more ]]; then compopt -o nospace 2> /dev/null; fi
  fi
  for i in $candidates; do
    if [[ $i == "$current"* ]]; then COMPREPLY+=("$prefix$i"); fi
  done
}
_riskcli_takes_value() {
  case "$1:$2" in
${commands.map((command) => `    ${patterns(command, valueFlags(command))}) return 0 ;;`).join('\n')}
  esac
  return 1
}
_riskcli_values() {
  case "$1:$2" in
${commands.flatMap((command) => valueFlags(command).map((flag) => valueLine(command, flag))).join('\n')}
  esac
}
_riskcli_flags() {
  case "$1" in
${commands.map((command) => `    ${key(command.path)}) candidates='${command.flags.flatMap(spellings).join(' ')}' ;;`).join('\n')}
  esac
}
_riskcli_arguments() {
  case "$1" in
${commands.flatMap(argumentLines).join('\n')}
  esac
}
complete -o bashdefault -o default -F _riskcli riskcli
`;
}

const valueFlags = (command: CompletedCommand) => command.flags.filter((flag) => flag.value);

/** `'keys set:--env'|'keys set:-e'`: patterns that a shell without extglob reads too. */
function patterns(command: CompletedCommand, flags: readonly Flag[]): string {
  const path = command.path.join(' ');
  return flags
    .flatMap(spellings)
    .map((spelling) => `'${path}:${spelling}'`)
    .join('|');
}

function valueLine(command: CompletedCommand, flag: Flag): string {
  const several = flag.commas ? ' several=1' : '';
  // What may be followed by more has no blank behind it.
  const more = !flag.choices && Array.isArray(flag.completes) ? ' more=1' : '';
  return `    ${patterns(command, [flag])}) candidates=${wordsFor(flag)}${several}${more} ;;`;
}

/** What is offered in each place behind the command. */
function argumentLines({ path, subcommands, args }: CompletedCommand): string[] {
  const line = (position: string, words: string) => `    '${path.join(' ')}:'${position}) candidates=${words} ;;`;
  if (subcommands.length > 0) return [line('0', `'${subcommands.map(({ name }) => name).join(' ')}'`)];
  return args.map((argument, i) => line(argument.variadic ? '*' : String(i), wordsFor(argument)));
}

/** What `candidates` is set to, as a word of bash. */
function wordsFor({ choices, completes, rest }: Pick<Flag, 'choices' | 'completes' | 'rest'>): string {
  if (rest) return "'<programs>'";
  if (choices || Array.isArray(completes)) return `'${(choices ?? [completes].flat()).join(' ')}'`;
  if (completes === 'environment') return '"$(command riskcli completion environments 2> /dev/null)"';
  return completes === 'file' ? "'<files>'" : "''";
}

# bash completion of riskcli; made from the command table by: riskcli completion bash
_riskcli() {
  local words=() joined='' path='' flag='' current prefix='' candidates='' i n=0
  # readline cuts --flag=value at the equals sign: join the pieces again.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} == '=' && n -gt 0 && ${words[n-1]} == --* ]]; then
      words[n-1]+='='; joined=1
    elif [[ -n $joined ]]; then
      words[n-1]+=${COMP_WORDS[i]}; joined=''
    else
      words[n]=${COMP_WORDS[i]}; n=$((n + 1))
    fi
  done
  current=${words[n-1]}
  for ((i = 0; i < n - 1; i++)); do
    if [[ -n $flag ]]; then flag=''; continue; fi
    if [[ ${words[i]} == -- ]]; then path+=' --'; break; fi
    if [[ ${words[i]} == -* ]]; then
      if _riskcli_takes_value "$path" "${words[i]}"; then flag=${words[i]}; fi
      continue
    fi
    case "$path/${words[i]}" in
      ''/health) path='health' ;;
      ''/sandbox) path='sandbox' ;;
      ''/completion) path='completion' ;;
    esac
  done
  if [[ -z $flag && $current == --*=* ]]; then
    flag=${current%%=*}
    if [[ $COMP_WORDBREAKS != *=* ]]; then prefix="$flag="; fi
    current=${current#*=}
  fi
  if [[ -n $flag ]]; then
    _riskcli_values "$path" "$flag"
  elif [[ $current == -* ]]; then
    _riskcli_flags "$path"
  else
    _riskcli_arguments "$path"
  fi
  COMPREPLY=()
  if [[ $candidates == '<files>' ]]; then return; fi
  if type compopt &> /dev/null; then compopt +o default +o bashdefault 2> /dev/null; fi
  for i in $candidates; do
    if [[ $i == "$current"* ]]; then COMPREPLY+=("$prefix$i"); fi
  done
}
_riskcli_takes_value() {
  case "$1:$2" in
    ':--env'|':-e'|':--color') return 0 ;;
    'health:--warning'|'health:-w'|'health:--critical'|'health:-c'|'health:--wait'|'health:--format'|'health:--output'|'health:-o'|'health:--base-url'|'health:--timeout'|'health:--env'|'health:-e'|'health:--color') return 0 ;;
    'sandbox:--port'|'sandbox:--plan'|'sandbox:--rate'|'sandbox:--burst'|'sandbox:--quota'|'sandbox:--limiter'|'sandbox:--latency'|'sandbox:--fault'|'sandbox:--fixtures'|'sandbox:--seed'|'sandbox:--env'|'sandbox:-e'|'sandbox:--color') return 0 ;;
    'completion:--env'|'completion:-e'|'completion:--color') return 0 ;;
  esac
  return 1
}
_riskcli_values() {
  case "$1:$2" in
    ':--env'|':-e') candidates='' ;;
    ':--color') candidates='auto always never' ;;
    'health:--warning'|'health:-w') candidates='' ;;
    'health:--critical'|'health:-c') candidates='' ;;
    'health:--wait') candidates='' ;;
    'health:--format') candidates='table json csv nagios prometheus' ;;
    'health:--output'|'health:-o') candidates='<files>' ;;
    'health:--base-url') candidates='' ;;
    'health:--timeout') candidates='' ;;
    'health:--env'|'health:-e') candidates='' ;;
    'health:--color') candidates='auto always never' ;;
    'sandbox:--port') candidates='' ;;
    'sandbox:--plan') candidates='developer startup institution enterprise' ;;
    'sandbox:--rate') candidates='' ;;
    'sandbox:--burst') candidates='' ;;
    'sandbox:--quota') candidates='' ;;
    'sandbox:--limiter') candidates='bucket window' ;;
    'sandbox:--latency') candidates='' ;;
    'sandbox:--fault') candidates='' ;;
    'sandbox:--fixtures') candidates='<files>' ;;
    'sandbox:--seed') candidates='' ;;
    'sandbox:--env'|'sandbox:-e') candidates='' ;;
    'sandbox:--color') candidates='auto always never' ;;
    'completion:--env'|'completion:-e') candidates='' ;;
    'completion:--color') candidates='auto always never' ;;
  esac
}
_riskcli_flags() {
  case "$1" in
    '') candidates='--version -V --help -h --env -e --color --quiet -q --verbose -v --debug --no-input' ;;
    'health') candidates='--warning -w --critical -c --wait --format --json --csv --output -o --no-header --base-url --timeout --sandbox --help -h --env -e --color --quiet -q --verbose -v --debug --no-input' ;;
    'sandbox') candidates='--port --plan --rate --burst --quota --limiter --latency --fault --fixtures --seed --help -h --env -e --color --quiet -q --verbose -v --debug --no-input' ;;
    'completion') candidates='--help -h --env -e --color --quiet -q --verbose -v --debug --no-input' ;;
  esac
}
_riskcli_arguments() {
  case "$1" in
    '') candidates='health sandbox completion help' ;;
    'health') candidates='' ;;
    'sandbox') candidates='' ;;
    'completion') candidates='bash zsh fish' ;;
  esac
}
complete -o bashdefault -o default -F _riskcli riskcli

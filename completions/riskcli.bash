# bash completion of riskcli; made from the command table by: riskcli completion bash
_riskcli() {
  local words=() joined='' path='' flag='' current prefix='' candidates='' several='' more='' i n=0 position=0
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
      ''/profile) path='profile' ;;
      ''/diff) path='diff' ;;
      ''/health) path='health' ;;
      ''/keys) path='keys' ;;
      'keys'/set) path='keys set' ;;
      'keys'/show) path='keys show' ;;
      'keys'/list) path='keys list' ;;
      'keys'/remove) path='keys remove' ;;
      'keys'/check) path='keys check' ;;
      ''/config) path='config' ;;
      'config'/set) path='config set' ;;
      'config'/get) path='config get' ;;
      'config'/list) path='config list' ;;
      'config'/unset) path='config unset' ;;
      'config'/path) path='config path' ;;
      ''/limits) path='limits' ;;
      ''/journal) path='journal' ;;
      'journal'/show) path='journal show' ;;
      'journal'/history) path='journal history' ;;
      'journal'/export) path='journal export' ;;
      'journal'/prune) path='journal prune' ;;
      'journal'/purge) path='journal purge' ;;
      ''/doctor) path='doctor' ;;
      ''/report) path='report' ;;
      ''/sandbox) path='sandbox' ;;
      ''/schema) path='schema' ;;
      ''/completion) path='completion' ;;
      ''/help) path='help' ;;
      *) position=$((position + 1)) ;;
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
    i=${current##*[,+]}
    prefix+=${current:0:${#current}-${#i}}
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
    ':--env'|':-e'|':--color') return 0 ;;
    'profile:--file'|'profile:-f'|'profile:--column'|'profile:--wallet-format'|'profile:--score'|'profile:--format'|'profile:--output'|'profile:-o'|'profile:--fields'|'profile:--where'|'profile:--sort'|'profile:--top'|'profile:--progress'|'profile:--metrics'|'profile:--summary'|'profile:--fail-if'|'profile:--policy'|'profile:--accept'|'profile:--journal'|'profile:--max-age'|'profile:--max-requests'|'profile:--rate'|'profile:--concurrency'|'profile:--base-url'|'profile:--timeout'|'profile:--auth'|'profile:--max-wait'|'profile:--env'|'profile:-e'|'profile:--color') return 0 ;;
    'diff:--wallet-format'|'diff:--score'|'diff:--format'|'diff:--output'|'diff:-o'|'diff:--fields'|'diff:--where'|'diff:--sort'|'diff:--top'|'diff:--fail-if'|'diff:--accept'|'diff:--env'|'diff:-e'|'diff:--color') return 0 ;;
    'health:--warning'|'health:-w'|'health:--critical'|'health:-c'|'health:--max-skew'|'health:--wait'|'health:--format'|'health:--output'|'health:-o'|'health:--base-url'|'health:--timeout'|'health:--env'|'health:-e'|'health:--color') return 0 ;;
    'keys:--env'|'keys:-e'|'keys:--color') return 0 ;;
    'keys set:--command'|'keys set:--base-url'|'keys set:--timeout'|'keys set:--auth'|'keys set:--max-wait'|'keys set:--env'|'keys set:-e'|'keys set:--color') return 0 ;;
    'keys show:--format'|'keys show:--env'|'keys show:-e'|'keys show:--color') return 0 ;;
    'keys list:--format'|'keys list:--env'|'keys list:-e'|'keys list:--color') return 0 ;;
    'keys remove:--env'|'keys remove:-e'|'keys remove:--color') return 0 ;;
    'keys check:--format'|'keys check:--base-url'|'keys check:--timeout'|'keys check:--auth'|'keys check:--max-wait'|'keys check:--env'|'keys check:-e'|'keys check:--color') return 0 ;;
    'config:--env'|'config:-e'|'config:--color') return 0 ;;
    'config set:--env'|'config set:-e'|'config set:--color') return 0 ;;
    'config get:--format'|'config get:--env'|'config get:-e'|'config get:--color') return 0 ;;
    'config list:--format'|'config list:--env'|'config list:-e'|'config list:--color') return 0 ;;
    'config unset:--env'|'config unset:-e'|'config unset:--color') return 0 ;;
    'config path:--env'|'config path:-e'|'config path:--color') return 0 ;;
    'limits:--format'|'limits:--base-url'|'limits:--env'|'limits:-e'|'limits:--color') return 0 ;;
    'journal:--env'|'journal:-e'|'journal:--color') return 0 ;;
    'journal show:--journal'|'journal show:--format'|'journal show:--env'|'journal show:-e'|'journal show:--color') return 0 ;;
    'journal history:--journal'|'journal history:--wallet-format'|'journal history:--score'|'journal history:--fields'|'journal history:--format'|'journal history:--env'|'journal history:-e'|'journal history:--color') return 0 ;;
    'journal export:--journal'|'journal export:--score'|'journal export:--format'|'journal export:--output'|'journal export:-o'|'journal export:--fields'|'journal export:--where'|'journal export:--sort'|'journal export:--top'|'journal export:--fail-if'|'journal export:--policy'|'journal export:--env'|'journal export:-e'|'journal export:--color') return 0 ;;
    'journal prune:--journal'|'journal prune:--keep'|'journal prune:--older-than'|'journal prune:--format'|'journal prune:--env'|'journal prune:-e'|'journal prune:--color') return 0 ;;
    'journal purge:--journal'|'journal purge:--file'|'journal purge:-f'|'journal purge:--column'|'journal purge:--wallet-format'|'journal purge:--format'|'journal purge:--env'|'journal purge:-e'|'journal purge:--color') return 0 ;;
    'doctor:--format'|'doctor:--base-url'|'doctor:--timeout'|'doctor:--auth'|'doctor:--max-wait'|'doctor:--env'|'doctor:-e'|'doctor:--color') return 0 ;;
    'report:--wallet-format'|'report:--score'|'report:--format'|'report:--output'|'report:-o'|'report:--title'|'report:--baseline'|'report:--fail-if'|'report:--policy'|'report:--accept'|'report:--env'|'report:-e'|'report:--color') return 0 ;;
    'sandbox:--port'|'sandbox:--plan'|'sandbox:--rate'|'sandbox:--burst'|'sandbox:--quota'|'sandbox:--limiter'|'sandbox:--latency'|'sandbox:--fault'|'sandbox:--fixtures'|'sandbox:--seed'|'sandbox:--env'|'sandbox:-e'|'sandbox:--color') return 0 ;;
    'schema:--env'|'schema:-e'|'schema:--color') return 0 ;;
    'completion:--env'|'completion:-e'|'completion:--color') return 0 ;;
    'help:--env'|'help:-e'|'help:--color') return 0 ;;
  esac
  return 1
}
_riskcli_values() {
  case "$1:$2" in
    ':--env'|':-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    ':--color') candidates='auto always never' ;;
    'profile:--file'|'profile:-f') candidates='<files>' ;;
    'profile:--column') candidates='' ;;
    'profile:--wallet-format') candidates='evm hex name' ;;
    'profile:--score') candidates='defi_score.defi_score' more=1 ;;
    'profile:--format') candidates='table json jsonl csv' ;;
    'profile:--output'|'profile:-o') candidates='<files>' ;;
    'profile:--fields') candidates='wallet_address total_collateral_usd defi_score.defi_score _meta.line _meta.input _meta.status _meta.score _meta.answered_at _meta.warning _meta.error.code _meta.error.message' several=1 more=1 ;;
    'profile:--where') candidates='wallet_address total_collateral_usd defi_score.defi_score _meta.line _meta.input _meta.status _meta.score _meta.answered_at _meta.warning _meta.error.code _meta.error.message' more=1 ;;
    'profile:--sort') candidates='wallet_address total_collateral_usd defi_score.defi_score _meta.line _meta.input _meta.status _meta.score _meta.answered_at _meta.warning _meta.error.code _meta.error.message' more=1 ;;
    'profile:--top') candidates='' ;;
    'profile:--progress') candidates='' ;;
    'profile:--metrics') candidates='<files>' ;;
    'profile:--summary') candidates='<files>' ;;
    'profile:--fail-if') candidates='wallet_address total_collateral_usd defi_score.defi_score _meta.line _meta.input _meta.status _meta.score _meta.answered_at _meta.warning _meta.error.code _meta.error.message' more=1 ;;
    'profile:--policy') candidates='<files>' ;;
    'profile:--accept') candidates='no_score invalid failed pending' several=1 more=1 ;;
    'profile:--journal') candidates='<files>' ;;
    'profile:--max-age') candidates='' ;;
    'profile:--max-requests') candidates='' ;;
    'profile:--rate') candidates='' ;;
    'profile:--concurrency') candidates='' ;;
    'profile:--base-url') candidates='' ;;
    'profile:--timeout') candidates='' ;;
    'profile:--auth') candidates='x-api-key bearer' ;;
    'profile:--max-wait') candidates='' ;;
    'profile:--env'|'profile:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'profile:--color') candidates='auto always never' ;;
    'diff:--wallet-format') candidates='evm hex name' ;;
    'diff:--score') candidates='defi_score.defi_score' more=1 ;;
    'diff:--format') candidates='table json jsonl csv' ;;
    'diff:--output'|'diff:-o') candidates='<files>' ;;
    'diff:--fields') candidates='wallet_address total_collateral_usd defi_score.defi_score _meta.line _meta.input _meta.status _meta.score _meta.answered_at _meta.warning _meta.error.code _meta.error.message' several=1 more=1 ;;
    'diff:--where') candidates='wallet_address change status.old status.new status.delta score.old score.new score.delta total_collateral_usd.old total_collateral_usd.new total_collateral_usd.delta' more=1 ;;
    'diff:--sort') candidates='wallet_address change status.old status.new status.delta score.old score.new score.delta total_collateral_usd.old total_collateral_usd.new total_collateral_usd.delta' more=1 ;;
    'diff:--top') candidates='' ;;
    'diff:--fail-if') candidates='wallet_address change status.old status.new status.delta score.old score.new score.delta total_collateral_usd.old total_collateral_usd.new total_collateral_usd.delta' more=1 ;;
    'diff:--accept') candidates='added removed changed same' several=1 more=1 ;;
    'diff:--env'|'diff:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'diff:--color') candidates='auto always never' ;;
    'health:--warning'|'health:-w') candidates='' ;;
    'health:--critical'|'health:-c') candidates='' ;;
    'health:--max-skew') candidates='' ;;
    'health:--wait') candidates='' ;;
    'health:--format') candidates='table json csv nagios prometheus' ;;
    'health:--output'|'health:-o') candidates='<files>' ;;
    'health:--base-url') candidates='' ;;
    'health:--timeout') candidates='' ;;
    'health:--env'|'health:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'health:--color') candidates='auto always never' ;;
    'keys:--env'|'keys:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'keys:--color') candidates='auto always never' ;;
    'keys set:--command') candidates='<programs>' ;;
    'keys set:--base-url') candidates='' ;;
    'keys set:--timeout') candidates='' ;;
    'keys set:--auth') candidates='x-api-key bearer' ;;
    'keys set:--max-wait') candidates='' ;;
    'keys set:--env'|'keys set:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'keys set:--color') candidates='auto always never' ;;
    'keys show:--format') candidates='table json csv' ;;
    'keys show:--env'|'keys show:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'keys show:--color') candidates='auto always never' ;;
    'keys list:--format') candidates='table json csv' ;;
    'keys list:--env'|'keys list:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'keys list:--color') candidates='auto always never' ;;
    'keys remove:--env'|'keys remove:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'keys remove:--color') candidates='auto always never' ;;
    'keys check:--format') candidates='table json csv' ;;
    'keys check:--base-url') candidates='' ;;
    'keys check:--timeout') candidates='' ;;
    'keys check:--auth') candidates='x-api-key bearer' ;;
    'keys check:--max-wait') candidates='' ;;
    'keys check:--env'|'keys check:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'keys check:--color') candidates='auto always never' ;;
    'config:--env'|'config:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'config:--color') candidates='auto always never' ;;
    'config set:--env'|'config set:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'config set:--color') candidates='auto always never' ;;
    'config get:--format') candidates='table json csv' ;;
    'config get:--env'|'config get:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'config get:--color') candidates='auto always never' ;;
    'config list:--format') candidates='table json csv' ;;
    'config list:--env'|'config list:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'config list:--color') candidates='auto always never' ;;
    'config unset:--env'|'config unset:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'config unset:--color') candidates='auto always never' ;;
    'config path:--env'|'config path:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'config path:--color') candidates='auto always never' ;;
    'limits:--format') candidates='table json csv' ;;
    'limits:--base-url') candidates='' ;;
    'limits:--env'|'limits:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'limits:--color') candidates='auto always never' ;;
    'journal:--env'|'journal:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'journal:--color') candidates='auto always never' ;;
    'journal show:--journal') candidates='<files>' ;;
    'journal show:--format') candidates='table json csv' ;;
    'journal show:--env'|'journal show:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'journal show:--color') candidates='auto always never' ;;
    'journal history:--journal') candidates='<files>' ;;
    'journal history:--wallet-format') candidates='evm hex name' ;;
    'journal history:--score') candidates='defi_score.defi_score' more=1 ;;
    'journal history:--fields') candidates='wallet_address total_collateral_usd defi_score.defi_score _meta.line _meta.input _meta.status _meta.score _meta.answered_at _meta.warning _meta.error.code _meta.error.message' several=1 more=1 ;;
    'journal history:--format') candidates='table json csv' ;;
    'journal history:--env'|'journal history:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'journal history:--color') candidates='auto always never' ;;
    'journal export:--journal') candidates='<files>' ;;
    'journal export:--score') candidates='defi_score.defi_score' more=1 ;;
    'journal export:--format') candidates='table json jsonl csv' ;;
    'journal export:--output'|'journal export:-o') candidates='<files>' ;;
    'journal export:--fields') candidates='wallet_address total_collateral_usd defi_score.defi_score _meta.line _meta.input _meta.status _meta.score _meta.answered_at _meta.warning _meta.error.code _meta.error.message' several=1 more=1 ;;
    'journal export:--where') candidates='wallet_address total_collateral_usd defi_score.defi_score _meta.line _meta.input _meta.status _meta.score _meta.answered_at _meta.warning _meta.error.code _meta.error.message' more=1 ;;
    'journal export:--sort') candidates='wallet_address total_collateral_usd defi_score.defi_score _meta.line _meta.input _meta.status _meta.score _meta.answered_at _meta.warning _meta.error.code _meta.error.message' more=1 ;;
    'journal export:--top') candidates='' ;;
    'journal export:--fail-if') candidates='wallet_address total_collateral_usd defi_score.defi_score _meta.line _meta.input _meta.status _meta.score _meta.answered_at _meta.warning _meta.error.code _meta.error.message' more=1 ;;
    'journal export:--policy') candidates='<files>' ;;
    'journal export:--env'|'journal export:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'journal export:--color') candidates='auto always never' ;;
    'journal prune:--journal') candidates='<files>' ;;
    'journal prune:--keep') candidates='' ;;
    'journal prune:--older-than') candidates='' ;;
    'journal prune:--format') candidates='table json csv' ;;
    'journal prune:--env'|'journal prune:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'journal prune:--color') candidates='auto always never' ;;
    'journal purge:--journal') candidates='<files>' ;;
    'journal purge:--file'|'journal purge:-f') candidates='<files>' ;;
    'journal purge:--column') candidates='' ;;
    'journal purge:--wallet-format') candidates='evm hex name' ;;
    'journal purge:--format') candidates='table json csv' ;;
    'journal purge:--env'|'journal purge:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'journal purge:--color') candidates='auto always never' ;;
    'doctor:--format') candidates='table json csv' ;;
    'doctor:--base-url') candidates='' ;;
    'doctor:--timeout') candidates='' ;;
    'doctor:--auth') candidates='x-api-key bearer' ;;
    'doctor:--max-wait') candidates='' ;;
    'doctor:--env'|'doctor:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'doctor:--color') candidates='auto always never' ;;
    'report:--wallet-format') candidates='evm hex name' ;;
    'report:--score') candidates='defi_score.defi_score' more=1 ;;
    'report:--format') candidates='html md' ;;
    'report:--output'|'report:-o') candidates='<files>' ;;
    'report:--title') candidates='' ;;
    'report:--baseline') candidates='<files>' ;;
    'report:--fail-if') candidates='wallet_address total_collateral_usd defi_score.defi_score _meta.line _meta.input _meta.status _meta.score _meta.answered_at _meta.warning _meta.error.code _meta.error.message' more=1 ;;
    'report:--policy') candidates='<files>' ;;
    'report:--accept') candidates='no_score invalid failed pending' several=1 more=1 ;;
    'report:--env'|'report:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'report:--color') candidates='auto always never' ;;
    'sandbox:--port') candidates='' ;;
    'sandbox:--plan') candidates='developer startup institution enterprise' ;;
    'sandbox:--rate') candidates='' ;;
    'sandbox:--burst') candidates='' ;;
    'sandbox:--quota') candidates='' ;;
    'sandbox:--limiter') candidates='bucket window' ;;
    'sandbox:--latency') candidates='' ;;
    'sandbox:--fault') candidates='429 500 502 503 504 reset delay cut' more=1 ;;
    'sandbox:--fixtures') candidates='<files>' ;;
    'sandbox:--seed') candidates='' ;;
    'sandbox:--env'|'sandbox:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'sandbox:--color') candidates='auto always never' ;;
    'schema:--env'|'schema:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'schema:--color') candidates='auto always never' ;;
    'completion:--env'|'completion:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'completion:--color') candidates='auto always never' ;;
    'help:--env'|'help:-e') candidates="$(command riskcli completion environments 2> /dev/null)" ;;
    'help:--color') candidates='auto always never' ;;
  esac
}
_riskcli_flags() {
  case "$1" in
    '') candidates='--version -V --help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'profile') candidates='--file -f --column --wallet-format --score --no-checksum --format --json --jsonl --csv --output -o --no-header --no-pager --fields --where --sort --top --partial --progress --metrics --summary --fail-if --policy --accept --dry-run --journal --max-age --max-requests --rate --concurrency --base-url --timeout --sandbox --auth --max-wait --curl --help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'diff') candidates='--wallet-format --score --format --json --jsonl --csv --output -o --no-header --all --fields --where --sort --top --fail-if --accept --help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'health') candidates='--warning -w --critical -c --max-skew --wait --format --json --csv --output -o --no-header --base-url --timeout --sandbox --curl --help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'keys') candidates='--help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'keys set') candidates='--check --command --base-url --timeout --auth --max-wait --help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'keys show') candidates='--reveal --format --json --csv --no-header --help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'keys list') candidates='--format --json --csv --no-header --help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'keys remove') candidates='--help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'keys check') candidates='--format --json --csv --no-header --base-url --timeout --sandbox --auth --max-wait --help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'config') candidates='--help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'config set') candidates='--help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'config get') candidates='--format --json --csv --no-header --help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'config list') candidates='--format --json --csv --no-header --help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'config unset') candidates='--help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'config path') candidates='--help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'limits') candidates='--format --json --csv --no-header --base-url --help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'journal') candidates='--help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'journal show') candidates='--journal --format --json --csv --no-header --help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'journal history') candidates='--journal --wallet-format --score --no-checksum --fields --format --json --csv --no-header --help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'journal export') candidates='--journal --score --format --json --jsonl --csv --output -o --no-header --fields --where --sort --top --fail-if --policy --help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'journal prune') candidates='--journal --keep --older-than --format --json --csv --no-header --help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'journal purge') candidates='--journal --file -f --column --wallet-format --no-checksum --format --json --csv --no-header --help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'doctor') candidates='--online --format --json --csv --no-header --base-url --timeout --auth --max-wait --help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'report') candidates='--wallet-format --score --format --output -o --title --baseline --fail-if --policy --accept --help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'sandbox') candidates='--port --plan --rate --burst --quota --limiter --latency --fault --fixtures --seed --help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'schema') candidates='--json --help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'completion') candidates='--help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
    'help') candidates='--help -h --env -e --color --no-color --quiet -q --verbose -v --debug --no-input' ;;
  esac
}
_riskcli_arguments() {
  case "$1" in
    ':'0) candidates='profile diff health keys config limits journal doctor report sandbox schema completion help' ;;
    'profile:'*) candidates='' ;;
    'diff:'0) candidates='<files>' ;;
    'diff:'1) candidates='<files>' ;;
    'keys:'0) candidates='set show list remove check' ;;
    'config:'0) candidates='set get list unset path' ;;
    'config set:'0) candidates='base-url auth timeout max-wait monthly-requests score wallet-format' ;;
    'config set:'1) candidates='' ;;
    'config get:'0) candidates='base-url auth timeout max-wait monthly-requests score wallet-format' ;;
    'config unset:'0) candidates='base-url auth timeout max-wait monthly-requests score wallet-format' ;;
    'journal:'0) candidates='show history export prune purge' ;;
    'journal history:'0) candidates='' ;;
    'journal purge:'*) candidates='' ;;
    'report:'0) candidates='<files>' ;;
    'schema:'0) candidates='wallet row rows dry-run summary diff-row diff-rows health keys-show keys-list keys-check config-list config-get limits journal-show journal-history journal-removed doctor message' ;;
    'completion:'0) candidates='bash zsh fish powershell' ;;
    'help:'0) candidates='profile diff health keys config limits journal doctor report sandbox schema completion settings formats lists conditions policy exit-codes agents' ;;
  esac
}
complete -o bashdefault -o default -F _riskcli riskcli

# bash completion of riskcli: asks riskcli what may stand here. Files and programs are left to bash.
_riskcli() {
  local words=() joined='' current cut='' kind blank value i n=0
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
  if [[ $current == --*=* && $COMP_WORDBREAKS == *=* ]]; then cut="${current%%=*}="; fi
  COMPREPLY=()
  {
    IFS=' ' read -r kind blank
    while IFS=$'\t' read -r value _; do COMPREPLY+=("${value#"$cut"}"); done
  } < <(command riskcli __complete "${words[@]}" 2> /dev/null)
  if [[ $kind == programs ]]; then
    while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -c -- "$current")
  elif [[ $kind == values ]] && type compopt &> /dev/null; then
    compopt +o default +o bashdefault 2> /dev/null
    if [[ $blank == no-blank ]]; then compopt -o nospace 2> /dev/null; fi
  fi
}
complete -o bashdefault -o default -F _riskcli riskcli

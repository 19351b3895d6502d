# Prints what zsh offers at the end of each line of standard input with the completion script $1, a line each behind "OFFER ",
# and ANSWERED behind the last. zsh offers only on a terminal: zpty is one. What compadd would add to the line, it is made to print.
zmodload zsh/zpty
zpty shell TERM=dumb zsh -f -i
zpty -w shell 'PS1=; autoload -Uz compinit && compinit -u -D; source '$1'; LISTMAX=0'
zpty -w shell 'offer() { zle complete-word; print -r; print -r END"OF"OFFER }; zle -N offer; bindkey "^I" offer; bindkey "^U" kill-whole-line'
zpty -w shell 'compadd() { if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return $?; fi; local -a hits; builtin compadd -A hits "$@"; print -rl -- OFFER\ ${^hits}; builtin compadd "$@" }'
zpty -w shell 'print RE""ADY'
while zpty -r shell out; do [[ $out == *READY* ]] && break; done
while IFS= read -r line; do
  zpty -n -w shell $'\025'"$line"$'\t'
  while zpty -r shell out; do print -r -- $out; [[ $out == *ENDOFOFFER* ]] && break; done
  print ANSWERED
done
zpty -d shell

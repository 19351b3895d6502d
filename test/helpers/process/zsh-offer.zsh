# Prints what zsh offers at the end of the line $1 with the completion script $2, a line each behind "OFFER ".
# zsh offers only on a terminal: zpty is one. What compadd would add to the line, it is made to print.
zmodload zsh/zpty
zpty shell TERM=dumb zsh -f -i
zpty -w shell 'PS1=; autoload -Uz compinit && compinit -u -D; source '$2'; LISTMAX=0'
zpty -w shell 'offer() { zle complete-word; print -r; print -r END"OF"OFFER }; zle -N offer; bindkey "^I" offer'
zpty -w shell 'compadd() { if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return $?; fi; local -a hits; builtin compadd -A hits "$@"; print -rl -- OFFER\ ${^hits}; builtin compadd "$@" }'
zpty -w shell 'print RE""ADY'
while zpty -r shell out; do [[ $out == *READY* ]] && break; done
zpty -n -w shell "$1"$'\t'
while zpty -r shell out; do print -r -- $out; [[ $out == *ENDOFOFFER* ]] && break; done
zpty -d shell

# fish completion of riskcli: asks riskcli what may stand here.
function __riskcli_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l answer (command riskcli __complete $words[2..-1] "$current" 2> /dev/null)
  switch "$answer[1]"
    case 'files*'
      set -l before (string match -r -- '^--[a-z-]+=' $current)
      for file in (__fish_complete_path (string replace -- "$before" '' $current))
        printf '%s%s\n' "$before" $file
      end
    case 'programs*'
      __fish_complete_command
    case 'values*'
      if set -q answer[2]
        printf '%s\n' $answer[2..-1]
      end
  end
end
complete -c riskcli -f -a '(__riskcli_complete)'

/** The PowerShell script: the table as data, and one block that walks it. Nothing that was typed is evaluated. */
import type { Flag } from '../../cli/flag.ts';
import { type CompletedCommand, spellings } from './words.ts';

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
const list = (texts: readonly string[]) => `@(${texts.map(quote).join(', ')})`;

export function powershellScript(commands: readonly CompletedCommand[]): string {
  return `# PowerShell completion of riskcli; made from the command table by: riskcli completion powershell
Register-ArgumentCompleter -Native -CommandName riskcli -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = @{
${commands.map(entry).join('\n')}
  }
  $path = ''
  $flag = ''
  $prefix = ''
  $position = 0
  $current = "$wordToComplete"
  $before = $commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition }
  foreach ($element in $before) {
    $word = $element.Extent.Text
    if ($flag -ne '') { $flag = ''; continue }
    if ($word -ceq '--') { $path = $null; break }
    if ($word.StartsWith('-')) {
      if ($commands[$path].values.ContainsKey($word)) { $flag = $word }
      continue
    }
    $below = "$path $word".Trim()
    if ($commands.ContainsKey($below)) { $path = $below } else { $position += 1 }
  }
  if ($null -eq $path) { return }
  $values = $commands[$path].values
  if (($flag -eq '') -and ($current -match '^(--[a-z-]+)=(.*)$') -and $values.ContainsKey($Matches[1])) {
    $flag = $Matches[1]
    $prefix = "$flag="
    $current = $Matches[2]
  }
  if ($flag -ne '') { $found = $values[$flag] }
  elseif ($current.StartsWith('-')) { $found = $commands[$path].flags }
  elseif ($position -eq 0) { $found = $commands[$path].words }
  else { $found = @() }
  if ($found -contains '<environments>') { $found = @(riskcli completion environments 2> $null) }
  # Of several texts with commas between them the last is completed, behind the + of --fields as well.
  if ($found -contains '<several>') {
    $found = $found | Where-Object { $_ -ne '<several>' }
    if ($current -match '^(.*[,+])(.*)$') {
      $prefix += $Matches[1]
      $current = $Matches[2]
    }
  }
  $found | Where-Object { $_.StartsWith($current, [System.StringComparison]::Ordinal) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new("$prefix$_", $_, 'ParameterValue', $_)
  }
}
`;
}

function entry(command: CompletedCommand): string {
  const values = command.flags
    .filter((flag) => flag.value)
    .flatMap((flag) => spellings(flag).map((spelling) => `      ${quote(spelling)} = ${wordsFor(flag)}`));
  return `    ${quote(command.path.join(' '))} = @{
      words = ${argumentWords(command)}
      flags = ${list(command.flags.flatMap(spellings))}
      values = @{
${values.map((line) => `  ${line}`).join('\n')}
      }
    }`;
}

function argumentWords({ subcommands, args: [argument] }: CompletedCommand): string {
  if (subcommands.length > 0) return list(subcommands.map(({ name }) => name));
  return argument ? wordsFor(argument) : list([]);
}

/** Where nothing is offered, PowerShell itself offers names of files. */
function wordsFor({ choices, completes, commas }: Pick<Flag, 'choices' | 'completes' | 'commas'>): string {
  if (completes === 'environment') return list(['<environments>']);
  const words = choices ?? (Array.isArray(completes) ? completes : []);
  return list(commas ? ['<several>', ...words] : words);
}

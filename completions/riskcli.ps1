# PowerShell completion of riskcli: asks riskcli what may stand here. PowerShell itself offers files where nothing is offered.
Register-ArgumentCompleter -Native -CommandName riskcli -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
  # Old versions drop an empty argument of a program: two quotes stand for it.
  $current = if ("$wordToComplete" -eq '') { '""' } else { "$wordToComplete" }
  $kind, $values = @(riskcli __complete @words $current 2> $null)
  if ("$kind" -notlike 'values*') { return }
  foreach ($line in $values) {
    $value, $description = $line -split "`t", 2
    if ("$description" -eq '') { $description = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
  }
}

# PowerShell completion of riskcli; made from the command table by: riskcli completion powershell
Register-ArgumentCompleter -Native -CommandName riskcli -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = @{
    '' = @{
      words = @('profile', 'diff', 'health', 'keys', 'config', 'limits', 'journal', 'doctor', 'report', 'sandbox', 'schema', 'completion', 'help')
      flags = @('--version', '-V', '--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'profile' = @{
      words = @()
      flags = @('--file', '-f', '--column', '--wallet-format', '--score', '--no-checksum', '--format', '--json', '--jsonl', '--csv', '--output', '-o', '--no-header', '--no-pager', '--fields', '--where', '--sort', '--top', '--partial', '--progress', '--metrics', '--summary', '--fail-if', '--policy', '--accept', '--dry-run', '--journal', '--max-age', '--max-requests', '--rate', '--concurrency', '--base-url', '--timeout', '--sandbox', '--auth', '--max-wait', '--curl', '--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--file' = @()
        '-f' = @()
        '--column' = @()
        '--wallet-format' = @('evm', 'hex', 'name')
        '--score' = @('defi_score.defi_score')
        '--format' = @('table', 'json', 'jsonl', 'csv')
        '--output' = @()
        '-o' = @()
        '--fields' = @('<several>', 'wallet_address', 'total_collateral_usd', 'defi_score.defi_score', '_meta.line', '_meta.input', '_meta.status', '_meta.score', '_meta.answered_at', '_meta.warning', '_meta.error.code', '_meta.error.message')
        '--where' = @('wallet_address', 'total_collateral_usd', 'defi_score.defi_score', '_meta.line', '_meta.input', '_meta.status', '_meta.score', '_meta.answered_at', '_meta.warning', '_meta.error.code', '_meta.error.message')
        '--sort' = @('wallet_address', 'total_collateral_usd', 'defi_score.defi_score', '_meta.line', '_meta.input', '_meta.status', '_meta.score', '_meta.answered_at', '_meta.warning', '_meta.error.code', '_meta.error.message')
        '--top' = @()
        '--progress' = @()
        '--metrics' = @()
        '--summary' = @()
        '--fail-if' = @('wallet_address', 'total_collateral_usd', 'defi_score.defi_score', '_meta.line', '_meta.input', '_meta.status', '_meta.score', '_meta.answered_at', '_meta.warning', '_meta.error.code', '_meta.error.message')
        '--policy' = @()
        '--accept' = @('<several>', 'no_score', 'invalid', 'failed', 'pending')
        '--journal' = @()
        '--max-age' = @()
        '--max-requests' = @()
        '--rate' = @()
        '--concurrency' = @()
        '--base-url' = @()
        '--timeout' = @()
        '--auth' = @('x-api-key', 'bearer')
        '--max-wait' = @()
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'diff' = @{
      words = @()
      flags = @('--wallet-format', '--score', '--format', '--json', '--jsonl', '--csv', '--output', '-o', '--no-header', '--all', '--fields', '--where', '--sort', '--top', '--fail-if', '--accept', '--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--wallet-format' = @('evm', 'hex', 'name')
        '--score' = @('defi_score.defi_score')
        '--format' = @('table', 'json', 'jsonl', 'csv')
        '--output' = @()
        '-o' = @()
        '--fields' = @('<several>', 'wallet_address', 'total_collateral_usd', 'defi_score.defi_score', '_meta.line', '_meta.input', '_meta.status', '_meta.score', '_meta.answered_at', '_meta.warning', '_meta.error.code', '_meta.error.message')
        '--where' = @('wallet_address', 'change', 'status.old', 'status.new', 'status.delta', 'score.old', 'score.new', 'score.delta', 'total_collateral_usd.old', 'total_collateral_usd.new', 'total_collateral_usd.delta')
        '--sort' = @('wallet_address', 'change', 'status.old', 'status.new', 'status.delta', 'score.old', 'score.new', 'score.delta', 'total_collateral_usd.old', 'total_collateral_usd.new', 'total_collateral_usd.delta')
        '--top' = @()
        '--fail-if' = @('wallet_address', 'change', 'status.old', 'status.new', 'status.delta', 'score.old', 'score.new', 'score.delta', 'total_collateral_usd.old', 'total_collateral_usd.new', 'total_collateral_usd.delta')
        '--accept' = @('<several>', 'added', 'removed', 'changed', 'same')
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'health' = @{
      words = @()
      flags = @('--warning', '-w', '--critical', '-c', '--max-skew', '--wait', '--format', '--json', '--csv', '--output', '-o', '--no-header', '--base-url', '--timeout', '--sandbox', '--curl', '--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--warning' = @()
        '-w' = @()
        '--critical' = @()
        '-c' = @()
        '--max-skew' = @()
        '--wait' = @()
        '--format' = @('table', 'json', 'csv', 'nagios', 'prometheus')
        '--output' = @()
        '-o' = @()
        '--base-url' = @()
        '--timeout' = @()
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'keys' = @{
      words = @('set', 'show', 'list', 'remove', 'check')
      flags = @('--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'keys set' = @{
      words = @()
      flags = @('--check', '--command', '--base-url', '--timeout', '--auth', '--max-wait', '--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--command' = @()
        '--base-url' = @()
        '--timeout' = @()
        '--auth' = @('x-api-key', 'bearer')
        '--max-wait' = @()
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'keys show' = @{
      words = @()
      flags = @('--reveal', '--format', '--json', '--csv', '--no-header', '--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--format' = @('table', 'json', 'csv')
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'keys list' = @{
      words = @()
      flags = @('--format', '--json', '--csv', '--no-header', '--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--format' = @('table', 'json', 'csv')
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'keys remove' = @{
      words = @()
      flags = @('--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'keys check' = @{
      words = @()
      flags = @('--format', '--json', '--csv', '--no-header', '--base-url', '--timeout', '--sandbox', '--auth', '--max-wait', '--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--format' = @('table', 'json', 'csv')
        '--base-url' = @()
        '--timeout' = @()
        '--auth' = @('x-api-key', 'bearer')
        '--max-wait' = @()
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'config' = @{
      words = @('set', 'get', 'list', 'unset', 'path')
      flags = @('--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'config set' = @{
      words = @('base-url', 'auth', 'timeout', 'max-wait', 'monthly-requests', 'score', 'wallet-format')
      flags = @('--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'config get' = @{
      words = @('base-url', 'auth', 'timeout', 'max-wait', 'monthly-requests', 'score', 'wallet-format')
      flags = @('--format', '--json', '--csv', '--no-header', '--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--format' = @('table', 'json', 'csv')
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'config list' = @{
      words = @()
      flags = @('--format', '--json', '--csv', '--no-header', '--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--format' = @('table', 'json', 'csv')
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'config unset' = @{
      words = @('base-url', 'auth', 'timeout', 'max-wait', 'monthly-requests', 'score', 'wallet-format')
      flags = @('--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'config path' = @{
      words = @()
      flags = @('--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'limits' = @{
      words = @()
      flags = @('--format', '--json', '--csv', '--no-header', '--base-url', '--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--format' = @('table', 'json', 'csv')
        '--base-url' = @()
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'journal' = @{
      words = @('show', 'history', 'export', 'prune', 'purge')
      flags = @('--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'journal show' = @{
      words = @()
      flags = @('--journal', '--format', '--json', '--csv', '--no-header', '--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--journal' = @()
        '--format' = @('table', 'json', 'csv')
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'journal history' = @{
      words = @()
      flags = @('--journal', '--wallet-format', '--score', '--no-checksum', '--fields', '--format', '--json', '--csv', '--no-header', '--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--journal' = @()
        '--wallet-format' = @('evm', 'hex', 'name')
        '--score' = @('defi_score.defi_score')
        '--fields' = @('<several>', 'wallet_address', 'total_collateral_usd', 'defi_score.defi_score', '_meta.line', '_meta.input', '_meta.status', '_meta.score', '_meta.answered_at', '_meta.warning', '_meta.error.code', '_meta.error.message')
        '--format' = @('table', 'json', 'csv')
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'journal export' = @{
      words = @()
      flags = @('--journal', '--score', '--format', '--json', '--jsonl', '--csv', '--output', '-o', '--no-header', '--fields', '--where', '--sort', '--top', '--fail-if', '--policy', '--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--journal' = @()
        '--score' = @('defi_score.defi_score')
        '--format' = @('table', 'json', 'jsonl', 'csv')
        '--output' = @()
        '-o' = @()
        '--fields' = @('<several>', 'wallet_address', 'total_collateral_usd', 'defi_score.defi_score', '_meta.line', '_meta.input', '_meta.status', '_meta.score', '_meta.answered_at', '_meta.warning', '_meta.error.code', '_meta.error.message')
        '--where' = @('wallet_address', 'total_collateral_usd', 'defi_score.defi_score', '_meta.line', '_meta.input', '_meta.status', '_meta.score', '_meta.answered_at', '_meta.warning', '_meta.error.code', '_meta.error.message')
        '--sort' = @('wallet_address', 'total_collateral_usd', 'defi_score.defi_score', '_meta.line', '_meta.input', '_meta.status', '_meta.score', '_meta.answered_at', '_meta.warning', '_meta.error.code', '_meta.error.message')
        '--top' = @()
        '--fail-if' = @('wallet_address', 'total_collateral_usd', 'defi_score.defi_score', '_meta.line', '_meta.input', '_meta.status', '_meta.score', '_meta.answered_at', '_meta.warning', '_meta.error.code', '_meta.error.message')
        '--policy' = @()
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'journal prune' = @{
      words = @()
      flags = @('--journal', '--keep', '--older-than', '--format', '--json', '--csv', '--no-header', '--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--journal' = @()
        '--keep' = @()
        '--older-than' = @()
        '--format' = @('table', 'json', 'csv')
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'journal purge' = @{
      words = @()
      flags = @('--journal', '--file', '-f', '--column', '--wallet-format', '--no-checksum', '--format', '--json', '--csv', '--no-header', '--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--journal' = @()
        '--file' = @()
        '-f' = @()
        '--column' = @()
        '--wallet-format' = @('evm', 'hex', 'name')
        '--format' = @('table', 'json', 'csv')
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'doctor' = @{
      words = @()
      flags = @('--online', '--format', '--json', '--csv', '--no-header', '--base-url', '--timeout', '--auth', '--max-wait', '--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--format' = @('table', 'json', 'csv')
        '--base-url' = @()
        '--timeout' = @()
        '--auth' = @('x-api-key', 'bearer')
        '--max-wait' = @()
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'report' = @{
      words = @()
      flags = @('--wallet-format', '--score', '--format', '--output', '-o', '--title', '--baseline', '--fail-if', '--policy', '--accept', '--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--wallet-format' = @('evm', 'hex', 'name')
        '--score' = @('defi_score.defi_score')
        '--format' = @('html', 'md')
        '--output' = @()
        '-o' = @()
        '--title' = @()
        '--baseline' = @()
        '--fail-if' = @('wallet_address', 'total_collateral_usd', 'defi_score.defi_score', '_meta.line', '_meta.input', '_meta.status', '_meta.score', '_meta.answered_at', '_meta.warning', '_meta.error.code', '_meta.error.message')
        '--policy' = @()
        '--accept' = @('<several>', 'no_score', 'invalid', 'failed', 'pending')
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'sandbox' = @{
      words = @()
      flags = @('--port', '--plan', '--rate', '--burst', '--quota', '--limiter', '--latency', '--fault', '--fixtures', '--seed', '--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--port' = @()
        '--plan' = @('developer', 'startup', 'institution', 'enterprise')
        '--rate' = @()
        '--burst' = @()
        '--quota' = @()
        '--limiter' = @('bucket', 'window')
        '--latency' = @()
        '--fault' = @('429', '500', '502', '503', '504', 'reset', 'delay', 'cut')
        '--fixtures' = @()
        '--seed' = @()
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'schema' = @{
      words = @('wallet', 'row', 'rows', 'dry-run', 'summary', 'diff-row', 'diff-rows', 'health', 'keys-show', 'keys-list', 'keys-check', 'config-list', 'config-get', 'limits', 'journal-show', 'journal-history', 'journal-removed', 'doctor', 'message')
      flags = @('--json', '--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'completion' = @{
      words = @('bash', 'zsh', 'fish', 'powershell')
      flags = @('--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
    'help' = @{
      words = @('profile', 'diff', 'health', 'keys', 'config', 'limits', 'journal', 'doctor', 'report', 'sandbox', 'schema', 'completion', 'settings', 'formats', 'lists', 'conditions', 'policy', 'exit-codes', 'agents')
      flags = @('--help', '-h', '--env', '-e', '--color', '--no-color', '--quiet', '-q', '--verbose', '-v', '--debug', '--no-input')
      values = @{
        '--env' = @('<environments>')
        '-e' = @('<environments>')
        '--color' = @('auto', 'always', 'never')
      }
    }
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

/** The completion scripts in the shells that they are for. A shell that is not installed is skipped, by name. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import treeSitter from '@vscode/tree-sitter-wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GLOBAL_FLAGS } from '../../../src/cli/flags.ts';
import { commands, loadCommand } from '../../../src/commands/index.ts';
import { completionScripts } from '../../../src/program/completion/scripts.ts';
import { completedCommands, spellings } from '../../../src/program/completion/words.ts';
import { installed } from '../../helpers/process/installed.ts';
import { run } from '../../helpers/run.ts';

const completions = fileURLToPath(new URL('../../../completions', import.meta.url));
const ZSH_OFFER = fileURLToPath(new URL('../../helpers/process/zsh-offer.zsh', import.meta.url));

const allCommands = () => Promise.all(commands.map(loadCommand));
const powershellGrammar = fileURLToPath(
  import.meta.resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-powershell.wasm'),
);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'riskcli-completion-'));
  const program = fileURLToPath(new URL('../../../bin/riskcli.js', import.meta.url));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'riskcli'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
    mode: 0o755,
  });
  const environments = { prod: { timeout: '3s' }, '$(touch evil)': {}, '*': {} };
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ environments }));
  writeFileSync(join(folder, 'my wallets.csv'), '');
  writeFileSync(join(folder, '$(touch evil).csv'), '');
});
afterAll(() => {
  expect(spawnSync('ls', [folder], { encoding: 'utf8' }).stdout).not.toMatch(/^evil$/m);
  rmSync(folder, { recursive: true, force: true });
});

/** What the shell offers at the end of `line`. */
type Offer = (line: string) => string[];

const lines = (text: string) => text.split('\n').filter((line) => line !== '');

/** Where a shell starts: riskcli is on the path, and its settings are the folder's. */
const place = () => ({
  cwd: folder,
  encoding: 'utf8' as const,
  // Against hangs only: zsh reads a thousand functions first, which took more than 20 s on a busy machine.
  timeout: 55_000,
  env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}`, RISKCLI_CONFIG_DIR: folder },
});

/** bash splits the line itself, at the word breaks that readline uses. */
const bash: Offer = (line) => {
  const script = `
    source ${completions}/riskcli.bash
    compopt() { files=0; }
    files=1
    line=$1
    read -r -a words <<< "\${line//=/ = }"
    if [[ $line == *' ' || $line == *= ]]; then
      if [[ $line == *' ' ]]; then words+=(''); fi
    fi
    COMP_WORDS=("\${words[@]}"); COMP_CWORD=$((\${#words[@]} - 1)); COMP_LINE=$line
    _riskcli
    if [[ $files == 1 ]]; then echo '<files>'; fi
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  return lines(spawnSync('bash', ['--norc', '-c', script, 'bash', line], place()).stdout);
};

const fish: Offer = (line) => {
  const script = `source ${completions}/riskcli.fish; complete -C "$argv[1]"`;
  const { stdout } = spawnSync('fish', ['--no-config', '-c', script, line], place());
  return lines(stdout).map((offer) => offer.split('\t', 1)[0] ?? '');
};

const zsh: Offer = (line) => {
  const args = ['-f', ZSH_OFFER, line, join(completions, '_riskcli')];
  const { stdout } = spawnSync('zsh', args, place());
  return lines(stdout.replaceAll('\r', '')).flatMap((out) => /OFFER (.*)$/.exec(out)?.[1] ?? []);
};

const SHELLS: readonly (readonly [string, Offer])[] = [
  ['bash', bash],
  ['fish', fish],
  ['zsh', zsh],
];

it('prints the scripts that are checked in', async () => {
  const scripts = completionScripts(await allCommands(), GLOBAL_FLAGS);
  for (const [shell, file] of [
    ['bash', 'riskcli.bash'],
    ['zsh', '_riskcli'],
    ['fish', 'riskcli.fish'],
    ['powershell', 'riskcli.ps1'],
  ] as const) {
    expect(readFileSync(join(completions, file), 'utf8')).toBe(scripts[file]);
    expect(await run('completion', shell)).toEqual({ stdout: scripts[file], stderr: '', exitCode: 0 });
  }
});

it('refuses a shell that it has no script for', async () => {
  const { stderr, exitCode } = await run('completion', 'tcsh');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('bash, zsh, fish, powershell');
});

describe.each(SHELLS)('%s', (shell, offer) => {
  const inShell = it.skipIf(!installed(shell));

  inShell('offers the commands', () => {
    expect(offer('riskcli ')).toEqual(expect.arrayContaining(['health', 'profile', 'keys', 'completion']));
    expect(offer('riskcli prof')).toEqual(['profile']);
  });

  inShell('offers the subcommands of a command, and not those of the root', () => {
    const offered = offer('riskcli keys ');
    expect(offered).toEqual(expect.arrayContaining(['set', 'show']));
    expect(offered).not.toContain('health');
  });

  inShell('offers commands and topics behind help', () => {
    expect(offer('riskcli hel')).toEqual(['help']);
    expect(offer('riskcli help cond')).toEqual(['conditions']);
    expect(offer('riskcli help pro')).toEqual(['profile']);
  });

  inShell('offers the flags of a command and the global ones', () => {
    expect(offer('riskcli profile --form')).toEqual(['--format']);
    expect(offer('riskcli profile --qui')).toEqual(['--quiet']);
    expect(offer('riskcli --qui')).toEqual(['--quiet']);
  });

  inShell('offers the choices of a flag, behind a blank and behind =', () => {
    expect(offer('riskcli profile --format js').map(lastPart)).toEqual(['json', 'jsonl']);
    expect(offer('riskcli profile --format=js').map(lastPart)).toEqual(['json', 'jsonl']);
    expect(offer('riskcli completion z')).toEqual(['zsh']);
  });

  inShell('knows the command behind a global flag with a value', () => {
    expect(offer('riskcli -e prod keys s')).toEqual(expect.arrayContaining(['set', 'show']));
  });

  inShell('offers the environments of this machine, and nothing of their settings', () => {
    expect(offer('riskcli keys show -e ').map((name) => name.trim())).toEqual(['prod']);
  });

  inShell('offers paths of fields, and files where two runs are compared', () => {
    expect(offer('riskcli profile --fields _meta.st')).toEqual(['_meta.status']);
    expect(offer('riskcli diff --sort score.d')).toEqual(['score.delta']);
    expect(offer('riskcli diff my').map((file) => file.replaceAll('\\', ''))).toEqual(
      shell === 'bash' ? ['<files>'] : ['my wallets.csv'],
    );
  });

  inShell('leaves files to the shell where a file is meant, and offers none elsewhere', () => {
    const files = offer('riskcli profile --file my');
    expect(shell === 'bash' ? files : files.map((file) => file.replaceAll('\\', ''))).toEqual(
      shell === 'bash' ? ['<files>'] : ['my wallets.csv'],
    );
    expect(offer('riskcli keys set my')).toEqual([]);
  });
});

it('prints the names of environments for the scripts, but nothing that a shell would make more of', async () => {
  expect(await run('completion', 'environments', { env: { RISKCLI_CONFIG_DIR: folder } })).toEqual({
    stdout: 'prod\n',
    stderr: '',
    exitCode: 0,
  });
});

describe('powershell', () => {
  it('(by its grammar: pwsh is neither in Debian nor in npm) has every command and option as data', async () => {
    const { Parser, Language } = treeSitter;
    await Parser.init();
    const parser = new Parser();
    parser.setLanguage(await Language.load(powershellGrammar));
    const script = readFileSync(join(completions, 'riskcli.ps1'), 'utf8');
    expect(parser.parse(script)?.rootNode.hasError).toBe(false);
    expect(parser.parse(script.replace('foreach (', 'foreach '))?.rootNode.hasError).toBe(true);
    for (const { path, flags, subcommands } of completedCommands(await allCommands(), GLOBAL_FLAGS)) {
      const entry = script.slice(script.indexOf(`\n    '${path.join(' ')}' = @{`)).split('\n    }', 1)[0] ?? '';
      for (const word of [...flags.flatMap(spellings), ...subcommands.map(({ name }) => name)]) {
        expect(entry).toContain(`'${word}'`);
      }
    }
  });
});

const lastPart = (offer: string) => offer.split('=').at(-1);

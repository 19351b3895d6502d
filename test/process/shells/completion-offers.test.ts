/** The completion scripts in the shells that they are for. A shell that is not installed is skipped, by name. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import treeSitter from '@vscode/tree-sitter-wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CompletionServer, serveCompletion } from '../../fixtures/cli/completion-server.ts';
import { cli } from '../../fixtures/cli/here.ts';
import { bareEnv, runLine, start } from '../../fixtures/cli/process.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { installed } from '../../fixtures/process/installed.ts';

const completions = fileURLToPath(new URL('../../../completions', import.meta.url));
const ZSH_OFFER = fileURLToPath(new URL('../../fixtures/process/zsh-offer.zsh', import.meta.url));

const powershellGrammar = fileURLToPath(
  import.meta.resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-powershell.wasm'),
);

let folder: string;
let program: CompletionServer;
beforeAll(async () => {
  folder = temporaryFolder();
  program = await serveCompletion(folder);
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'riskcli'), program.script, { mode: 0o755 });
  const environments = { prod: { timeout: '3s' }, '$(touch evil)': {}, '*': {}, 'pr\n"$(touch evil)\'': {} };
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ environments }));
  writeFileSync(join(folder, 'my wallets.csv'), '');
  writeFileSync(join(folder, '$(touch evil).csv'), '');
});
afterAll(async () => {
  await program[Symbol.asyncDispose]();
  expect(readdirSync(folder)).not.toContain('evil');
});

const lines = (text: string) => text.split('\n').filter((line) => line !== '');

const ANSWERED = 'ANSWERED\n';

/** A shell that reads lines and prints what it offers at the end of each: one for all, for to start one takes it long. */
function openShell({ argv: [program = '', ...args], read }: Shell) {
  // riskcli is on the path, and its settings are the folder's.
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}`, RISKCLI_CONFIG_DIR: folder };
  const child = spawn(program, args, { cwd: folder, env, stdio: ['pipe', 'pipe', 'ignore'] });
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    told += text;
  });
  const closed = once(child, 'close');
  return {
    async offer(line: string): Promise<string[]> {
      told = '';
      child.stdin.write(`${line}\n`);
      while (!told.includes(ANSWERED)) {
        await Promise.race([once(child.stdout, 'data'), closed.then(() => expect.fail(`${program} has ended`))]);
      }
      return lines(told.replaceAll('\r', '').replace(ANSWERED, '')).flatMap(read);
    },
    end() {
      child.stdin.end();
      return closed;
    },
  };
}

interface Shell {
  readonly argv: readonly string[];
  /** What a line that it prints offers. */
  readonly read: (line: string) => string | readonly string[];
}

/** bash splits the line itself, at the word breaks that readline uses. */
const BASH = `
  source ${completions}/riskcli.bash
  compopt() { files=0; }
  while IFS= read -r line <&3; do
    files=1 COMPREPLY=()
    read -r -a words <<< "\${line//=/ = }"
    if [[ $line == *' ' || $line == *= ]]; then
      if [[ $line == *' ' ]]; then words+=(''); fi
    fi
    COMP_WORDS=("\${words[@]}"); COMP_CWORD=$((\${#words[@]} - 1)); COMP_LINE=$line
    _riskcli
    if [[ $files == 1 ]]; then echo '<files>'; fi
    printf '%s\\n' "\${COMPREPLY[@]}" ANSWERED
  done 3<&0 < /dev/null`;

const FISH = `
  source ${completions}/riskcli.fish
  while read --line line; complete -C "$line"; echo ANSWERED; end`;

const SHELLS: Readonly<Record<string, Shell>> = {
  bash: { argv: ['bash', '--norc', '-c', BASH], read: (line) => line },
  fish: { argv: ['fish', '--no-config', '-c', FISH], read: (line) => line.split('\t', 1) },
  zsh: {
    argv: ['zsh', '-f', ZSH_OFFER, join(completions, '_riskcli')],
    read: (line) => /OFFER (.*)$/.exec(line)?.[1] ?? [],
  },
};

it('the program gives the same completions as this process', async () => {
  const words = ['__complete', 'keys', 'show', '-e', ''];
  const { stdout, stderr, exitCode } = await start(words, { env: bareEnv({ RISKCLI_CONFIG_DIR: folder }) }).done;
  expect({ stdout, stderr, exitCode }).toEqual({ stdout: 'values blank\nprod\t\n', stderr: '', exitCode: 0 });
  const answered = await runLine(`'${folder}/bin/riskcli' ${words.join(' ')} ''`);
  expect(answered.stdout).toBe(stdout);
});

it.each([
  ['bash', 'riskcli.bash'],
  ['zsh', '_riskcli'],
  ['fish', 'riskcli.fish'],
  ['powershell', 'riskcli.ps1'],
])('riskcli completion prints the script of %s, which is a shim of at most 40 lines', async (shell, file) => {
  const script = readFileSync(join(completions, file), 'utf8');
  expect(await cli(['completion', shell])).toEqual({ stdout: script, stderr: '', exitCode: 0 });
  expect(lines(script).length).toBeLessThanOrEqual(40);
});

it('riskcli completion refuses an unknown shell', async () => {
  const { stderr, exitCode } = await cli(['completion', 'tcsh']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('bash, zsh, fish, powershell');
});

describe.each(Object.entries(SHELLS))('%s', (shell, how) => {
  const isInstalled = installed(shell);
  const inShell = it.skipIf(!isInstalled);
  let opened: ReturnType<typeof openShell>;
  const offer = (line: string) => opened.offer(line);
  beforeAll(() => {
    if (!isInstalled) return;
    opened = openShell(how);
    return () => opened.end();
  });

  inShell('offers the commands', async () => {
    expect(await offer('riskcli ')).toEqual(expect.arrayContaining(['health', 'profile', 'keys', 'completion']));
    expect(await offer('riskcli prof')).toEqual(['profile']);
  });

  inShell('offers the subcommands of a command, and not those of the root', async () => {
    const offered = await offer('riskcli keys ');
    expect(offered).toEqual(expect.arrayContaining(['set', 'show']));
    expect(offered).not.toContain('health');
  });

  inShell('offers commands and topics behind help', async () => {
    expect(await offer('riskcli hel')).toEqual(['help']);
    expect(await offer('riskcli help cond')).toEqual(['conditions']);
    expect(await offer('riskcli help pro')).toEqual(['profile']);
  });

  inShell('offers the flags of a command and the global ones', async () => {
    expect(await offer('riskcli profile --form')).toEqual(['--format']);
    expect(await offer('riskcli profile --qui')).toEqual(['--quiet']);
    expect(await offer('riskcli --qui')).toEqual(['--quiet']);
  });

  inShell('offers the choices of a flag, behind a blank and behind =', async () => {
    expect((await offer('riskcli profile --format js')).map(lastPart)).toEqual(['json', 'jsonl']);
    expect((await offer('riskcli profile --format=js')).map(lastPart)).toEqual(['json', 'jsonl']);
    expect(await offer('riskcli completion z')).toEqual(['zsh']);
  });

  inShell('knows the command behind a global flag with a value', async () => {
    expect(await offer('riskcli -e prod keys s')).toEqual(expect.arrayContaining(['set', 'show']));
  });

  inShell('offers the environments of this machine, and nothing of their settings', async () => {
    expect((await offer('riskcli keys show -e ')).map((name) => name.trim())).toEqual(['prod']);
  });

  inShell('offers paths of fields, and files where two runs are compared', async () => {
    expect(await offer('riskcli profile --fields _meta.st')).toEqual(['_meta.status']);
    expect(await offer('riskcli diff --sort score.d')).toEqual(['score.delta']);
    expect((await offer('riskcli diff my')).map((file) => file.replaceAll('\\', ''))).toEqual(
      shell === 'bash' ? ['<files>'] : ['my wallets.csv'],
    );
  });

  inShell('leaves files to the shell where a file is meant, and offers none elsewhere', async () => {
    const files = await offer('riskcli profile --file my');
    expect(shell === 'bash' ? files : files.map((file) => file.replaceAll('\\', ''))).toEqual(
      shell === 'bash' ? ['<files>'] : ['my wallets.csv'],
    );
    expect(await offer('riskcli keys set my')).toEqual([]);
  });
});

describe('powershell', () => {
  it('(by its grammar: pwsh is neither in Debian nor in npm) has a script that can be read', async () => {
    const { Parser, Language } = treeSitter;
    await Parser.init();
    const parser = new Parser();
    parser.setLanguage(await Language.load(powershellGrammar));
    const script = readFileSync(join(completions, 'riskcli.ps1'), 'utf8');
    expect(parser.parse(script)?.rootNode.hasError).toBe(false);
    expect(parser.parse(script.replace('foreach (', 'foreach '))?.rootNode.hasError).toBe(true);
  });
});

const lastPart = (offer: string) => offer.split('=').at(-1);

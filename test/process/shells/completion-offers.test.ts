/** The completion scripts as they are printed, and what the program offers them; completion-typed.test.ts types into the shells. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import treeSitter from '@vscode/tree-sitter-wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CompletionServer, serveCompletion } from '../../fixtures/cli/completion-server.ts';
import { cli } from '../../fixtures/cli/here.ts';
import { bareEnv, runLine, start } from '../../fixtures/cli/process.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

const completions = fileURLToPath(new URL('../../../completions', import.meta.url));

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
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ environments: { prod: { timeout: '3s' } } }));
});
afterAll(() => program[Symbol.asyncDispose]());

const lines = (text: string) => text.split('\n').filter((line) => line !== '');

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

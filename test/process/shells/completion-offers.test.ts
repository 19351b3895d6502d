/**
 * The completion scripts as they are printed, and what the program offers them;
 * completion-typed.test.ts types into the shells.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import treeSitter from '@vscode/tree-sitter-wasm';
import { expect, it } from 'vitest';
import { cli } from '../../fixtures/cli/here.ts';
import { bareEnv, start } from '../../fixtures/cli/process.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

const completions = fileURLToPath(new URL('../../../completions', import.meta.url));

const powershellGrammar = fileURLToPath(
  import.meta.resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-powershell.wasm'),
);

const lines = (text: string) => text.split('\n').filter((line) => line !== '');

it('completes the names of environments', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ environments: { prod: { timeout: '3s' } } }));
  const words = ['__complete', 'keys', 'show', '-e', ''];
  const finished = await start(words, { env: bareEnv({ RISKCLI_CONFIG_DIR: folder }) }).done;
  expect(finished).toMatchObject({ stdout: 'values blank\nprod\t\n', stderr: '', exitCode: 0 });
});

it.each([
  ['bash', 'riskcli.bash'],
  ['zsh', '_riskcli'],
  ['fish', 'riskcli.fish'],
  ['powershell', 'riskcli.ps1'],
])('prints the completion script of %s, a shim of at most 40 lines', async (shell, file) => {
  const script = readFileSync(join(completions, file), 'utf8');
  expect(await cli(['completion', shell])).toEqual({ stdout: script, stderr: '', exitCode: 0 });
  expect(lines(script).length).toBeLessThanOrEqual(40);
});

it('refuses to print a completion script for an unknown shell', async () => {
  const { stderr, exitCode } = await cli(['completion', 'tcsh']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('bash, zsh, fish, powershell');
});

it('prints a script for PowerShell that its grammar accepts', async () => {
  const { Parser, Language } = treeSitter;
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(powershellGrammar));
  const script = readFileSync(join(completions, 'riskcli.ps1'), 'utf8');
  expect(parser.parse(script)?.rootNode.hasError).toBe(false);
  expect(parser.parse(script.replace('foreach (', 'foreach '))?.rootNode.hasError).toBe(true);
});

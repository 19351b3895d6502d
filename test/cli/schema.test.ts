/** What programs are told, against the tables that the program runs on and against what it prints. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { OUTPUT_NAMES, OUTPUTS, type OutputName } from '../../src/cli/outputs.ts';
import { commands, loadCommand } from '../../src/commands/index.ts';
import { ERROR_CODES } from '../../src/error-codes.ts';
import { ExitCode } from '../../src/errors.ts';
import { schemaFiles } from '../../src/program/generated.ts';
import { cli } from '../fixtures/cli/here.ts';
import { configFolder, storedKeys } from '../fixtures/place/config-folder.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { holdToSchema } from '../fixtures/schemas.ts';
import { startService } from '../fixtures/service/sandbox.ts';

const A = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const KEYS = storedKeys({ prod: { key: 'wrp_0123456789abcdef', base_url: 'https://api.example.com' } });

const all = await Promise.all(commands.map(loadCommand));
const runnable = all.flatMap((command) => [
  ...(command.read ? [command.name] : []),
  ...(command.subcommands ?? []).map((one) => `${command.name} ${one.name}`),
]);

describe('riskcli schema', () => {
  it('prints schemas that match the current tables', async () => {
    const { stdout, stderr, exitCode } = await cli(['schema', '--all']);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const { version } = JSON.parse(stdout);
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    const files = schemaFiles(all, { version });
    expect(stdout, 'run npm run build').toBe(files['riskcli.json']);
    expect((await cli(['schema'])).stdout).toBe(files['index.json']);
    for (const name of OUTPUT_NAMES) expect((await cli(['schema', name])).stdout).toBe(files[`${name}.json`]);
    for (const name of runnable) {
      const file = files[`command-${name.replaceAll(' ', '-')}.json`];
      expect((await cli(['schema', '--command', ...name.split(' ')])).stdout).toBe(file);
      const isOutput = OUTPUT_NAMES.some((output) => output === name);
      if (!isOutput) expect((await cli(['schema', ...name.split(' ')])).stdout).toBe(file);
    }
  });

  it('prints an index of commands, outputs and exit codes in less than 6 kB', async () => {
    const { stdout } = await cli(['schema']);
    expect(Buffer.byteLength(stdout)).toBeLessThan(6_000);
    const index = JSON.parse(stdout);
    expect(Object.keys(index.commands)).toEqual(runnable);
    expect(Object.keys(index.outputs)).toEqual(OUTPUT_NAMES);
    expect(Object.keys(index.exit_codes).map(Number)).toEqual(Object.values(ExitCode));
  });

  it('accepts one name, and none with --all', async () => {
    for (const words of [
      ['row', '--all'],
      ['--all', '--command', 'health'],
      ['row', '--command', 'health'],
    ]) {
      expect(await cli(['schema', ...words])).toMatchObject({ stdout: '', exitCode: 2 });
    }
  });

  it('lists every command, exit code and error code', async () => {
    const told = JSON.parse((await cli(['schema', '--all'])).stdout);
    expect(told.commands.map(({ name }: { name: string }) => name)).toEqual(runnable);
    expect(told.exit_codes.map(({ code }: { code: number }) => code)).toEqual(Object.values(ExitCode));
    expect(told.error_codes.map(({ code }: { code: string }) => code)).toEqual(Object.keys(ERROR_CODES));
    expect(told.exit_code_precedence.toSorted()).toEqual(Object.values(ExitCode).toSorted());
  });

  it('names the command line that prints each output', () => {
    const first = (line: string) => runnable.find((name) => line === name || line.startsWith(`${name} `));
    const lines = OUTPUTS.filter(({ name }) => name !== 'message').flatMap(({ printedBy }) => printedBy);
    for (const line of lines) expect(first(line), line).toBeDefined();
  });

  it('prints valid schemas that reject other outputs', async () => {
    const ajv = new Ajv2020();
    for (const name of OUTPUT_NAMES) {
      const schema = JSON.parse((await cli(['schema', name])).stdout);
      expect(ajv.validateSchema(schema), name).toBe(true);
      expect(() => holdToSchema(name, { nonsense: true })).toThrow(`no ${name}`);
    }
  });

  it('describes the output of each command', async () => {
    const { env } = await startService();
    const folder = temporaryFolder();
    const path = (name: string) => join(folder, name);
    writeFileSync(path('list.txt'), `${A}\nnonsense\n`);
    const given = { env: { ...env, RISKCLI_CONFIG_DIR: configFolder({ 'keys.json': KEYS }).path } };
    const list = ['profile', '-f', path('list.txt'), '--journal', path('j'), '--summary', path('summary.json')];
    const journal = ['--journal', path('j'), '--json'];
    const lines: Readonly<Record<Exclude<OutputName, 'summary'>, readonly string[]>> = {
      message: ['profile', 'nonsense', '--json'],
      wallet: ['profile', A, '--json'],
      row: [...list, '--jsonl'],
      rows: [...list, '--json', '--fail-if', '_meta.score < 0'],
      'dry-run': ['profile', '-f', path('list.txt'), '--dry-run', '--json'],
      review: ['review', path('list.txt'), '--journal', path('j'), '--json', '--fail-if', 'score < 0'],
      report: ['report', path('j'), '--json', '--by', 'score', '--since', '0d'],
      'diff-row': ['diff', path('j'), path('j'), '--all', '--jsonl'],
      'diff-rows': ['diff', path('j'), path('j'), '--all', '--json'],
      health: ['health', '--json'],
      'keys-show': ['keys', 'show', '--json'],
      'keys-list': ['keys', 'list', '--json'],
      'keys-check': ['keys', 'check', '--json'],
      'config-list': ['config', 'list', '--json'],
      'config-get': ['config', 'get', 'timeout', '--json'],
      limits: ['limits', '--json'],
      'journal-show': ['journal', 'show', ...journal],
      'journal-history': ['journal', 'history', A, ...journal],
      'journal-removed': ['journal', 'prune', '--keep', '1', ...journal],
      doctor: ['doctor', '--json'],
    };
    for (const [name, args] of Object.entries(lines)) {
      const { stdout, stderr } = await cli(args, given);
      const text = name === 'message' ? stderr : stdout;
      const values = name === 'row' || name === 'diff-row' ? text.trimEnd().split('\n') : [text];
      for (const value of values) holdToSchema(name as OutputName, JSON.parse(value));
    }
    holdToSchema('summary', JSON.parse(readFileSync(path('summary.json'), 'utf8')));
  });

  it('refuses an unknown name and lists the known ones', async () => {
    const { stderr, exitCode } = await cli(['schema', 'rowz']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('rows');
  });
});

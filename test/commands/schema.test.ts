/** What programs are told, against the tables that the program runs on and against what it prints. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { OUTPUT_NAMES, OUTPUTS } from '../../src/cli/outputs.ts';
import { commands, loadCommand } from '../../src/commands/index.ts';
import { ERROR_CODES } from '../../src/error-codes.ts';
import { ExitCode } from '../../src/errors.ts';
import { schemaFiles } from '../../src/program/generated.ts';
import { run } from '../helpers/run.ts';
import { holdToSchema } from '../helpers/schemas.ts';

const all = await Promise.all(commands.map(loadCommand));
const runnable = all.flatMap((command) => [
  ...(command.run ? [command.name] : []),
  ...(command.subcommands ?? []).map((one) => `${command.name} ${one.name}`),
]);

describe('riskcli schema', () => {
  it('prints what the build has made of the tables as they are', async () => {
    const { stdout, stderr, exitCode } = await run('schema');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const { version } = JSON.parse(stdout);
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    const files = schemaFiles(all, { version });
    expect(stdout, 'run npm run build').toBe(files['riskcli.json']);
    for (const name of OUTPUT_NAMES) expect((await run('schema', name)).stdout).toBe(files[`${name}.json`]);
  });

  it('lists each command that runs, each exit code and each error code', async () => {
    const told = JSON.parse((await run('schema')).stdout);
    expect(told.commands.map(({ name }: { name: string }) => name)).toEqual(runnable);
    expect(told.exit_codes.map(({ code }: { code: number }) => code)).toEqual(Object.values(ExitCode));
    expect(told.error_codes.map(({ code }: { code: string }) => code)).toEqual(Object.keys(ERROR_CODES));
    expect(told.exit_code_precedence.toSorted()).toEqual(Object.values(ExitCode).toSorted());
  });

  it('says by which command line each output is printed', () => {
    const first = (line: string) => runnable.find((name) => line === name || line.startsWith(`${name} `));
    const lines = OUTPUTS.filter(({ name }) => name !== 'message').flatMap(({ printedBy }) => printedBy);
    for (const line of lines) expect(first(line), line).toBeDefined();
  });

  it('prints schemas that are valid and refuse what is not theirs', async () => {
    const ajv = new Ajv2020();
    for (const name of OUTPUT_NAMES) {
      const schema = JSON.parse((await run('schema', name)).stdout);
      expect(ajv.validateSchema(schema), name).toBe(true);
      expect(() => holdToSchema(name, { nonsense: true })).toThrow(`no ${name}`);
    }
  });

  it('refuses a name that there is not, with those that there are', async () => {
    const { stderr, exitCode } = await run('schema', 'rowz');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('rows');
  });
});

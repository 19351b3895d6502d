/** What is built holds what the sources hold, and loads packages as they do. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { types } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Program, runBy } from '../../fixtures/cli/here.ts';
import { bareEnv, start } from '../../fixtures/cli/process.ts';
import { addresses } from '../../fixtures/place/wallets.ts';

const require = createRequire(import.meta.url);
const built = require('../../../dist/main.cjs') as Program;
const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const text = read('dist/main.cjs');

describe('the built program', () => {
  it.each([
    ['prfile', 'did you mean profile?'],
    ['health --formt csv', 'did you mean --format?'],
    ['doctor --sandbox', 'there is no option'],
    ['keys sett', 'did you mean set?'],
    ['health extra', 'too many arguments for health: 1 given, 0 taken'],
    ['config get', '<key> is missing'],
  ])('tells what is wrong with riskcli %s', async (line, told) => {
    const { stderr, exitCode } = await runBy(built, line.split(' '), { env: bareEnv({}) });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(told);
  });

  it('asks for the packages that npm installs with it, and docs/packages.md says what each is for', () => {
    const { dependencies } = JSON.parse(read('package.json'));
    const asked = [...text.matchAll(/\b(?:require|import)\("((?!node:)(?:@[^/"]+\/)?[^/"]+)/g)].map(([, name]) => name);
    expect([...new Set(asked)].sort()).toEqual(Object.keys(dependencies).sort());
    const explained = [...read('docs/packages.md').matchAll(/^- ([\w@/., -]+):/gm)].flatMap(([, names = '']) =>
      names.split(', '),
    );
    expect(explained.sort()).toEqual(Object.keys(dependencies).sort());
  });

  // As CommonJS it would get all of the module in its place: such a package is imported by other
  // names, or by import().
  it('takes `default` of no package that is a module', () => {
    const packages = [...text.matchAll(/__toESM\(require\("([^"]+)"\)/g)].map(([, name = '']) => name);
    expect(packages).toContain('cli-table3');
    expect(packages.filter((name) => types.isModuleNamespaceObject(require(name)))).toEqual([]);
  });

  it.each(['0', '1'])('reads an answer with the parser that UNDICI_NO_WASM_SIMD=%s names', async (value) => {
    const env = bareEnv({ UNDICI_NO_WASM_SIMD: value });
    const { stdout, exitCode } = await start(['profile', ...addresses(2), '--sandbox', '--jsonl'], { env }).done;
    expect({ rows: stdout.trim().split('\n').length, exitCode }).toEqual({ rows: 2, exitCode: 0 });
  });
});

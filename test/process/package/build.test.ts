/** The built program loads packages as the sources do, and keeps the names of its functions. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { types } from 'node:util';
import { expect, it } from 'vitest';
import { start } from '../../fixtures/cli/process.ts';
import { ABSENT } from '../../fixtures/place/folder.ts';

const require = createRequire(import.meta.url);
const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const program = read('dist/main.cjs');

it('loads the packages that npm installs with riskcli, each of which docs/packages.md explains', () => {
  const dependencies = Object.keys(JSON.parse(read('package.json')).dependencies).sort();
  const loaded = program.matchAll(/\b(?:require|import)\("((?!node:)(?:@[^/"]+\/)?[^/"]+)/g);
  expect([...new Set([...loaded].map(([, name]) => name))].sort()).toEqual(dependencies);
  const lines = read('docs/packages.md').matchAll(/^- ([\w@/., -]+):/gm);
  expect([...lines].flatMap(([, names = '']) => names.split(', ')).sort()).toEqual(dependencies);
});

// In CommonJS the default import of an ES module is the whole module; such a package is imported by
// other names, or by import().
it('imports `default` of no package that is an ES module', () => {
  const packages = [...program.matchAll(/__toESM\(require\("([^"]+)"\)/g)].map(([, name = '']) => name);
  expect(packages).toContain('cli-table3');
  expect(packages.filter((name) => types.isModuleNamespaceObject(require(name)))).toEqual([]);
});

it('leaves the other commands, and nothing else, out of the program of `profile`', () => {
  const paths = (text: string) => [...text.matchAll(/\bimport\(["'](\.\/[^"']+)["']\)/g)].map(([, path]) => path);
  const others = paths(read('src/commands/index.ts')).filter((path) => path !== './profile/profile.ts');
  expect(others).toContain('./review/review.ts');
  expect(paths(read('dist/profile.cjs'))).toEqual(others);
});

it('prints a stack with the names of the source under --debug', async () => {
  const { stderr } = await start(['health', '--sandbox', '-o', `${ABSENT}/h.json`, '--debug']).done;
  // The bundler numbers the second of two functions of one name.
  for (const name of ['checkTarget', 'checkHealth', 'runLine']) {
    expect(stderr).toMatch(new RegExp(`at async ${name}\\d* \\(`));
  }
});

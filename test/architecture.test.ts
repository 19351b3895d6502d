/** The tree explains the program only as long as imports follow it. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

interface Import {
  readonly from: string;
  /** `src`-relative file, or the name of a package. */
  readonly to: string;
  readonly kind: 'type' | 'static' | 'dynamic';
}

const STATEMENT = /^(?:import|export)\s+(type\s+)?[^;'"]*?from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]\s*\)|\brequire\(\s*['"]([^'"]+)['"]\s*\)/g;

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8');
  const target = (name: string) => (name.startsWith('.') ? relative(src, resolve(src, dirname(file), name)) : name);
  const found = (pattern: RegExp, kind: (match: RegExpMatchArray) => Import['kind']) =>
    [...text.matchAll(pattern)].map((match) => {
      const name = match.slice(1).findLast((group) => group !== undefined && !/^type\s+$/.test(group));
      return { from: file, to: target(name ?? ''), kind: kind(match) };
    });
  return [...found(STATEMENT, (match) => (match[1] ? 'type' : 'static')), ...found(DYNAMIC, () => 'dynamic')];
}

const imports = files.flatMap(importsOf);
const room = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '') : file);

/** What each room may import besides itself, node's own modules and packages. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  commands: ['service', 'batch', 'settings', 'output', 'sandbox', 'document', 'wallet'],
  service: ['document', 'wallet'],
  batch: ['service', 'document', 'wallet'],
  settings: ['document', 'wallet'],
  output: ['document', 'wallet'],
  completion: ['commands'],
  sandbox: [],
  document: [],
  wallet: [],
};
/** What every room may import: files at the top, and what guards the terminal. */
const LEAVES = [
  'errors.ts',
  'context.ts',
  'version.ts',
  'text/choice.ts',
  'service/pacing/believable.ts',
  'files/atomic-file.ts',
  'files/close-file.ts',
  'files/file-error.ts',
  'files/file-trust.ts',
  'files/lock.ts',
  'files/process-place.ts',
  'text/escape.ts',
  'files/stream.ts',
  'text/unsafe.ts',
];

describe('imports between rooms', () => {
  it('finds the imports it judges', () => {
    expect(imports.length).toBeGreaterThan(50);
    expect(imports).toContainEqual({ from: 'main.ts', to: 'program/program.ts', kind: 'static' });
  });

  it.each(Object.keys(ALLOWED))('%s imports only what lies below it', (name) => {
    const wrong = imports
      .filter(({ from, to, kind }) => room(from) === name && to.endsWith('.ts') && kind !== 'type')
      .filter(({ to }) => room(to) !== name && !LEAVES.includes(to) && !ALLOWED[name]?.includes(room(to)));
    expect(wrong).toEqual([]);
  });

  it.each([
    ['undici', ['service/http/transport.ts']],
    ['conf', ['settings/store.ts']],
    ['commander', ['program/program.ts']],
  ])('%s is imported only where it belongs', (name, owners) => {
    const users = imports.filter(({ to }) => to === name || to.startsWith(`${name}/`)).map(({ from }) => from);
    expect([...new Set(users)].filter((user) => !owners.includes(user))).toEqual([]);
  });
});

/** Every file that is loaded before any command runs. */
function loadedAtStart(file = 'main.ts', seen = new Set<string>()): Set<string> {
  seen.add(file);
  for (const { to } of imports.filter(({ from, kind }) => from === file && kind === 'static')) {
    if (to.endsWith('.ts') ? !seen.has(to) : true) to.endsWith('.ts') ? loadedAtStart(to, seen) : seen.add(to);
  }
  return seen;
}

describe('what is loaded before a command runs', () => {
  it('is commander and no other package', () => {
    const packages = [...loadedAtStart()].filter((name) => !name.endsWith('.ts') && !name.startsWith('node:'));
    expect(packages).toEqual(['commander']);
  });
});

describe('ambient state', () => {
  it.each(['process.', 'Date.now', 'Math.random', 'console.'])('%s stands in context.ts and main.ts only', (word) => {
    const users = files.filter((file) => {
      const code = readFileSync(join(src, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|`[^`]*`/g, '');
      return new RegExp(`(?<![\\w.])${word.replace('.', '\\.')}`).test(code);
    });
    expect(users.filter((file) => !['context.ts', 'main.ts'].includes(file))).toEqual([]);
  });
});

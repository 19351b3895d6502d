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
const own = imports.filter(({ to }) => to.endsWith('.ts'));
const room = (file: string) => file.split('/')[0] ?? '';

/**
 * From the top down. A room imports only from rows below its own: types count, and no file is an
 * exception.
 */
const ROWS: readonly (readonly string[])[] = [
  ['main.ts', 'complete.ts'],
  ['commands'],
  ['cli'],
  ['list-run'],
  ['session', 'output'],
  ['review'],
  ['runs'],
  ['lists', 'journal'],
  ['settings'],
  ['service', 'sandbox'],
  ['compare'],
  ['rules'],
  ['paths'],
  ['row'],
  ['document', 'wallet'],
  ['files'],
  ['secrets'],
  ['host'],
  ['context.ts'],
  ['text'],
  ['errors.ts', 'version.ts'],
  ['error-codes.ts'],
];
const rowOf = (file: string) => ROWS.findIndex((rooms) => rooms.includes(room(file)));

describe('imports between rooms', () => {
  it('finds the imports it judges', () => {
    expect(imports.length).toBeGreaterThan(50);
    expect(imports).toContainEqual({ from: 'main.ts', to: 'cli/command-line.ts', kind: 'static' });
    expect(imports.some(({ kind }) => kind === 'type')).toBe(true);
  });

  it('knows every room', () => {
    expect([...new Set(files.map(room))].filter((name) => rowOf(name) < 0)).toEqual([]);
  });

  it('point down, whether they are of types or of values', () => {
    expect(own.filter(({ from, to }) => room(from) !== room(to) && rowOf(to) <= rowOf(from))).toEqual([]);
  });

  it.each([
    ['undici', ['service/http/transport.ts']],
    ['conf', ['settings/store.ts']],
    ['commander', ['cli/command-line.ts', 'cli/help.ts', 'cli/mistakes.ts']],
  ])('%s is imported only where it belongs', (name, owners) => {
    const users = imports.filter(({ to }) => to === name || to.startsWith(`${name}/`)).map(({ from }) => from);
    expect([...new Set(users)].filter((user) => !owners.includes(user))).toEqual([]);
  });
});

describe('verbs', () => {
  it('import nothing from the folder of another verb', () => {
    const verbOf = (file: string) => /^commands\/(\w+)\//.exec(file)?.[1] ?? 'shared';
    const between = own.filter(({ from, to }) => verbOf(from) !== 'shared' && verbOf(to) !== 'shared');
    expect(between.length).toBeGreaterThan(0);
    expect(between.filter(({ from, to }) => verbOf(from) !== verbOf(to))).toEqual([]);
  });
});

/** The files on a way from `file` back to itself; undefined when there is none. */
function circleAt(file: string): readonly string[] | undefined {
  const seen = new Set<string>();
  const follow = (from: string): readonly string[] | undefined => {
    for (const { to } of own.filter((edge) => edge.from === from)) {
      if (to === file) return [from];
      if (seen.has(to)) continue;
      seen.add(to);
      const rest = follow(to);
      if (rest) return [from, ...rest];
    }
    return undefined;
  };
  return follow(file);
}

describe('the tree', () => {
  it('has no circle of files, types included', () => {
    expect(files.map(circleAt).filter((circle) => circle !== undefined)).toEqual([]);
  });
});

/** Every file and package that is loaded with `file`. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  seen.add(file);
  for (const { to } of imports.filter(({ from, kind }) => from === file && kind === 'static')) {
    if (to.endsWith('.ts') ? !seen.has(to) : true) to.endsWith('.ts') ? loadedWith(to, seen) : seen.add(to);
  }
  return seen;
}
const packagesWith = (file: string) =>
  [...loadedWith(file)].filter((name) => !name.endsWith('.ts') && !name.startsWith('node:'));

describe('what is loaded before a command runs', () => {
  it('is commander and what suggests names, and for a shell that completes a line no package', () => {
    expect(packagesWith('main.ts').sort()).toEqual(['commander', 'fastest-levenshtein']);
    expect(packagesWith('complete.ts')).toEqual([]);
  });
});

describe('the script of a page', () => {
  it('is made of no package but that for decimals: each reader of a report gets it', () => {
    expect(packagesWith('output/report/page/browser/page.ts')).toEqual(['big.js']);
  });
});

describe('files', () => {
  it('are put in place by the one atomic writer', () => {
    const users = files.filter((file) => /\brename(Sync)?\(/.test(readFileSync(join(src, file), 'utf8')));
    // The claim to a lock becomes the lock.
    expect(users).toEqual(['files/atomic-file.ts', 'files/lock.ts']);
  });

  it('lie in folders that are made one after another: node would try for ever', () => {
    const users = files.filter((file) => /\bmkdir(Sync)?\(|\brecursive: true, mode/.test(code(file)));
    expect(users).toEqual(['files/make-folder.ts']);
  });
});

describe('state', () => {
  it('is kept by no module: a simulated process has the modules of the one before it', () => {
    const keepers = files.filter((file) =>
      /^(?:export )?(?:let |var |const .* = new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\))/m.test(
        readFileSync(join(src, file), 'utf8'),
      ),
    );
    expect(keepers).toEqual([]);
  });
});

/** Without comments and texts. */
const code = (file: string) =>
  readFileSync(join(src, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|`[^`]*`/g, '');

describe('ambient state', () => {
  /**
   * Where a parameter through five layers would be the price of handing them in; the simulator
   * takes their place.
   */
  const OWN_TIMERS = ['files/background-sync.ts', 'files/lock.ts', 'output/terminal/progress.ts'];

  it('timers and chance are taken from the room host, but for three files', () => {
    const users = files.filter((file) =>
      /\b(?:setTimeout|setInterval|setImmediate|randomBytes|randomUUID|getRandomValues)\(/.test(code(file)),
    );
    expect(users.filter((file) => room(file) !== 'host')).toEqual(OWN_TIMERS);
  });

  it.each(['node:process', 'node:os'])('%s is imported in the room host only', (name) => {
    expect(imports.filter(({ from, to }) => to === name && room(from) !== 'host')).toEqual([]);
  });

  it.each(['process.', 'Date.now', 'Math.random', 'console.'])(
    '%s stands in the room host and the two ways in only',
    (word) => {
      const users = files.filter((file) => new RegExp(`(?<![\\w.])${word.replace('.', '\\.')}`).test(code(file)));
      expect(users.filter((file) => !['host', 'main.ts', 'complete.ts'].includes(room(file)))).toEqual([]);
    },
  );
});

it('exports no name from two files but `start`, of the two entries', () => {
  const DECLARED = /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
  const homes = new Map<string, Set<string>>();
  for (const file of files) {
    for (const [, name = ''] of readFileSync(join(src, file), 'utf8').matchAll(DECLARED)) {
      homes.set(name, (homes.get(name) ?? new Set()).add(file));
    }
  }
  const twice = [...homes].filter(([, { size }]) => size > 1).map(([name, at]) => `${name}: ${[...at].join(', ')}`);
  expect(twice).toEqual(['start: complete.ts, main.ts']);
});

it('times are read in text/when.ts only, so that all agree on which they are', () => {
  expect(files.filter((file) => /\bDate\.parse\(/.test(code(file)))).toEqual(['text/when.ts']);
});

describe('tests of what runs in process', () => {
  /** Names of what starts one. */
  const STARTS =
    /node:child_process|fixtures\/process\/(?!pid)|cli\/terminal|\bvia: '|\.(?:sh|lines)\(|\b(?:start|runLine)\b[^;]*cli\/process/;

  it('start no process: what does is in test/process', () => {
    const folder = fileURLToPath(new URL('.', import.meta.url));
    const all = ['unit', 'cli', 'recorded'].flatMap((lane) =>
      readdirSync(join(folder, lane), { recursive: true, encoding: 'utf8' }).map((name) => join(lane, name)),
    );
    const tests = all.filter((name) => name.endsWith('.ts'));
    expect(tests.length).toBeGreaterThan(100);
    expect(tests.filter((name) => STARTS.test(readFileSync(join(folder, name), 'utf8')))).toEqual([]);
  });
});

describe('what tests share', () => {
  it('has no hook of its own: they would be those of the first file that imports it', () => {
    const folder = fileURLToPath(new URL('.', import.meta.url));
    const shared = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /(?<!\.test)\.ts$/.test(name),
    );
    const hooks = shared.filter((name) =>
      /^(?:before|after)(?:Each|All)\(/m.test(readFileSync(join(folder, name), 'utf8')),
    );
    expect(hooks).toEqual(['fixtures/setup.ts']);
  });
});

describe('the width of lines', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const tracked = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file))
      .filter((file) => file.endsWith('.ts') && !/[\\/](?:data|found)[\\/]/.test(file)),
  );
  const isComment = (line: string) => /^\s*(?:\/\/(?! biome-ignore)|\/?\*)/.test(line);
  /** A pattern or a document cannot be wrapped without changing it. */
  const isData = (line: string) => /^\s*\/.*\/[a-z]*[;,]$|["'`].*[{<].*["'`]|^\s*[<{]/.test(line);

  it('is at most 100 in comments and 120 in code, so that nobody has to scroll', () => {
    const wide = tracked.flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .map((line, i) => ({ at: `${file}:${i + 1}`, line }))
        .filter(({ line }) => (isComment(line) ? line.length > 100 : file.startsWith('src') && line.length > 120))
        .filter(({ line }) => !isData(line)),
    );
    expect(wide.map(({ at }) => at)).toEqual([]);
  });
});

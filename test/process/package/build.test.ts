/** What the build must hold to: files that are loaded apart are one program, and what it leaves out is never asked for. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Program, runBy } from '../../fixtures/cli/here.ts';
import { bareEnv, start } from '../../fixtures/cli/process.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { addresses } from '../../fixtures/place/wallets.ts';

const dist = fileURLToPath(new URL('../../../dist/', import.meta.url));
const built = createRequire(import.meta.url)('../../../dist/main.js') as Program;
const bundles = readdirSync(dist).filter((name) => name.endsWith('.js'));
const textOf = (name: string) => readFileSync(dist + name, 'utf8');

/**
 * Makes a read of process.title fail, its descriptor included: Node 22 aborts where it is read in a Windows console that has no
 * title (nodejs/node#58695).
 */
const UNTITLED = `
  const Module = require('node:module');
  const refuse = (name) => {
    if (name === 'title') throw new Error('process.title was read');
  };
  const untitled = new Proxy(process, {
    get: (target, name) => (refuse(name), target[name]),
    getOwnPropertyDescriptor: (target, name) => (refuse(name), Reflect.getOwnPropertyDescriptor(target, name)),
  });
  const load = Module._load;
  Module._load = (name, ...more) => (/^(node:)?process$/.test(name) ? untitled : load(name, ...more));
  globalThis.process = untitled;`;

describe('the bundles', () => {
  it('run where process.title cannot be read', async () => {
    const folder = temporaryFolder();
    const untitled = join(folder, 'untitled.cjs');
    // conf is loaded when something is stored, chalk when something is painted.
    const table = JSON.stringify(`${dist}output-terminal-lines.js`);
    const paint = `require(${table}).drawingOn({ width: 80, color: 1 });`;
    writeFileSync(untitled, UNTITLED + paint);
    const env = bareEnv({ NODE_OPTIONS: `--require ${untitled}`, RISKCLI_CONFIG_DIR: folder });
    const { stderr, exitCode } = await start(['config', 'set', 'timeout', '20s', '--debug'], { env }).done;
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  });

  it.each([
    ['prfile', 'did you mean profile?'],
    ['health --formt csv', 'did you mean --format?'],
    ['doctor --sandbox', 'there is no option'],
    ['keys sett', 'did you mean set?'],
    ['health extra', 'takes no arguments'],
    ['config get', '<key> is missing'],
  ])('have all that tells what is wrong with riskcli %s', async (line, told) => {
    const { stderr, exitCode } = await runBy(built, line.split(' '), { env: bareEnv({}) });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(told);
  });

  it('copy no properties of process, which would read them all', () => {
    expect(bundles.filter((name) => /__toESM\(require\("(node:)?process"/.test(textOf(name)))).toEqual([]);
  });

  it('share the classes of errors', () => {
    const { outputs } = JSON.parse(textOf('meta.json'));
    const holders = Object.keys(outputs).filter((name) => 'src/errors.ts' in outputs[name].inputs);
    expect(holders).toEqual(['dist/main.js']);
    expect(bundles.filter((name) => textOf(name).includes('require("./main.js")')).length).toBeGreaterThan(5);
  });

  it.each(bundles)('import each module once in %s', (name) => {
    const asked = textOf(name).match(/require\("(\.\/main\.js|node:(fs|path))"\)/g) ?? [];
    expect(asked).toEqual([...new Set(asked)]);
  });

  it.each(['child_process', 'http2', 'perf_hooks'])('never import node:%s', (module) => {
    expect(bundles.filter((name) => textOf(name).includes(`require("node:${module}")`))).toEqual([]);
  });

  it('contain the code of reports only in reports, of pages only in pages, and undici only for lists', () => {
    const { outputs } = JSON.parse(textOf('meta.json'));
    const holders = (part: string) =>
      Object.keys(outputs).filter((name) => Object.keys(outputs[name].inputs).some((input) => input.includes(part)));
    expect(holders('report/page/browser/page.ts')).toEqual(['dist/output-report-page-page.js']);
    for (const name of holders('node_modules/d3-')) expect(name).toMatch(/^dist\/(commands|output)-report-/);
    expect(holders('node_modules/undici')).toEqual([
      'dist/commands-shared-list-list.js',
      'dist/commands-review-review.js',
    ]);
  });

  it.each([
    ['llhttp-simd.wasm', 'llhttp_simd-wasm.js'],
    ['llhttp.wasm', 'llhttp-wasm.js'],
  ])("have %s beside them, which is undici's own", (file, name) => {
    const undici = createRequire(import.meta.resolve('undici'));
    expect(readFileSync(dist + file)).toEqual(undici(`./lib/llhttp/${name}`));
  });

  it.each(['0', '1'])('read an answer with the parser that UNDICI_NO_WASM_SIMD=%s names', async (value) => {
    const env = bareEnv({ UNDICI_NO_WASM_SIMD: value });
    const { stdout, exitCode } = await start(['profile', ...addresses(2), '--sandbox', '--jsonl'], { env }).done;
    expect({ rows: stdout.trim().split('\n').length, exitCode }).toEqual({ rows: 2, exitCode: 0 });
  });
});

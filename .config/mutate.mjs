/**
 * `npm run test:mutate ROOM [mutants] [seed]`: changes a room of src in so many places, one after the other, and says which
 * changes none of its tests in process has seen. StrykerJS makes the changes and runs the tests; it can run all or those of given
 * places, so the sample is drawn here, the same for a seed.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { importSource } from './import-source.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** What lies within a place is changed, too: a whole block would bring all that is in it, and is missed by the first test. */
const MAX_WITHIN = 4;
const CACHE = 'node_modules/.cache/mutate';

const [room = '', count = '200', seed = '1'] = process.argv.slice(2);
if (!room) throw new Error('which room? npm run test:mutate journal');

const isFile = /\.ts$/.test(room);
const path = room.replace(/^src\//, '').replace(/\/$/, '');
const files = isFile
  ? [`src/${path}`]
  : readdirSync(join(root, 'src', path), { encoding: 'utf8', recursive: true })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `src/${path}/${name}`);

const { seededRandom } = await importSource('sandbox/random.ts');
const mutants = await mutantsOf(files);
const sample = draw(mutants, Number(count), Number(seed));
console.log(`${sample.size} of ${mutants.length} mutants of ${files.length} files, by seed ${seed}`);

mkdirSync(join(root, CACHE), { recursive: true });
const config = {
  testRunner: 'vitest',
  // It would read it with a version of TypeScript that is no longer here; vitest has no use for it.
  tsconfigFile: 'none.json',
  plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
  vitest: { configFile: 'test/mutate.config.ts', related: false },
  mutate: [...new Set([...sample].map(placeOf))],
  coverageAnalysis: 'perTest',
  concurrency: 1,
  timeoutMS: 10_000,
  reporters: ['progress-append-only', 'clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: `${CACHE}/${path.replaceAll('/', '-')}.json` },
  tempDirName: `${CACHE}/sandbox`,
  checkers: [],
  allowEmpty: true,
};
const configFile = `${CACHE}/config.json`;
writeFileSync(join(root, configFile), JSON.stringify(config, null, 2));
const { status } = spawnSync('npx', ['stryker', 'run', configFile], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, RISKCLI_MUTATE: path },
});
process.exitCode = status ?? 1;

/** What can be changed, and where. */
async function mutantsOf(names) {
  const quiet = { debug() {}, info() {}, warn() {}, trace() {}, isDebugEnabled: () => false };
  const instrumenter = new Instrumenter(quiet);
  const sources = names.map((name) => ({ name, mutate: true, content: readFileSync(join(root, name), 'utf8') }));
  const options = { plugins: null, ignorers: [], excludedMutations: [] };
  return (await instrumenter.instrument(sources, options)).mutants;
}

/** As Stryker takes it: `file:line:column-line:column`. */
function placeOf({ fileName, location: { start, end } }) {
  return `${fileName}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`;
}

/** So many of `all`, by the seed. */
function draw(all, size, seed) {
  const random = seededRandom(seed);
  const sample = new Set();
  for (const left = [...all]; left.length > 0 && sample.size < size; ) {
    const [outer] = left.splice(Math.floor(random() * left.length), 1);
    const within = all.filter((mutant) => isWithin(mutant, outer));
    if (within.length <= MAX_WITHIN) for (const mutant of within) sample.add(mutant);
  }
  return sample;
}

function isWithin({ fileName, location }, outer) {
  const comesFirst = (a, b) => a.line < b.line || (a.line === b.line && a.column <= b.column);
  return (
    fileName === outer.fileName &&
    comesFirst(outer.location.start, location.start) &&
    comesFirst(location.end, outer.location.end)
  );
}

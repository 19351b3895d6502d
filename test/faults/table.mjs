// `npm run test:faults`: runs the tests that provoke a fault and prints a row for each fault that riskcli must stand, with
// how many tests provoke it. A test names its rows at the front of its title: `[61]`, `[39,40] in CSV is ...`. The exit
// code is 1 when a row has no test or one that fails.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROWS } from './rows.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const TAG = /(?:^|\s)\[(\d+(?:,\d+)*)\] /g;
/** In a test's source: the title's quote stands before the tag. */
const TAG_IN_SOURCE = /['"`]\[\d+(?:,\d+)*\] /;

const fast = results(taggedFiles((path) => !/^test\/(?:slow|bench)\//.test(path)));
// Run by `npm run test:slow`: here they are only counted.
const slow = names(taggedFiles((path) => path.startsWith('test/slow/')));
const rows = Object.entries(ROWS).map(([row, title]) => ({ row: Number(row), title, ...judge(Number(row)) }));
console.log(`${'row'.padEnd(69)}${['passed', 'skipped', 'failed', 'slow'].map((word) => word.padStart(8)).join('')}`);
for (const { row, title, passed, skipped, failed, slowly, verdict } of rows) {
  const counts = [passed, skipped, failed, slowly].map((count) => String(count || '').padStart(8)).join('');
  console.log(`${String(row).padStart(3)}  ${title.padEnd(64)}${counts}  ${verdict}`);
}
const broken = rows.filter(({ verdict }) => verdict === 'NO TEST' || verdict === 'FAILED');
console.log(`\n${rows.length - broken.length} of ${rows.length} rows hold`);
for (const { status, name, message } of fast) if (status === 'failed') console.log(`\nFAILED ${name}\n${message}`);
process.exitCode = broken.length > 0 ? 1 : 0;

function judge(row) {
  const count = (status) => fast.filter((test) => test.status === status && test.rows.includes(row)).length;
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
  const slowly = slow.filter((test) => test.rows.includes(row)).length;
  const verdict =
    failed > 0 ? 'FAILED' : passed > 0 ? 'ok' : slowly > 0 ? 'slow' : skipped > 0 ? 'skipped here' : 'NO TEST';
  return { passed, failed, skipped, slowly, verdict };
}

/** The tagged tests of `files`, run. */
function results(files) {
  const { testResults } = vitest('run', ['--reporter=json', `-t=${TAG.source}`, ...files], '--outputFile');
  return testResults
    .flatMap(({ name, message, assertionResults }) =>
      // A file that cannot be loaded has no tests: all of its rows have failed.
      assertionResults.length > 0 ? assertionResults : [{ ...lostFile(name), failureMessages: [message] }],
    )
    .map(({ fullName, status, ancestorTitles, title, failureMessages }) => ({
      name: fullName,
      status: status === 'passed' || status === 'failed' ? status : 'skipped',
      rows: rowsIn([...ancestorTitles, title].join(' ')),
      message: failureMessages?.join('\n'),
    }))
    .filter((test) => test.rows.length > 0);
}

function lostFile(file) {
  const tags = [...readFileSync(file, 'utf8').matchAll(new RegExp(TAG_IN_SOURCE, 'g'))].map(([tag]) => tag.slice(1));
  return { fullName: file, status: 'failed', ancestorTitles: tags, title: '' };
}

/** The tagged tests of `files`, not run. */
function names(files) {
  if (files.length === 0) return [];
  return vitest('list', files, '--json', { RISKCLI_SLOW: '1' })
    .map(({ name }) => ({ rows: rowsIn(name) }))
    .filter(({ rows }) => rows.length > 0);
}

/** What vitest reports of a call, in the file that `reportOption` names. */
function vitest(command, args, reportOption, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'riskcli-faults-'));
  const report = join(folder, 'report.json');
  const cli = join(root, 'node_modules/vitest/vitest.mjs');
  try {
    spawnSync(process.execPath, [cli, command, `${reportOption}=${report}`, ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return JSON.parse(readFileSync(report, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function rowsIn(title) {
  return [...title.matchAll(TAG)].flatMap(([, tag]) => tag.split(',').map(Number));
}

function taggedFiles(accept) {
  return readdirSync(join(root, 'test'), { recursive: true })
    .map((path) => join('test', path))
    .filter((path) => path.endsWith('.test.ts') && accept(path))
    .filter((path) => TAG_IN_SOURCE.test(readFileSync(join(root, path), 'utf8')));
}

// `npm run test:nodes`: runs the tests on each Node that riskcli must run on, with Node's own
// binaries from the npm registry, and prints a row for each. `npm run test:nodes -- 22 26 test/cli`
// takes these Nodes, and these tests, instead of all.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/**
 * The oldest that `engines` of package.json allows, and the newest of each line that gets mends.
 */
const NODES = ['20.19', '22', '24', '26'];

const words = process.argv.slice(2);
const typed = words.filter(isVersion);
const tests = words.filter((word) => !isVersion(word));
const rows = (typed.length > 0 ? typed : NODES).map(row);

console.log(
  `\n${['node', 'version', 'passed', 'failed', 'skipped', 'seconds'].map(column).join('')}  ${tests.join(' ')}`,
);
for (const { node, version, passed, failed, skipped, seconds, verdict } of rows) {
  console.log(`${[node, version, passed, failed, skipped, seconds].map(column).join('')}  ${verdict}`);
}
for (const { version, faults } of rows) for (const fault of faults) console.log(`\nFAILED on ${version}: ${fault}`);
process.exitCode = rows.every(({ verdict }) => verdict === 'ok') ? 0 : 1;

function row(node) {
  const binary = binaryOf(node);
  console.error(`running the tests on ${binary}`);
  const started = Date.now();
  const report = run(binary);
  return {
    node,
    version: execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim(),
    seconds: Math.round((Date.now() - started) / 1000),
    ...judge(report),
  };
}

/** The counts of a report; without one, vitest itself has failed. */
function judge(report) {
  if (!report) return { passed: 0, failed: 0, skipped: 0, verdict: 'NO REPORT', faults: [] };
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped, success, testResults } = report;
  const failures = testResults.flatMap(({ assertionResults }) => assertionResults.filter(isFailed));
  const faults = [
    // A file that cannot be loaded has no tests.
    ...testResults
      .filter((file) => isFailed(file) && file.assertionResults.length === 0)
      .map(({ name, message }) => `${name}\n${message}`),
    ...failures.map(({ fullName, failureMessages }) => `${fullName}\n${failureMessages.join('\n')}`),
  ];
  return { passed, failed, skipped, verdict: success && passed > 0 ? 'ok' : 'FAILED', faults };
}

function run(binary) {
  const folder = mkdtempSync(join(tmpdir(), 'riskcli-nodes-'));
  const report = join(folder, 'report.json');
  const args = ['run', '--reporter=json', `--outputFile=${report}`, ...tests];
  try {
    spawnSync(binary, [join(root, 'node_modules/vitest/vitest.mjs'), ...args], {
      cwd: root,
      // Scripts of tests that call `node` mean this one.
      env: { ...process.env, PATH: `${dirname(binary)}${delimiter}${process.env.PATH}` },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** npm was seen to wait for the registry for ever; it is asked three times. */
function binaryOf(node, attempts = 3) {
  const args = ['--yes', '--package', `node@${node}`, 'node', '--print', 'process.execPath'];
  const { status, stdout, stderr } = spawnSync('npx', args, { encoding: 'utf8', timeout: 120_000 });
  if (status === 0) return stdout.trim();
  if (attempts > 1) return binaryOf(node, attempts - 1);
  throw new Error(`the npm registry does not give node@${node}\n${stderr}`);
}

function isFailed({ status }) {
  return status === 'failed';
}

function isVersion(word) {
  return /^\d+(\.\d+)*$/.test(word);
}

function column(text) {
  return String(text).padStart(10);
}

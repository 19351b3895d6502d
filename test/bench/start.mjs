// Start-up times as ratios against other programs in the same run (`npm run bench:start`). Absolute times mean little on
// a shared machine, so each figure is held against a yardstick that hyperfine measures in turns with it.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const riskcli = `node ${join(root, 'bin/riskcli.js')}`;
const wallet = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const folder = mkdtempSync(join(tmpdir(), 'riskcli-bench-'));

const { NODE_EXTRA_CA_CERTS: _, ...clean } = process.env;
const env = { ...clean, HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder };

const ROUNDS = Number(process.env.ROUNDS ?? 6);

/** Medians in milliseconds of `commands`, run in turns so that a busy moment of the machine meets all of them. */
function medians(commands) {
  const times = commands.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, result] of hyperfine(commands).entries()) times[i].push(...result.times);
  }
  return times.map((all) => 1000 * all.sort((a, b) => a - b)[Math.floor(all.length / 2)]);
}

function hyperfine(commands) {
  const report = join(folder, 'report.json');
  const args = ['-N', '--warmup', '2', '--runs', '10', '--export-json', report, ...commands];
  const { status, stderr } = spawnSync('hyperfine', args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`hyperfine failed: ${stderr}`);
  return JSON.parse(readFileSync(report, 'utf8')).results;
}

const rows = [];
function judge(what, ms, { against, yardstick, limit }) {
  const ratio = ms / yardstick;
  rows.push({ what, ms: ms.toFixed(1), against, yardstick: yardstick.toFixed(1), ratio: ratio.toFixed(2), limit });
  if (ratio > limit) process.exitCode = 1;
}

function available(program) {
  return spawnSync('which', [program]).status === 0;
}

function startSandbox() {
  const args = [join(root, 'bin/riskcli.js'), 'sandbox', '--plan', 'enterprise', '--latency', '0'];
  const child = spawn('node', args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  return new Promise((resolve, reject) => {
    let text = '';
    child.on('error', reject);
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const exports = Object.fromEntries([...text.matchAll(/^export (\w+)='?(.*?)'?$/gm)].map(([, k, v]) => [k, v]));
      if (exports.RISKCLI_BASE_URL && exports.RISKCLI_API_KEY) resolve({ child, exports });
    });
  });
}

if (!available('hyperfine')) throw new Error('this benchmark needs hyperfine');
const sandbox = await startSandbox();
try {
  Object.assign(env, sandbox.exports);
  const [node, version, help, completion, keys] = medians([
    'node -e 0',
    `${riskcli} --version`,
    `${riskcli} --help`,
    `${riskcli} completion bash`,
    `${riskcli} keys show`,
  ]);
  for (const [what, ms] of Object.entries({ '--version': version, '--help': help, 'completion bash': completion })) {
    judge(what, ms, { against: 'node -e 0', yardstick: node, limit: 1.6 });
  }
  judge('keys show', keys, { against: 'node -e 0', yardstick: node, limit: 3 });
  if (available('gh')) {
    const [gh, ...ours] = medians([
      'gh --version',
      `${riskcli} --version`,
      `${riskcli} --help`,
      `${riskcli} completion bash`,
    ]);
    for (const [i, what] of ['--version', '--help', 'completion bash'].entries()) {
      judge(what, ours[i], { against: 'gh --version', yardstick: gh, limit: 1 });
    }
  }
  if (available('http')) {
    const { RISKCLI_BASE_URL: baseUrl, RISKCLI_API_KEY: key } = sandbox.exports;
    const [httpie, profile] = medians([
      `http --ignore-stdin GET ${baseUrl}/v1/risk-profile/${wallet} X-API-Key:${key}`,
      `${riskcli} profile ${wallet} --json`,
    ]);
    judge('profile --json', profile, { against: 'httpie GET', yardstick: httpie, limit: 0.6 });
  }
  console.table(rows);
} finally {
  sandbox.child.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

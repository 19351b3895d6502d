// Start-up times as ratios against other programs in the same run (`npm run bench:start`), on the Node that runs this and on
// the newest that users have. Absolute times mean little on a shared machine, so each figure is held against a yardstick that
// hyperfine measures in turns with it.
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const riskcli = (node) => `${node} ${join(root, 'bin/riskcli.js')}`;
const wallet = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const folder = mkdtempSync(join(tmpdir(), 'riskcli-bench-'));

// Node 20 takes 30 ms to read extra certificates; a compile cache of the machine's would not be every user's.
const { NODE_EXTRA_CA_CERTS: _, NODE_COMPILE_CACHE: __, ...clean } = process.env;
const env = { ...clean, HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder };

const ROUNDS = Number(process.env.ROUNDS ?? 6);

/** Medians in milliseconds of `commands`, run in turns so that a busy moment of the machine meets all of them. */
async function medians(commands) {
  const times = commands.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, result] of (await hyperfine(commands)).entries()) times[i].push(...result.times);
  }
  return times.map((all) => 1000 * all.sort((a, b) => a - b)[Math.floor(all.length / 2)]);
}

/** Not synchronously: the service that is measured answers in this process. */
async function hyperfine(commands) {
  const report = join(folder, 'report.json');
  await promisify(execFile)(
    'hyperfine',
    ['-N', '--warmup', '2', '--runs', '10', '--export-json', report, ...commands],
    { env },
  );
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

/** A service that answers at once: what is measured is riskcli. */
async function startService() {
  const server = createServer((request, response) => {
    const body = JSON.stringify({
      wallet_address: request.url.slice(request.url.lastIndexOf('/') + 1),
      total_collateral_usd: 1250.5,
      defi_score: { defi_score: 712 },
    });
    response.writeHead(request.url.startsWith('/v1/risk-profile/') ? 200 : 404, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '99',
    });
    response.end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

/** The program of Node `major`, fetched by npm; npx itself would take a second of each run. */
function nodeOf(major) {
  const { stdout, status } = spawnSync('npx', ['-y', '-p', `node@${major}`, 'node', '-p', 'process.execPath'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npm has no node@${major}`);
  return stdout.trim();
}

/** As short as most: what it takes is its start. */
const list = join(folder, 'list.txt');
writeFileSync(list, [1, 2, 3].map((number) => `0x${String(number).padStart(40, '0')}\n`).join(''));

if (!available('hyperfine')) throw new Error('this benchmark needs hyperfine');
const server = await startService();
const baseUrl = `http://127.0.0.1:${server.address().port}`;
Object.assign(env, { RISKCLI_BASE_URL: baseUrl, RISKCLI_API_KEY: 'bench-key-of-nobody' });

/** Of `node -e 0`: what each command may take, by the major version. */
const LIMITS = {
  20: { small: 1.6, schema: 2, keys: 3, profile: 3.5, list: 5 },
  24: { small: 1.6, schema: 2, keys: 3, profile: 3, list: 5 },
};

async function judgeNode(major) {
  const node = nodeOf(major);
  const limits = LIMITS[major];
  const commands = [
    ['--version', limits.small],
    ['--help', limits.small],
    ['completion bash', limits.small],
    ['schema', limits.schema],
    ['keys show', limits.keys],
    [`profile ${wallet} --json`, limits.profile],
    [`profile -f ${list} --jsonl`, limits.list],
  ];
  const [yardstick, ...times] = await medians([
    `${node} -e 0`,
    ...commands.map(([what]) => `${riskcli(node)} ${what}`),
  ]);
  for (const [i, [what, limit]] of commands.entries()) {
    judge(`${what.replace(wallet, '0x...').replace(list, 'list.txt')}, Node ${major}`, times[i], {
      against: 'node -e 0',
      yardstick,
      limit,
    });
  }
}

async function judgeOthers() {
  const quick = ['--version', '--help', 'completion bash'];
  if (available('gh')) {
    const [gh, ...times] = await medians(['gh --version', ...quick.map((what) => `${riskcli('node')} ${what}`)]);
    for (const [i, what] of quick.entries())
      judge(what, times[i], { against: 'gh --version', yardstick: gh, limit: 1 });
  }
  if (available('http')) {
    const [httpie, profile] = await medians([
      `http --ignore-stdin GET ${baseUrl}/v1/risk-profile/${wallet} X-API-Key:${env.RISKCLI_API_KEY}`,
      `${riskcli('node')} profile ${wallet} --json`,
    ]);
    judge('profile --json', profile, { against: 'httpie GET', yardstick: httpie, limit: 0.6 });
  }
}

try {
  for (const major of [20, 24]) await judgeNode(major);
  await judgeOthers();
  console.table(rows);
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
}

// What a start costs, in processor time: `npm run bench:start [majors of Node] [rounds]`, by default `20,22,24,26 21`, half a minute
// each. The yardstick is a script of one line that asks the same service by node's own http.get. The programs run in turns, and
// the least time of each counts: what a busy machine adds is then left out, which no median does. It prints as it goes.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const launcher = join(dirname(fileURLToPath(import.meta.url)), '../../bin/riskcli.js');
const wallet = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const [majors = '20,22,24,26', rounds = '21'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'riskcli-bench-'));

/** What each may take, in multiples of the yardstick: a little more than it took when it was last looked at. */
const COMMANDS = [
  { args: ['--version'], limit: 1.1 },
  { args: ['--help'], limit: 1.25 },
  { args: ['completion', 'bash'], limit: 1.25 },
  { args: ['keys', 'show'], limit: 1.25 },
  { args: ['health', '--json'], limit: 1.65 },
  { args: ['profile', wallet, '--json'], limit: 1.85 },
  { args: ['profile', '-f', 'list.txt', '--jsonl'], limit: 3.4 },
];

const GET = `require('node:http').get(process.argv[2], (answer) => {
  let text = '';
  answer.setEncoding('utf8').on('data', (piece) => (text += piece)).on('end', () => process.stdout.write(text));
});`;

const server = await startService();
try {
  // As short as most lists.
  writeFileSync(join(folder, 'list.txt'), [1, 2, 3].map((i) => `0x${String(i).padStart(40, '0')}\n`).join(''));
  writeFileSync(join(folder, 'get.cjs'), GET);
  for (const major of majors.split(',')) await judge(nodeOf(major));
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
}

async function judge({ version, program }) {
  const url = `${baseUrl()}/v1/risk-profile/${wallet}`;
  const lines = [
    [program, 'get.cjs', url],
    [program, '-e', '0'],
    ...COMMANDS.map(({ args }) => [program, launcher, ...args]),
  ];
  process.stdout.write(`Node ${version}, ${rounds} rounds `);
  const times = await inTurns(lines);
  const [yardstick, ...rest] = times.map((all) => all.sort((a, b) => a - b));
  const ratio = (ms, base = 0) => Number((ms[base] / yardstick[base]).toFixed(2));
  const middle = rounds >> 1;
  const names = ['node -e 0', ...COMMANDS.map(({ args }) => args.join(' ').replace(wallet, '0x...'))];
  console.log(`\nhttp.get: least ${yardstick[0].toFixed(1)} ms, median ${yardstick[middle].toFixed(1)} ms`);
  const rows = rest.map((ms, i) => {
    const limit = COMMANDS[i - 1]?.limit;
    const isMissed = ratio(ms) > limit;
    if (isMissed) process.exitCode = 1;
    const times = { 'least, ms': Number(ms[0].toFixed(1)), 'of medians': ratio(ms, middle) };
    return { what: names[i], 'times http.get': ratio(ms), limit: limit ?? '', ...times, '': isMissed ? 'MISSED' : '' };
  });
  console.table(rows);
}

/** The processor times of `lines`, one list for each, in milliseconds. */
async function inTurns(lines) {
  const times = lines.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, line] of lines.entries()) times[i].push(await processorTime(line));
    process.stdout.write('.');
  }
  return times;
}

/** bash's own clock counts what node has used, its threads and all. Not synchronously: the service answers in this process. */
async function processorTime(line) {
  const child = spawn('bash', ['-c', 'time "$@" > output 2> errors', 'bash', ...line], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Neither more certificates, which take Node 20 30 ms to read, nor a compile cache: they would not be every user's.
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      RISKCLI_BASE_URL: baseUrl(),
      RISKCLI_API_KEY: 'bench-key-of-nobody',
      TIMEFORMAT: 'took %U %S',
    },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const [status] = await once(child, 'close');
  const [, user, system] = /^took ([\d.]+) ([\d.]+)$/m.exec(stderr) ?? [];
  if (status !== 0) throw new Error(`${line.join(' ')}: exit ${status}`);
  return 1000 * (Number(user) + Number(system));
}

/** A service that answers at once: what is measured is who asks. */
async function startService() {
  const server = createServer((request, response) => {
    const profile = {
      wallet_address: request.url.slice(request.url.lastIndexOf('/') + 1),
      total_collateral_usd: 1250.5,
      defi_score: { defi_score: 712 },
    };
    const isHealth = request.url.endsWith('/health');
    const body = JSON.stringify(isHealth ? { status: 'ok', timestamp: new Date().toISOString() } : profile);
    response.writeHead(200, {
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

function baseUrl() {
  return `http://127.0.0.1:${server.address().port}`;
}

/** The program of Node `major`, fetched by npm; npx itself would take a second of each run. */
function nodeOf(major) {
  const told = '`${process.versions.node} ${process.execPath}`';
  const { stdout, status } = spawnSync('npx', ['-y', '-p', `node@${major}`, 'node', '-p', told], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm has no node@${major}`);
  const [version, program] = stdout.trim().split(' ');
  return { version, program };
}

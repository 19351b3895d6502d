// What a list takes beside a bare loop with undici, 25 lines of aiohttp and curl: `npm run
// bench:yardsticks [wallets] [rounds]`, by default 20,000 and five, against nginx on loopback. The
// programs run in turns. Each is divided by the bare loop of its round, and the median ratio counts.
// Fails when a limit is missed, or when riskcli asks for fewer wallets a second than 2,000 or than
// aiohttp. Programs that are not installed are left out.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const wallets = Number(process.argv[2] ?? 20_000);
const rounds = Number(process.argv[3] ?? 5);
const LEAST_A_SECOND = 2_000;
/** What riskcli may take, in times of the bare loop. */
const LIMITS = { cpu: 2.1, wall: 2.3 };
/** A process a wallet takes so long that a few are enough. */
const CURLS = 500;

const folder = mkdtempSync(join(tmpdir(), 'riskcli-bench-'));
const base = `http://127.0.0.1:${await freePort()}`;
const riskcli = `'${process.execPath}' '${path('../../bin/riskcli.js')}' profile -f list.txt`;
const loop = `'${process.execPath}' '${path('undici-loop.mjs')}' ${base} list.txt`;
/** Debian's python, which is the one that python3-aiohttp is for. */
const PYTHON = '/usr/bin/python3';
const aiohttp = `${PYTHON} '${path('asyncio-loop.py')}' ${base} list.txt aiohttp.csv`;
const PROGRAMS = [
  { name: 'undici loop', line: `${loop} > loop.jsonl` },
  { name: 'riskcli --jsonl', line: `${riskcli} --jsonl > rows.jsonl`, limits: LIMITS },
  { name: 'riskcli -o x.csv', line: `${riskcli} -o x.csv`, limits: LIMITS },
  ...(has(PYTHON, '-c', 'import aiohttp') ? [{ name: 'aiohttp, 128 workers', line: aiohttp }] : []),
  ...(has('curl', '--version')
    ? [
        { name: 'curl -Z, 50 at once', line: 'curl -s --parallel --parallel-max 50 -K urls > curl.out' },
        {
          name: 'xargs -P 8 curl',
          line: `head -n ${CURLS} urls | cut -d " " -f 3 | xargs -P 8 -n 1 curl -s > xargs.out`,
          count: CURLS,
        },
      ]
    : []),
];

const nginx = await startNginx();
try {
  const addresses = Array.from({ length: wallets }, (_, i) => `0x${String(i + 1).padStart(40, '0')}`);
  writeFileSync(join(folder, 'list.txt'), addresses.map((wallet) => `${wallet}\n`).join(''));
  writeFileSync(join(folder, 'urls'), addresses.map((wallet) => `url = ${base}/v1/risk-profile/${wallet}\n`).join(''));
  const measured = Object.fromEntries(PROGRAMS.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, line, count = wallets } of PROGRAMS) measured[name].push(timesOf(line, count));
  }
  const rows = PROGRAMS.map(({ name, limits = {} }) => {
    const each = (member) => measured[name].map((times) => times[member]);
    const ratios = (member) => each(member).map((time, round) => time / measured['undici loop'][round][member]);
    const [cpu, wall] = [ratios('cpu'), ratios('wall')].map(sorted);
    const isMissed = median(cpu) > (limits.cpu ?? Infinity) || median(wall) > (limits.wall ?? Infinity);
    if (isMissed) process.exitCode = 1;
    return {
      program: name,
      'wallets a second': Math.round(1e6 / median(sorted(each('wall')))),
      'us of CPU': Math.round(median(sorted(each('cpu')))),
      'CPU / loop': spread(cpu),
      'wall / loop': spread(wall),
      '': isMissed ? 'MISSED' : '',
    };
  });
  console.log(`Node ${process.versions.node}, ${wallets} wallets, medians of ${rounds} rounds (least to most)`);
  console.log(`limits: CPU ${LIMITS.cpu}, wall ${LIMITS.wall}`);
  console.table(rows);
  const speedOf = (name) => rows.find(({ program }) => program.startsWith(name))?.['wallets a second'] ?? 0;
  const least = Math.max(LEAST_A_SECOND, speedOf('aiohttp'));
  if (Math.min(speedOf('riskcli --jsonl'), speedOf('riskcli -o')) < least) {
    console.log(`MISSED: ${least} wallets a second`);
    process.exitCode = 1;
  }
} finally {
  nginx.kill();
  await once(nginx, 'close');
  rmSync(folder, { recursive: true });
}

/** Microseconds a wallet, of the time that passed and of the CPU; bash measures its children. */
function timesOf(line, count) {
  const env = { PATH: process.env.PATH, HOME: folder, RISKCLI_API_KEY: 'bench-key-of-nobody', RISKCLI_BASE_URL: base };
  const script = `TIMEFORMAT='%R %U %S'; time { ${line}; }`;
  const { status, stderr } = spawnSync('bash', ['-c', script], { cwd: folder, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${line}: exit ${status}: ${stderr}`);
  const [wall, user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { wall: (1e6 * wall) / count, cpu: (1e6 * (user + system)) / count };
}

function has(program, ...args) {
  return spawnSync(program, args).status === 0;
}

function sorted(values) {
  return values.toSorted((a, b) => a - b);
}

function median(ordered) {
  return ordered[ordered.length >> 1];
}

function spread(ordered) {
  const [least, middle, most] = [ordered[0], median(ordered), ordered.at(-1)].map((value) => value.toFixed(2));
  return `${middle} (${least} to ${most})`;
}

/** One that is free now: nginx cannot tell which one it would take. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Answers of 1 kB that name their wallet, from memory. */
async function startNginx() {
  const factor = (i) => `"factor_${i}":{"severity":"low","weight":0.${i + 10},"impact":-${i}.5,"reasoning":"steady"}`;
  const factors = Array.from({ length: 11 }, (_, i) => factor(i)).join(',');
  const answer = `{"wallet_address":"$wallet","total_collateral_usd":1234.56,"defi_score":{"defi_score":474},${factors}}`;
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/t;`);
  const config = `
    daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr crit;
    events { worker_connections 8000; }
    http {
      ${places.join(' ')}
      access_log off; keepalive_requests 1000000000; add_header X-RateLimit-Limit 20000;
      server {
        listen ${new URL(base).host} backlog=4096;
        location ~ ^/v1/risk-profile/(?<wallet>0x[0-9a-fA-F]+)$ { default_type application/json; return 200 '${answer}'; }
      }
    }`;
  writeFileSync(join(folder, 'nginx.conf'), config);
  const args = ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')];
  const child = spawn('nginx', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  await Promise.race([once(child, 'close').then(() => Promise.reject(new Error('nginx has ended'))), answers()]);
  return child;
}

async function answers() {
  while (!(await fetch(base).catch(() => undefined))) await setTimeout(50);
}

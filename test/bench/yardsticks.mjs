// What a list takes beside 25 lines of aiohttp and beside curl: `npm run bench:yardsticks
// [wallets]`, by default 20,000, against nginx on loopback. The programs run in turns, and the
// median of three rounds counts. Fails when riskcli asks for fewer than 2,000 wallets a second, or
// for fewer than aiohttp does.
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
const ROUNDS = 3;
const LEAST_A_SECOND = 2_000;
/** A process a wallet takes so long that a few are enough. */
const CURLS = 500;

const folder = mkdtempSync(join(tmpdir(), 'riskcli-bench-'));
const base = `http://127.0.0.1:${await freePort()}`;
const riskcli = `'${process.execPath}' '${path('../../bin/riskcli.js')}' profile -f list.txt`;
/** Debian's python, which is the one that python3-aiohttp is for. */
const aiohttp = `/usr/bin/python3 '${path('asyncio-loop.py')}' ${base} list.txt aiohttp.csv`;
const PROGRAMS = {
  'riskcli --jsonl': [`${riskcli} --jsonl > rows.jsonl`, wallets],
  'riskcli -o x.csv': [`${riskcli} -o x.csv`, wallets],
  'aiohttp, 128 workers': [aiohttp, wallets],
  'curl -Z, 50 at once': ['curl -s --parallel --parallel-max 50 -K urls > curl.out', wallets],
  'xargs -P 8 curl': [`head -n ${CURLS} urls | cut -d " " -f 3 | xargs -P 8 -n 1 curl -s > xargs.out`, CURLS],
};

const nginx = await startNginx();
try {
  const addresses = Array.from({ length: wallets }, (_, i) => `0x${String(i + 1).padStart(40, '0')}`);
  writeFileSync(join(folder, 'list.txt'), addresses.map((wallet) => `${wallet}\n`).join(''));
  writeFileSync(join(folder, 'urls'), addresses.map((wallet) => `url = ${base}/v1/risk-profile/${wallet}\n`).join(''));
  const speeds = Object.fromEntries(Object.keys(PROGRAMS).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, [line, count]] of Object.entries(PROGRAMS)) speeds[name].push(count / seconds(line));
  }
  const rows = Object.entries(speeds).map(([program, each]) => {
    const [least, median, most] = each.sort((a, b) => a - b).map(Math.round);
    return { program, 'wallets a second': median, least, most };
  });
  console.log(`Node ${process.versions.node}, ${wallets} wallets, medians of ${ROUNDS} rounds`);
  console.table(rows);
  const speedOf = (name) => rows.find(({ program }) => program.startsWith(name))['wallets a second'];
  const isSlow =
    Math.min(speedOf('riskcli --jsonl'), speedOf('riskcli -o')) < Math.max(LEAST_A_SECOND, speedOf('aiohttp'));
  if (isSlow) {
    console.log('MISSED');
    process.exitCode = 1;
  }
} finally {
  nginx.kill();
  await once(nginx, 'close');
  rmSync(folder, { recursive: true });
}

function seconds(line) {
  const env = { PATH: process.env.PATH, HOME: folder, RISKCLI_API_KEY: 'bench-key-of-nobody', RISKCLI_BASE_URL: base };
  const start = performance.now();
  const { status, stderr } = spawnSync('bash', ['-c', line], { cwd: folder, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${line}: exit ${status}: ${stderr}`);
  return (performance.now() - start) / 1000;
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

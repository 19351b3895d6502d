// What a start takes beside httpie's: `npm run bench:start [rounds]`, by default 21, in half a
// minute. The programs run in turns and the median of each counts, so that a busy moment of the
// machine meets all of them. Fails when a limit is missed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RISKCLI = fileURLToPath(new URL('../../bin/riskcli.js', import.meta.url));
const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const rounds = Number(process.argv[2] ?? 21);

const home = mkdtempSync(join(tmpdir(), 'riskcli-bench-'));
const server = await startService();
const url = `http://127.0.0.1:${server.address().port}`;
/**
 * Nothing of the developer's: on Node 20 more certificates (NODE_EXTRA_CA_CERTS) take each start 30
 * ms.
 */
const env = { PATH: process.env.PATH, HOME: home, RISKCLI_BASE_URL: url, RISKCLI_API_KEY: 'bench-key-of-nobody' };

const GET = ['http', '--ignore-stdin', 'GET', `${url}/v1/risk-profile/${WALLET}`];
const VERSION = ['http', '--version'];
/** What may be taken of httpie's time, where that is promised. */
const COMMANDS = [
  { args: ['--version'], beside: VERSION, limit: 0.3 },
  { args: ['profile', WALLET, '--json'], beside: GET, limit: 0.7 },
  { args: ['profile', WALLET], beside: GET },
  { args: ['health'], beside: GET },
  { args: ['--help'], beside: VERSION },
];

try {
  const lines = [VERSION, GET, ...COMMANDS.map(({ args }) => [process.execPath, RISKCLI, ...args])];
  const times = lines.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, line] of lines.entries()) times[i].push(await milliseconds(line));
  }
  const [version, get, ...own] = times.map(median);
  const rows = COMMANDS.map(({ args, beside, limit = Number.POSITIVE_INFINITY }, i) => {
    const yardstick = beside === GET ? get : version;
    const ratio = own[i] / yardstick;
    if (ratio > limit) process.exitCode = 1;
    return {
      riskcli: args.join(' ').replace(WALLET, '0x...'),
      ms: Math.round(own[i]),
      beside: beside.slice(0, 3).join(' '),
      'its ms': Math.round(yardstick),
      ratio: Number(ratio.toFixed(2)),
      '': ratio > limit ? `MISSED ${limit}` : '',
    };
  });
  console.log(`Node ${process.versions.node}, medians of ${rounds} rounds`);
  console.table(rows);
} finally {
  server.close();
  rmSync(home, { recursive: true });
}

/** Not synchronously: the service answers in this process. */
async function milliseconds([program, ...args]) {
  const start = performance.now();
  const [status] = await once(spawn(program, args, { env, stdio: 'ignore' }), 'close');
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: exit ${status}`);
  return performance.now() - start;
}

function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

/** A service that answers at once: what is measured is who asks. */
async function startService() {
  const profile = { wallet_address: WALLET, total_collateral_usd: 1250.5, defi_score: { defi_score: 712 } };
  const server = createServer((request, response) => {
    const isHealth = request.url.endsWith('/health');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isHealth ? { status: 'ok', timestamp: new Date().toISOString() } : profile));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

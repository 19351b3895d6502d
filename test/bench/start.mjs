// What a start takes beside node's own and httpie's: `npm run bench:start [rounds]`, by default 21, in
// half a minute. The programs run in turns, so that a busy moment of the machine meets all of them.
// Each is divided by the others of its round, and the median ratio counts. Fails when a limit is missed.
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

const NODE = [process.execPath, '-e', '0'];
const GET = ['http', '--ignore-stdin', 'GET', `${url}/v1/risk-profile/${WALLET}`];
const VERSION = ['http', '--version'];
/** What riskcli may take, in times of the other program. */
const COMMANDS = [
  { args: ['--version'], limits: [[VERSION, 0.3]] },
  {
    args: ['profile', WALLET, '--json'],
    limits: [
      [NODE, 3.5],
      [GET, 0.65],
    ],
  },
  {
    args: ['profile', WALLET],
    limits: [
      [NODE, 3.5],
      [GET, 0.65],
    ],
  },
  { args: ['health'], limits: [[GET, 0.65]] },
  { args: ['--help'], limits: [[VERSION, 0.5]] },
  { args: ['help', 'lists'], limits: [[VERSION, 0.5]] },
];

try {
  const times = new Map([NODE, VERSION, GET].map((line) => [line, []]));
  for (const command of COMMANDS) times.set(command, []);
  for (let round = 0; round < rounds; round++) {
    for (const [line, each] of times) {
      each.push(await milliseconds(Array.isArray(line) ? line : [process.execPath, RISKCLI, ...line.args]));
    }
  }
  const rows = COMMANDS.flatMap((command) =>
    command.limits.map(([other, limit]) => {
      const [own, others] = [times.get(command), times.get(other)];
      const ratios = sorted(own.map((time, round) => time / others[round]));
      const isMissed = median(ratios) > limit;
      if (isMissed) process.exitCode = 1;
      return {
        riskcli: command.args.join(' ').replace(WALLET, '0x...'),
        ms: Math.round(median(sorted(own))),
        beside: other === NODE ? 'node -e 0' : other.slice(0, 3).join(' '),
        'its ms': Math.round(median(sorted(others))),
        ratio: `${median(ratios).toFixed(2)} (${ratios[0].toFixed(2)} to ${ratios.at(-1).toFixed(2)})`,
        limit,
        '': isMissed ? 'MISSED' : '',
      };
    }),
  );
  console.log(`Node ${process.versions.node}, medians of ${rounds} rounds (least to most)`);
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

function sorted(values) {
  return values.toSorted((a, b) => a - b);
}

function median(ordered) {
  return ordered[ordered.length >> 1];
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

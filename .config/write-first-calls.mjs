// Writes first-calls.json: `npm run build && npm run first-calls`.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { functionsIn, LIST } from './first-calls.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const PROFILE = { wallet_address: WALLET, total_collateral_usd: 1250.5, defi_score: { defi_score: 712 } };
const LINES = [
  ['profile', WALLET, '--json'],
  ['health', '--json'],
];

const folder = mkdtempSync(join(tmpdir(), 'riskcli-first-calls-'));
const server = createServer(answer);
try {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  for (const line of LINES) await run(line);
  writeFileSync(LIST, `${JSON.stringify(byFile(calledFunctions()), undefined, 2)}\n`);
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
}

function answer({ url }, response) {
  const body = url.endsWith('/health') ? { status: 'ok', timestamp: new Date().toISOString() } : PROFILE;
  response.writeHead(200, { 'content-type': 'application/json', 'x-ratelimit-limit': '100' });
  response.end(JSON.stringify(body));
}

function run(line) {
  const env = {
    HOME: folder,
    NODE_V8_COVERAGE: join(folder, 'coverage'),
    RISKCLI_BASE_URL: `http://127.0.0.1:${server.address().port}`,
    RISKCLI_API_KEY: 'key-of-nobody',
  };
  return promisify(execFile)(process.execPath, [join(root, 'bin/riskcli.js'), ...line], { env });
}

/** The names of the functions that were called, with the bundle that each is in. */
function calledFunctions() {
  const called = [];
  for (const name of readdirSync(join(folder, 'coverage'))) {
    const { result } = JSON.parse(readFileSync(join(folder, 'coverage', name), 'utf8'));
    for (const { url, functions } of result) {
      const bundle = /\/(dist\/[^/]+\.js)$/.exec(url)?.[1];
      for (const { functionName, ranges } of bundle ? functions : []) {
        if (ranges[0].count > 0) called.push({ bundle, name: functionName });
      }
    }
  }
  return called;
}

/** Of several functions of one name in a bundle esbuild numbers all but one: any of them may be meant. */
function byFile(called) {
  const { outputs } = JSON.parse(readFileSync(join(root, 'dist/meta.json'), 'utf8'));
  const bare = (name) => name.replace(/\d+$/, '');
  const names = new Map();
  for (const bundle of new Set(called.map((one) => one.bundle))) {
    const wanted = new Set(called.filter((one) => one.bundle === bundle).map(({ name }) => bare(name)));
    for (const file of Object.keys(outputs[bundle].inputs)) {
      if (!/^(src|node_modules\/undici)\/.*\.(ts|js)$/.test(file)) continue;
      const found = functionsIn(readFileSync(join(root, file), 'utf8')).filter((name) => wanted.has(bare(name)));
      if (found.length > 0) names.set(file, [...(names.get(file) ?? []), ...found]);
    }
  }
  const sorted = [...names].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([file, found]) => [file, [...new Set(found)].sort()]));
}

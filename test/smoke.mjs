// `node test/smoke.mjs`: the main paths of the built program, by node alone and without a shell, so
// that it runs wherever node does: in .ci/run on Linux, and in .github/workflows/ci.yml on Linux,
// macOS and Windows.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM = join(PACKAGE, 'bin', 'riskcli.js');
const IS_WINDOWS = process.platform === 'win32';
const KEY = 'smoke_q7ZtXk2Lm9Rv4Bn8';

/** All of it happens in a folder with spaces and umlauts. */
const ROOT = mkdtempSync(join(tmpdir(), 'riskcli Prüfung '));
const at = (...names) => join(ROOT, ...names);
const read = (name) => readFileSync(at(name), 'utf8');
const write = (name, content) => writeFileSync(at(name), content);

const wallet = (number) => `0x${number.toString(16).padStart(40, '0')}`;
const [A, B, C] = [1, 2, 3].map(wallet);

/** A service that counts its requests, and can hold its answers back. */
const service = { url: '', requests: 0, scores: {}, held: undefined, answered: 0 };
const server = createServer(async (request, response) => {
  if (request.url === '/health') return send(response, 200, { status: 'ok', timestamp: new Date().toISOString() });
  service.requests += 1;
  if (request.headers['x-api-key'] !== KEY) return send(response, 401, { error: 'not your key' });
  const address = request.url.split('/').at(-1);
  if (service.held && service.answered >= service.held.from) await service.held.until;
  service.answered += 1;
  const score = service.scores[address] ?? 700;
  send(response, 200, { wallet_address: address, total_collateral_usd: 1000.5, defi_score: { defi_score: score } });
});

function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Holds back all answers but the first `from`, until what it returns is called. */
function hold(from) {
  let release;
  service.held = { from, until: new Promise((resolve) => (release = resolve)) };
  return () => {
    service.held = undefined;
    release();
  };
}

const HOME = { HOME: ROOT, USERPROFILE: ROOT, APPDATA: at('Roaming'), LOCALAPPDATA: at('Local') };
const PLAIN = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(RISKCLI|XDG|HTTPS?_PROXY|NODE_|FORCE_COLOR|npm_)/i.test(name)),
);
const known = () => ({ RISKCLI_BASE_URL: service.url, RISKCLI_API_KEY: KEY });

/** Starts riskcli in the folder; `done` says how it ended. */
function start(args, { env = known(), input, stdin } = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: ROOT,
    env: { ...PLAIN, ...HOME, ...env },
    stdio: [stdin ?? 'pipe', 'pipe', 'pipe'],
  });
  const out = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (out[name] += text));
  child.stdin?.on('error', () => {}).end(input ?? '');
  const done = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ ...out, code, signal }));
  });
  return { child, done };
}

/** Runs riskcli to its end, which has to be with `code`. */
async function run(args, { code = 0, ...how } = {}) {
  const ended = await start(args, how).done;
  assert.equal(ended.code, code, `riskcli ${args.join(' ')}: exit ${ended.code} ${ended.signal}\n${ended.stderr}`);
  assert.ok(!`${ended.stdout}${ended.stderr}`.includes(KEY), 'the key is in no output');
  return ended;
}

async function until(holds) {
  for (let tries = 0; !holds(); tries++) {
    assert.ok(tries < 3000, `nothing came of: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

before(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  service.url = `http://127.0.0.1:${server.address().port}`;
});
beforeEach(() => Object.assign(service, { requests: 0, answered: 0, scores: {}, held: undefined }));
after(() => {
  server.closeAllConnections();
  server.close();
  rmSync(ROOT, { recursive: true, force: true, maxRetries: 10 });
});

test('says its version, helps, and prints a schema', async () => {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  assert.equal((await run(['--version'])).stdout, `${version}\n`);
  assert.match((await run(['help', 'lists'])).stdout, /^# /);
  assert.match((await run([], { code: 0 })).stdout, /Usage: riskcli/);
  assert.equal(JSON.parse((await run(['schema', 'row'])).stdout).type, 'object');
});

test('shows one wallet, of the service and of the sandbox', async () => {
  assert.match((await run(['profile', A])).stdout, /^wallet_address\t0x0+1$/m);
  assert.equal(JSON.parse((await run(['profile', A, '--json'])).stdout).defi_score.defi_score, 700);
  const { stderr } = await run(['profile', A, '--sandbox', '--json'], { env: {} });
  assert.match(stderr, /synthetic/);
});

test('stores a key from standard input, shows it masked, and sends it', async () => {
  const stored = { RISKCLI_CONFIG_DIR: at('settings') };
  await run(['keys', 'set', '--base-url', service.url], { env: stored, input: `${KEY}\r\n` });
  assert.equal(JSON.parse((await run(['keys', 'show', '--json'], { env: stored })).stdout).key, 'smoke_****4Bn8');
  await run(['keys', 'check'], { env: stored });
  await run(['config', 'set', 'timeout', '20s'], { env: stored });
  assert.equal((await run(['config', 'get', 'timeout'], { env: stored })).stdout, '20s\n');
  await run(['keys', 'remove'], { env: stored });
  assert.deepEqual(JSON.parse((await run(['keys', 'list', '--json'], { env: stored })).stdout), []);
});

test('gets a key from a program in PATH', async () => {
  const env = { RISKCLI_CONFIG_DIR: at('vault'), PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };
  write('vault.mjs', `console.log('${KEY}')`);
  await run(['keys', 'set', '--base-url', service.url, '--command', 'node', 'vault.mjs'], { env });
  await run(['profile', B, '--json'], { env });
});

test('knows a healthy service from one that is not there', async () => {
  assert.equal(JSON.parse((await run(['health', '--json'])).stdout).status, 'ok');
  const gone = { RISKCLI_BASE_URL: 'http://127.0.0.1:9' };
  assert.equal(JSON.parse((await run(['health', '--json'], { env: gone, code: 5 })).stdout).status, 'down');
});

test('scores a list with CRLF and a byte order mark, and as UTF-16, into a file', async () => {
  const lines = ['Name;Wallet', `Käthe;${A}`, `"a, b";${B}`, `Käthe;${A}`, ''].join('\r\n');
  write('Größe.csv', `\ufeff${lines}`);
  await run(['profile', '-f', 'Größe.csv', '-o', 'Ergebnis für alle.csv']);
  assert.equal(service.requests, 2);
  const rows = read('Ergebnis für alle.csv').trimEnd().split('\n');
  assert.equal(rows[0], '\ufeffName;Wallet;wallet_address;status;total_collateral_usd;score;answered_at;warning;error');
  assert.deepEqual(
    rows.slice(1).map((row) => row.split(';').slice(0, 4).join()),
    [`Käthe,${A},${A},scored`, `a, b,${B},${B},scored`, `Käthe,${A},${A},scored`],
  );
  write('wide.txt', Buffer.from(`\ufeff${A}\r\n${B}\r\n`, 'utf16le'));
  assert.equal((await run(['profile', '-f', 'wide.txt', '--jsonl'])).stdout.trimEnd().split('\n').length, 2);
  assert.equal(
    readdirSync(ROOT).some((name) => /journal|\.tmp$/.test(name)),
    false,
  );
});

test('writes a workbook, and reads it as a list', async () => {
  await run(['profile', '-f', 'Größe.csv', '-o', 'Ergebnis für alle.xlsx']);
  const { stdout } = await run(['profile', '-f', 'Ergebnis für alle.xlsx', '--column', 'Wallet', '--jsonl']);
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row)._meta.input);
  assert.deepEqual(
    rows.map(({ Name, Wallet, score }) => [Name, Wallet, score]),
    [
      ['Käthe', A, 700],
      ['a, b', B, 700],
      ['Käthe', A, 700],
    ],
  );
});

test('reads a list from standard input', async () => {
  const count = ({ stdout }) => stdout.trimEnd().split('\n').length;
  assert.equal(count(await run(['profile', '-', '--jsonl'], { input: `${A}\n${B}\n` })), 2);
  write('list.txt', `${A}\n${B}\n${C}\n`);
  const names = ['-', ...(IS_WINDOWS ? [] : ['/dev/stdin'])];
  for (const name of names) {
    const stdin = openSync(at('list.txt'), 'r');
    assert.equal(count(await run(['profile', '-f', name, '--jsonl'], { stdin })), 3);
    closeSync(stdin);
  }
});

const LONG = Array.from({ length: 60 }, (_, i) => wallet(i + 1));
const LIST = ['profile', '-f', 'long.txt', '-o', 'long.jsonl'];

/**
 * Begins a list whose answers are held back from the tenth on; `kept` holds when its journal has
 * some.
 */
function beginList() {
  write('long.txt', LONG.join('\r\n'));
  const release = hold(10);
  const running = start(LIST);
  const kept = () =>
    readdirSync(ROOT).includes('long.jsonl.journal') && read('long.jsonl.journal').split('\n').length > 5;
  return { ...running, kept, release };
}

async function finishList(release) {
  const before = service.requests;
  release();
  await run(LIST);
  const wallets = read('long.jsonl')
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row).wallet_address);
  assert.deepEqual(wallets, LONG);
  assert.ok(service.requests - before < LONG.length, 'what is in the journal is not asked again');
  assert.equal(
    readdirSync(ROOT).some((name) => name.startsWith('long.jsonl.')),
    false,
  );
}

test('goes on with a list that was killed, and lets no second run at its journal', async () => {
  const { child, done, kept, release } = beginList();
  await until(kept);
  await run(LIST, { code: 11 });
  child.kill('SIGKILL');
  await done;
  await finishList(release);
});

test('goes on with a list that was interrupted', { skip: IS_WINDOWS && 'no signal can be sent there' }, async () => {
  const { child, done, kept, release } = beginList();
  await until(kept);
  child.kill('SIGINT');
  child.kill('SIGINT');
  assert.equal((await done).code, 130);
  await finishList(release);
});

test('replaces an output that another program reads, or leaves it whole', async () => {
  write('read.jsonl', 'old\n');
  const fd = openSync(at('read.jsonl'), 'r');
  const { code } = await start(['profile', '-f', 'list.txt', '-o', 'read.jsonl']).done;
  closeSync(fd);
  assert.deepEqual([code, read('read.jsonl').split('\n').length - 1], code === 0 ? [0, 3] : [8, 1]);
});

test('ends with the exit code that says what to do', async () => {
  write('empty.txt', '');
  write('odd.txt', `${A}\nno wallet\n`);
  mkdirSync(at('folder'));
  await run(['profile', A, '--nothing'], { code: 2 });
  await run(['profile', '-f', 'odd.txt', '--csv'], { code: 3 });
  await run(['profile', A], { code: 4, env: { ...known(), RISKCLI_API_KEY: 'another_key_0123456789' } });
  await run(['profile', A, '--timeout', '1s'], {
    code: 5,
    env: { ...known(), RISKCLI_BASE_URL: 'http://127.0.0.1:9' },
  });
  await run(['profile', '-f', 'list.txt', '--csv', '--max-requests', '1'], { code: 7 });
  await run(['profile', '-f', 'list.txt', '--csv', '-o', 'folder'], { code: 8 });
  await run(['profile', '-f', 'empty.txt', '--csv'], { code: 9 });
  const { stdout } = await run(['profile', '-f', 'list.txt', '--csv', '--fail-if', 'low: score < 800'], { code: 10 });
  assert.match(stdout, /,matched,unjudged\n/);
});

test('reviews a list twice, and says what changed', async () => {
  write('desk.csv', `name,wallet\r\nAnn,${A}\r\nBen,${B}\r\n`);
  const review = ['review', 'desk.csv', '--fail-if', 'low: score < 600', '--max-age', '0s', '--json'];
  assert.equal(JSON.parse((await run(review)).stdout).counts.open, 0);
  letWeekPass('desk.csv.reviews');
  service.scores = { [B]: 500 };
  const second = JSON.parse((await run(review, { code: 10 })).stdout);
  assert.deepEqual(
    second.new.wallets.map(({ label }) => label),
    ['Ben'],
  );
  const files = readdirSync(at('desk.csv.reviews')).sort();
  assert.equal(files.length, 2);
  const [older, newer] = files.map((name) => join('desk.csv.reviews', name));
  const diff = JSON.parse((await run(['diff', older, newer, '--json'])).stdout);
  assert.deepEqual(
    diff.map(({ score }) => score),
    [{ old: 700, new: 500, delta: -200 }],
  );
  assert.match((await run(['report', newer])).stdout, /low/);
  await run(['report', newer, '-o', 'page.html']);
  assert.match(read('page.html'), /^<!doctype html>/i);
});

/** Dates the one review in a folder a week earlier: two of one day are not compared. */
function letWeekPass(folder) {
  const [name] = readdirSync(at(folder));
  const [first, ...rows] = read(join(folder, name)).trimEnd().split('\n');
  const header = JSON.parse(first);
  const started = new Date(Date.parse(header.started) - 7 * 86_400_000).toISOString();
  const body = `${[JSON.stringify({ ...header, started }), ...rows.slice(0, -1)].join('\n')}\n`;
  const end = { ...JSON.parse(rows.at(-1)), sha256: createHash('sha256').update(body).digest('hex') };
  rmSync(at(folder, name));
  write(join(folder, `${started.slice(0, 19).replaceAll(':', '')}Z.jsonl`), `${body}${JSON.stringify(end)}\n`);
}

test('keeps a journal, shows it and prunes it', async () => {
  await run(['profile', '-f', 'list.txt', '--jsonl', '--journal', 'kept.journal']);
  await run(['profile', '-f', 'list.txt', '--jsonl', '--journal', 'kept.journal']);
  assert.equal(service.requests, 3);
  assert.equal(JSON.parse((await run(['journal', 'show', 'kept.journal', '--json'])).stdout).wallets, 3);
  await run(['journal', 'prune', 'kept.journal', '--wallet', A]);
  assert.ok(!read('kept.journal').includes(A));
});

test('judges by a policy with CRLF, and writes an exception into it', async () => {
  const rules = [{ name: 'low', if: 'score < 800' }];
  write('policy.json', `\ufeff${JSON.stringify({ rules }, null, 2).replaceAll('\n', '\r\n')}\r\n`);
  await run(['profile', A, '--policy', 'policy.json'], { code: 10 });
  await run(['policy', 'excuse', 'policy.json', A, '--rule', 'low', '--reason', 'für uns bekannt']);
  assert.match(read('policy.json'), /^\ufeff\{\r\n.*für uns bekannt"\r\n {4}\}\r\n {2}\]\r\n\}\r\n$/s);
  assert.match((await run(['policy', 'check', 'policy.json'])).stdout, /^exception\t/m);
  await run(['profile', A, '--policy', 'policy.json']);
});

test('says what is wrong with the set-up', async () => {
  assert.match((await run(['doctor'])).stdout, /base.url/i);
  assert.notEqual((await start(['doctor'], { env: { RISKCLI_BASE_URL: 'nonsense' } }).done).code, 0);
});

test('completes what is typed', async () => {
  for (const shell of ['bash', 'powershell']) assert.match((await run(['completion', shell])).stdout, /__complete/);
  assert.match((await run(['__complete', 'prof'])).stdout, /^profile\t/m);
});

test('finds its variables whatever the case of their names', {
  skip: !IS_WINDOWS && 'names have a case here',
}, async () => {
  await run(['profile', A], { code: 2, env: { ...known(), riskcli_timeout: 'soon' } });
});

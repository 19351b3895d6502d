/**
 * The built riskcli against limiters that others wrote: `npm run bench:limiters [part of a name]
 * [rate] [wallets]`. The simulation next door is quicker and knows more cases; this is where it is
 * held against the world. Takes minutes.
 */
import { type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithUs } from '../server-program.ts';
import { LIMITERS, type Limiter, type Setting } from './kinds.ts';

const [wanted = '', wantedRate, wallets = '2000'] = process.argv.slice(2);
const count = Number(wallets);

const USUAL = { least: 1_000, most: 5_000 };
const SETTINGS: readonly Omit<Setting, 'folder'>[] = [
  { plan: { rate: 50, burst: 100 }, answerMs: USUAL },
  { plan: { rate: 200, burst: 400 }, answerMs: USUAL },
  // As slow as the service usually gets: 1,000 requests are in flight at 200 a second.
  { plan: { rate: 200, burst: 400 }, answerMs: { least: 5_000, most: 5_000 } },
];

/** The bundle of this file lies in node_modules/.cache/bench-limiters. */
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const RISKCLI = path('../../../bin/riskcli.js');
const PACKAGES_FOLDER = path('.');
const PACKAGES = [
  'express@5.3.0',
  'express-rate-limit@8.7.4',
  'fastify@5.12.8',
  '@fastify/rate-limit@11.2.0',
  'rate-limiter-flexible@11.4.0',
];

/** Into a folder of their own: riskcli does not depend on them. */
function installPackages(): void {
  if (existsSync(join(PACKAGES_FOLDER, 'node_modules'))) return;
  mkdirSync(PACKAGES_FOLDER, { recursive: true });
  writeFileSync(join(PACKAGES_FOLDER, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--prefix', PACKAGES_FOLDER, '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES];
  if (spawnSync('npm', args, { stdio: 'inherit' }).status !== 0) throw new Error('npm could not install the limiters');
}

/** A list of distinct wallets, in lower case: no checksum to keep. */
function writeList(folder: string): string {
  const file = join(folder, 'wallets.txt');
  const lines = Array.from({ length: count }, (_, i) => `0x${(i + 1).toString(16).padStart(40, '0')}\n`);
  writeFileSync(file, lines.join(''));
  return file;
}

/** Seconds that the list took. */
async function score(url: string, { folder, boundMs }: { folder: string; boundMs: number }): Promise<number> {
  const args = ['profile', '--file', writeList(folder), '-o', join(folder, 'out.jsonl')];
  const env = { PATH: process.env.PATH, HOME: folder, RISKCLI_API_KEY: 'wrp_bench', RISKCLI_BASE_URL: url };
  const startedAt = performance.now();
  const stdio: StdioOptions = ['ignore', 'ignore', 'inherit'];
  const child = endWithUs(
    spawn(process.execPath, [RISKCLI, ...args], { env, stdio, timeout: Math.round(3 * boundMs) }),
  );
  const [exitCode, signal] = await once(child, 'exit');
  if (exitCode !== 0) throw new Error(`riskcli ended with ${exitCode ?? signal}`);
  return (performance.now() - startedAt) / 1_000;
}

const line = (name: string, cells: readonly string[]) =>
  `${name.padEnd(30)}${cells.map((cell) => cell.padStart(11)).join('')}`;

async function measure(limiter: Limiter, setting: Omit<Setting, 'folder'>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'riskcli-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const { plan, answerMs } = setting;
  const ideal = (limiter.ideal(count, plan, 1) + answerMs.most) / 1_000;
  // Until the first answer tells Limit the pace is the smallest plan's: what it takes longer than
  // usual is lost.
  const bound = 1.06 * ideal + 4 + (answerMs.least - USUAL.least) / 1_000;
  const running = await limiter.start({ ...setting, folder });
  try {
    const seconds = await score(running.url, { folder, boundMs: bound * 1_000 });
    const refused = ((await running.refused()) * 1_000) / count;
    const answers = `${answerMs.least / 1_000}-${answerMs.most / 1_000} s`;
    const figures = [seconds, ideal, seconds / ideal, refused].map((figure) => figure.toFixed(2));
    const isMissed = limiter.mostRefused !== undefined && (seconds > bound || refused > limiter.mostRefused);
    if (isMissed) process.exitCode = 1;
    const allowed = isMissed ? `  MISSED: ${bound.toFixed(1)} s, ${limiter.mostRefused} in 1,000` : '';
    console.log(line(limiter.name, [`${plan.rate}/${plan.burst}`, answers, ...figures]) + allowed);
  } finally {
    await running.stop();
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.setMaxListeners(0);
installPackages();
console.log(line(`${count} wallets`, ['plan', 'answers', 'seconds', 'ideal', 'ratio', '429/1000']));
for (const limiter of LIMITERS.filter(({ name }) => name.includes(wanted))) {
  if (limiter.program && spawnSync('which', [limiter.program]).status !== 0) {
    console.log(`${limiter.name}: skipped, there is no ${limiter.program}`);
    continue;
  }
  for (const setting of SETTINGS) {
    if (!wantedRate || setting.plan.rate === Number(wantedRate)) await measure(limiter, setting);
  }
}

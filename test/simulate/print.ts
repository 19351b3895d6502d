/**
 * `npm run test:simulate [runs] [first seed]`: so many histories, their speed, what they covered
 * and what was found. Without a first seed they are new ones each time. `... 1 SEED show` prints
 * one history.
 */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { KINDS, openStage, type Played, play, type Stage } from './play.ts';
import { type Finding, keptHistory, type Part, playPart, type Report, shortest, violationsOf } from './run.ts';
import { generate, VERSION } from './scenario.ts';

/** So many rules that were broken are described with a history; the others are counted. */
const SHOWN = 5;
/** So many seeds are handed out at a time: few, so that all cores end at about the same time. */
const SEEDS_AT_A_TIME = 25;
/** In so many histories each kind of event has to come to pass. */
const ENOUGH = 2_000;

const say = (text: string) => console.log(text);

// A run is too short for most functions to be worth optimising, which takes a third of the time.
// Newer Nodes have no such flag.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=800000');

if (isMainThread) await main();
else serve();

async function main(): Promise<void> {
  const [runs = 1_000, firstSeed = Math.floor(Math.random() * 2 ** 31)] = process.argv.slice(2, 4).map(Number);
  if (process.argv[4] === 'show') {
    say(described(await play(generate(firstSeed), await openStage())));
    return;
  }
  const covered = new Map<string, number>(KINDS.map((kind) => [kind, 0]));
  const findings: Finding[] = [];
  const before = process.cpuUsage();
  say(`seeds ${firstSeed} to ${firstSeed + runs - 1} of scenarios ${VERSION}`);
  await playByMany({ firstSeed, runs }, (report) => {
    for (const [kind, count] of report.covered) covered.set(kind, (covered.get(kind) ?? 0) + count);
    for (const finding of report.findings) {
      findings.push(finding);
      const [first] = finding.violations;
      say(`seed ${finding.seed}: ${first?.rule}: ${first?.detail.split('\n')[0]}`);
    }
  });
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  say(`${runs} histories in ${seconds.toFixed(1)} s of one core: ${(runs / seconds).toFixed(1)} a second\n`);
  for (const [kind, count] of [...covered].sort(([one], [other]) => one.localeCompare(other))) {
    say(`${String(count).padStart(8)}  ${kind}`);
  }
  const missing = runs < ENOUGH ? [] : KINDS.filter((kind) => covered.get(kind) === 0);
  if (missing.length > 0) say(`\nnever came to pass: ${missing.join(', ')}`);
  await report(findings.sort((one, other) => one.seed - other.seed));
  if (missing.length + findings.length > 0) process.exitCode = 1;
}

/** Workers, of which each takes the next seeds when it has played its own. */
async function playByMany({ firstSeed, runs }: Part, onReport: (report: Report) => void): Promise<void> {
  let next = firstSeed;
  const end = firstSeed + runs;
  async function employ(): Promise<void> {
    const worker = new Worker(new URL(import.meta.url));
    while (next < end) {
      const part: Part = { firstSeed: next, runs: Math.min(SEEDS_AT_A_TIME, end - next) };
      next += part.runs;
      worker.postMessage(part);
      // An error of the worker ends the wait, too.
      const [report] = (await once(worker, 'message')) as [Report];
      onReport(report);
    }
    await worker.terminate();
  }
  await Promise.all(
    Array.from({ length: Math.min(availableParallelism(), Math.ceil(runs / SEEDS_AT_A_TIME)) }, employ),
  );
}

/** What a worker does. */
function serve(): void {
  const stage = openStage();
  parentPort?.on('message', async (part: Part) => parentPort?.postMessage(await playPart(part, await stage)));
}

/** What was found, by rule, and of the first few rules the shortest history. */
async function report(findings: readonly Finding[]): Promise<void> {
  const rules = new Map<string, Finding[]>();
  for (const finding of findings) {
    for (const rule of new Set(finding.violations.map((violation) => violation.rule))) {
      rules.set(rule, [...(rules.get(rule) ?? []), finding]);
    }
  }
  say(`\n${findings.length} histories break a rule`);
  for (const [rule, found] of rules) say(`${String(found.length).padStart(8)}  ${rule}: ${seedsOf(found)}`);
  if (findings.length === 0) return;
  const stage = await openStage();
  for (const found of [...rules.values()].slice(0, SHOWN)) if (found[0]) await explain(found[0], stage);
}

function seedsOf(found: readonly Finding[]): string {
  return found
    .slice(0, 10)
    .map(({ seed }) => seed)
    .join(' ');
}

async function explain({ seed, violations: [violation] }: Finding, stage: Stage): Promise<void> {
  if (!violation) return;
  const scenario = await shortest(seed, stage);
  const played = await play(scenario, stage);
  say(`\n--- seed ${seed}: ${violation.rule}\n${violation.detail}\nonce more: npm run test:simulate 1 ${seed}\n`);
  say(described(played));
  say(`\ntest/simulate/found/seed-${seed}.json`);
  say(keptHistory(scenario, violationsOf(played)[0] ?? violation));
}

/** What happened, in the order of time. */
function described({ history }: Played): string {
  const { runs, requests, incidents } = history;
  const start = Math.min(...runs.map(({ startedAt }) => startedAt));
  const lines: [number, string][] = [];
  const add = (at: number | undefined, text: string) => {
    if (at !== undefined) lines.push([at - start, text]);
  };
  for (const { name, argv, env, startedAt, endedAt, how, exitCode, stderr, signals, space } of runs) {
    const monthly = env.RISKCLI_MONTHLY_REQUESTS;
    add(
      startedAt,
      `${name} starts: ${argv.join(' ')}${monthly ? ` (monthly ${monthly})` : ''}${space === '1' ? '' : ` in pid namespace ${space}`}`,
    );
    for (const { at, signal } of signals) add(at, `${name} gets ${signal}`);
    add(endedAt, `${name} ends: ${how} ${exitCode ?? ''} ${stderr.trim()}`);
  }
  for (const { at, kind, detail } of incidents) add(at, `* ${kind} ${detail ?? ''}`);
  for (const { run, wallet, sentAt, deliveredAt, abandonedAt, status, fault } of requests) {
    const short = wallet.slice(0, 8);
    add(sentAt, `${run} asks ${short}`);
    add(deliveredAt, `${run} has ${status} of ${short} ${fault ?? ''}`);
    add(abandonedAt, `${run} gives up ${short}`);
  }
  lines.sort(([one], [other]) => one - other);
  const files = [...history.files].map(([path, bytes]) => `${path}: ${inspect(bytes.toString().slice(0, 300))}`);
  return [...lines.map(([at, text]) => `${at.toFixed(1).padStart(12)} ms  ${text}`), ...files].join('\n');
}

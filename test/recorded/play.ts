/**
 * Plays scenes: command lines that run one after another in a folder of their own, against a
 * sandbox of their own, in this process. Time stands still but for waits, which are over at once.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SignalError } from '../../src/errors.ts';
import type { FaultKind } from '../../src/sandbox/service.ts';
import { cli, type RunOptions } from '../fixtures/cli/here.ts';
import { turn } from '../fixtures/manual-clock.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { type Service, startService } from '../fixtures/service/sandbox.ts';
import { type Line, parseLine } from './line.ts';
import { normalized } from './normalized.ts';

/** What a line came to; texts are as they are recorded. */
export interface Result {
  readonly line: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Those that are new or changed; undefined for those that are gone. */
  readonly files: ReadonlyMap<string, string | undefined>;
}

const NOW = Date.parse('2026-03-05T06:07:08Z');
const DATA = fileURLToPath(new URL('data', import.meta.url));
/**
 * Every folder has a name as long as this, since lines on a terminal are broken by their length.
 */
const PATH_LENGTH = 48;

let root: string | undefined;
let scenes = 0;
const documents = recordedAnswers(join(DATA, 'old.jsonl'));

/**
 * The documents that a list had written as JSON Lines, by wallet; rows without an answer have none.
 */
function recordedAnswers(path: string): ReadonlyMap<string, string> {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const texts = lines.map((line) => `${line.slice(0, line.lastIndexOf(',"_meta":'))}}`);
  const answers = texts.filter((text) => text.includes('"total_collateral_usd"'));
  return new Map(answers.map((text) => [JSON.parse(text).wallet_address.toLowerCase(), text]));
}

/** Plays the `texts` of one scene. */
export async function play(texts: readonly string[]): Promise<readonly Result[]> {
  if (root === undefined || !existsSync(root)) root = temporaryFolder();
  scenes += 1;
  // A line may be broken within the name: its end is the same for all.
  const folder = join(root, `${scenes}-`.padEnd(PATH_LENGTH - root.length - 1, '0'));
  mkdirSync(folder);
  const [first] = texts.map((text) => parseLine(text, { folder, url: '' }));
  const clock = passingClock();
  const service = await openService(first?.stage ?? {}, clock);
  const url = service.baseUrl;
  const named = texts.flatMap((text) => text.match(/(?<=@\/)[\w./-]+/g) ?? []);
  const stored = first?.stage.settings === 'stored' ? ['config/config.json', 'config/keys.json'] : [];
  for (const name of new Set([...named, ...stored])) lay(name, { folder, service });
  const results: Result[] = [];
  for (const text of texts) {
    results.push(await playLine(parseLine(text, { folder, url }), { folder, service, clock }));
  }
  await service.close();
  return results;
}

type TestClock = Required<Pick<RunOptions, 'now' | 'monotonic' | 'sleep'>>;

function passingClock(): TestClock {
  let passed = 0;
  return {
    now: () => NOW,
    monotonic: () => passed,
    async sleep(ms, signal) {
      await turn();
      signal?.throwIfAborted();
      passed += ms;
    },
  };
}

async function openService({ service: fault, plan }: Line['stage'], clock: TestClock): Promise<Service> {
  const failing = { share: fault === undefined || fault === 'none' ? 0 : 1, kinds: [fault as FaultKind] };
  const profile = (wallet: string) => documents.get(wallet.toLowerCase());
  const limits = plan === undefined ? {} : { plan: plan as 'startup' };
  const service = await startService({ clock: { ...clock, random: () => 0.5 }, failing, profile, ...limits });
  if (fault === 'none') await service.close();
  return service;
}

/** Puts the file that a line calls `@/name` in its place, if there is one of that name. */
function lay(name: string, { folder, service }: Pick<Stage, 'folder' | 'service'>): void {
  const source = join(DATA, name);
  if (!isFile(source)) return;
  const target = join(folder, name);
  mkdirSync(dirname(target), { recursive: true });
  // What an earlier run kept of its service is kept of the one that there is.
  const text = readFileSync(source, 'utf8')
    .replace(/("base_url": ?)"http[^"]*"/g, `$1"${service.baseUrl}"`)
    .replace('wrp_made-up_0123456789abcdef', service.key);
  writeFileSync(target, text, { mode: 0o600 });
}

interface Stage {
  readonly folder: string;
  readonly service: Service;
  readonly clock: TestClock;
}

async function playLine(line: Line, { folder, service, clock }: Stage): Promise<Result> {
  const { tty, state, interrupted, settings } = line.stage;
  const before = filesIn(folder);
  const stop = new AbortController();
  if (interrupted) stop.abort(new SignalError(interrupted as 'SIGINT'));
  const isTty = tty !== undefined;
  const { stdout, stderr, exitCode } = await cli(line.args, {
    ...clock,
    env: {
      ...(settings === undefined && service.env),
      RISKCLI_CONFIG_DIR: join(folder, 'config'),
      ...(state && { XDG_STATE_HOME: state }),
      ...line.env,
    },
    home: join(folder, 'home'),
    temporaryFolder: () => folder,
    hostName: () => 'host',
    runProgram: () => Promise.resolve({ output: `${service.key}\n`, exitCode: 0, killedBy: null, timedOut: false }),
    signal: stop.signal,
    stdin: line.stdin === undefined ? '' : readFileSync(line.stdin),
    tty: { stdout: isTty, stderr: isTty, stdin: isTty && line.stdin === undefined },
    ...(isTty && { columns: Number(tty), rows: 1000 }),
  });
  const normal = (text: string) => normalized(text, { folder, key: service.key });
  const after = filesIn(folder);
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
  const files = changed
    .map((name) => [normal(name), after.get(name)] as const)
    .map(([name, text]) => [name, text === undefined ? undefined : inOrder(name, normal(text))] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return { line: line.text, exitCode, stdout: normal(stdout), stderr: normal(stderr), files: new Map(files) };
}

function filesIn(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}

/** Answers come as they come, and a journal has them in that order. */
function inOrder(name: string, text: string): string {
  if (!name.endsWith('.journal')) return text;
  const [head = '', ...records] = text.split('\n');
  return [head, ...records.filter((record) => record !== '').sort(), ''].join('\n');
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

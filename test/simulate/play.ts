/**
 * Plays a scenario to its end, and after it, when all runs have ended and a minute has passed, its
 * lists once more without faults. What comes out is the history; whether it is a good one is judged
 * elsewhere.
 */
import { gzipSync } from 'node:zlib';
import { createDisk } from './disk.ts';
import { dispatcherClass } from './dispatcher.ts';
import type { History, Incident, RunRecord, Truth, Violation } from './history.ts';
import { isEnded, type Machine, type Setting, SimProcess, type Start } from './process.ts';
import { compileProgram } from './program.ts';
import { randomOf } from './random.ts';
import { createRealms, type Realms, STACK_LINES } from './realm.ts';
import type { RunEvent, Scenario, ScenarioEvent, Signal } from './scenario.ts';
import { ALSO_COUNTED, FAULTS, LIMITER_KINDS, Service } from './service.ts';
import { EndlessError, type Owner, World } from './world.ts';

/** What histories share: the program, compiled, and realms. */
export interface Stage {
  readonly realms: Realms;
}

export async function openStage(mutation?: Parameters<typeof compileProgram>[0]): Promise<Stage> {
  return { realms: createRealms(await compileProgram(mutation)) };
}

export interface Played {
  readonly history: History;
  /** How often each kind of event happened. */
  readonly covered: ReadonlyMap<string, number>;
  readonly events: number;
}

const KEY = 'wrp_Zb3-kd8_Qm2x7Vt5';
const BASE = 'https://api.test';
const HOME = '/home/u';

const named = (prefix: string, names: readonly (string | number)[]) => names.map((name) => `${prefix}: ${name}`);

/** What has to come to pass in many histories. */
export const KINDS: readonly string[] = [
  ...['SIGINT', 'SIGTERM', 'SIGHUP', 'signal again', 'kill', 'kill at a call', 'halt', 'halt at a call', 'suspend'],
  ...['power cut', 'power cut at a call', 'clock back', 'clock ahead', 'a month ends', 'a year ends'],
  ...['lock deleted', 'journal removed', 'list edited', 'outage', 'key revoked'],
  ...['disk nearly full', 'disk has room again', 'slow disk'],
  ...named('power cut', ['a name is gone', 'a name is back', 'the end of a file is gone', 'a file is torn']),
  ...named('failing call', ['EIO', 'ENOSPC', 'EACCES', 'EMFILE', 'ENOENT']),
  ...['any call', 'rename', 'unlink', 'write', 'open', 'fsync', 'fdatasync'].map((call) => `kill at ${call}`),
  ...named('run', ['profile', 'review', 'journal prune', 'journal show', 'keys show']),
  ...['run in another pid namespace', 'run in another environment', 'run beside another'],
  ...['run of standard input', 'run of gzip', 'run of more than 120 wallets'],
  ...named(
    'end',
    [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 129, 130, 141, 143].map((code) => `exit ${code}`),
  ),
  ...named('end', ['signal', 'kill', 'power']),
  ...named('limiter', LIMITER_KINDS),
  ...named('service', [...ALSO_COUNTED, ...FAULTS]),
];

/** No list of a scenario takes longer when nothing stands still, milliseconds. */
const MAX_RUN_MS = 30 * 60_000;
/** After all has ended nobody's lock is younger than that. */
const QUIET = 61_000;
const BOOT = 20_000;

type Happens<Kind extends ScenarioEvent['do']> = Extract<ScenarioEvent, { do: Kind }>;
type AtCallEvent = Happens<'kill at call' | 'signal at call' | 'halt at call' | 'fail call' | 'power cut at call'>;
type Planned = Exclude<ScenarioEvent, AtCallEvent>;

/**
 * Plays it. Its promises are looked at, too: one that is rejected and that nobody looks at would
 * have ended the process.
 */
export async function play(scenario: Scenario, stage: Stage): Promise<Played> {
  const { heard, stop } = listenToRejections();
  try {
    const game = new Game(scenario, stage);
    const played = withoutStacks(() => game.play());
    await new Promise((resolve) => setImmediate(resolve));
    game.hearRejections(heard);
    return played;
  } finally {
    stop();
  }
}

/** Errors of node and of the disk are made in the realm of the simulator. */
function withoutStacks<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = STACK_LINES;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function listenToRejections() {
  const heard: { readonly reason: unknown; readonly promise: Promise<unknown> }[] = [];
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  const listener = (reason: unknown, promise: Promise<unknown>) => void heard.push({ reason, promise });
  process.on('unhandledRejection', listener);
  const stop = () => {
    process.off('unhandledRejection', listener);
    for (const other of others) process.on('unhandledRejection', other);
  };
  return { heard, stop };
}

class Game {
  private readonly world = new World();
  private readonly disk;
  private readonly service: Service;
  private readonly machine: Machine;
  private readonly setting: Setting;
  private readonly runs: RunRecord[] = [];
  private readonly processes = new Map<string, SimProcess>();
  private readonly incidents: Incident[] = [];
  private readonly seen: Violation[] = [];
  private readonly cuts: { readonly at: number; readonly files: ReadonlyMap<string, Buffer> }[] = [];
  private readonly covered = new Map<string, number>();
  private readonly atCalls = new Map<string, AtCallEvent[]>();
  /** Whose calls something happens at. */
  private readonly aimed = new Set<string>();
  private readonly calls = new Map<string, number>();
  private readonly failing = new Map<string, { code: string; left: number }>();
  /** How far the clock was set back: the age of a lock of another namespace depends on it. */
  private steppedBack = 0;
  private toCome = 0;
  /** World time until which runs are delayed. */
  private patience = 0;
  /** Planned actions are delayed while the machine sleeps. */
  private readonly people: Owner = { hasEnded: false, isAway: false, backlog: [], turn: (work) => work() };
  private pid = 1000;
  /** Current contents of the lists. */
  private readonly lists = new Map<string, string>();

  constructor(
    private readonly scenario: Scenario,
    stage: Stage,
  ) {
    const { seed, epoch, clock } = scenario;
    this.machine = { bootId: bootId(0), bootAt: -600_000, stepped: clock, slept: 0 };
    this.disk = createDisk(randomOf(seed, 'disk'), {
      now: () => Math.floor(epoch + this.world.now + this.machine.stepped),
      onCall: (caller, call, path) => this.onCall(caller as SimProcess, call, path),
    });
    this.service = new Service(this.world, epoch, seed, scenario.service);
    this.setting = {
      world: this.world,
      epoch,
      seed,
      machine: this.machine,
      realms: stage.realms,
      fsFor: (caller) => this.disk.fsFor(caller),
      dispatcherFor: (process) => dispatcherClass(process, { world: this.world, service: () => this.service, epoch }),
      find: (space, pid) =>
        [...this.processes.values()].find((one) => !one.hasEnded && one.start.pid === pid && one.start.space === space),
      onStack: [],
      onEnd: (process) => this.ended(process),
      onFault: (rule, detail) => void this.seen.push({ rule, detail }),
    };
  }

  play(): Played {
    const { scenario, world } = this;
    for (const folder of [HOME, `${HOME}/work`, '/tmp']) this.disk.mkdir(folder);
    for (const [path, text] of Object.entries(scenario.lists)) this.writeList(path, text);
    for (const event of scenario.events) this.plan(event);
    this.untilQuiet();
    this.makePeace();
    world.runUntil(world.now + QUIET + this.steppedBack);
    this.playPeace();
    return {
      history: {
        seed: scenario.seed,
        clock: scenario.clock,
        runs: this.runs,
        requests: this.service.requests,
        incidents: this.incidents,
        cuts: this.cuts,
        lists: new Map([...this.lists].map(([path, text]) => [path, packed(path, text)])),
        files: this.disk.files(),
        truth: (wallet) => this.service.truths(wallet, 0)[0] as Truth,
        truths: (wallet, until) => this.service.truths(wallet, until - scenario.epoch),
        limit: scenario.service,
        quota: scenario.service.quota,
        seen: this.seen,
      },
      covered: this.counted(),
      events: world.events,
    };
  }

  /** Events by kind. */
  private counted(): ReadonlyMap<string, number> {
    const { covered, service, scenario } = this;
    const count = (kind: string, more = 1) => void covered.set(kind, (covered.get(kind) ?? 0) + more);
    for (const [kind, times] of service.counts) count(`service: ${kind}`, times);
    for (const { how, exitCode } of this.runs) count(how === 'exit' ? `end: exit ${exitCode}` : `end: ${how}`);
    count(`limiter: ${scenario.service.kind}`);
    const from = new Date(scenario.epoch);
    const until = new Date(scenario.epoch + this.world.now);
    if (from.getUTCMonth() !== until.getUTCMonth()) count('a month ends');
    if (from.getUTCFullYear() !== until.getUTCFullYear()) count('a year ends');
    return covered;
  }

  /** Rejections of promises of processes that were not killed. */
  hearRejections(heard: readonly { readonly reason: unknown; readonly promise: Promise<unknown> }[]): void {
    for (const { reason, promise } of heard) {
      if (isEnded(reason)) continue;
      const whose = [...this.processes.values()].filter((one) => promise instanceof one.Promise);
      if (whose.length === 0 || whose.some(({ record }) => record.how === 'kill' || record.how === 'power')) continue;
      if (whose.some(({ record }) => record.how === 'signal')) continue;
      this.seen.push({ rule: 'a promise is rejected that nobody looks at', detail: String(reason) });
    }
  }

  /** Until all that was planned has happened and all runs have ended. */
  private untilQuiet(): void {
    const { world } = this;
    this.patience = Math.max(this.patience, world.now);
    const goesOn = () => this.toCome > 0 || this.living().length > 0;
    try {
      world.runWhile(() => goesOn() && (this.toCome > 0 || world.now < this.patience + MAX_RUN_MS));
      for (const { name } of this.living()) this.fault('a run never ends', name);
    } catch (error) {
      if (!(error instanceof EndlessError)) throw error;
      for (const { name } of this.living()) this.fault('a run goes round in a circle', name);
    }
    for (const process of this.living()) process.kill('kill');
  }

  /** Delays runs from now. */
  private holdUp(ms: number): void {
    this.patience = Math.max(this.patience, this.world.now + ms);
  }

  private living(): SimProcess[] {
    return [...this.processes.values()].filter((one) => !one.hasEnded);
  }

  private fault(rule: string, detail: string): void {
    this.seen.push({ rule, detail });
  }

  private note(kind: string, detail?: string): void {
    this.cover(kind);
    this.incidents.push({ at: this.scenario.epoch + this.world.now, kind, ...(detail !== undefined && { detail }) });
  }

  private cover(kind: string): void {
    this.covered.set(kind, (this.covered.get(kind) ?? 0) + 1);
  }

  private plan(event: ScenarioEvent): void {
    if (!('at' in event)) {
      const key = `${event.run} ${event.call}`;
      this.aimed.add(event.run);
      this.atCalls.set(key, [...(this.atCalls.get(key) ?? []), event]);
      return;
    }
    this.toCome++;
    const act = () => {
      this.toCome--;
      this.holdUp('ms' in event ? Math.abs(event.ms) : 0);
      this.happen(event);
    };
    this.world.at(event.at, act, this.people, true);
  }

  private happen(event: Planned): void {
    const happen = this.happenings[event.do] as (event: Planned) => void;
    happen(event);
  }

  private readonly happenings: { readonly [Do in Planned['do']]: (event: Happens<Do>) => void } = {
    run: (event) => {
      if (this.world.now >= this.machine.bootAt) this.startRun(event, false);
      else this.plan({ ...event, at: this.machine.bootAt + 1_000 });
    },
    signal: ({ run, signal }) => {
      const process = this.alive(run);
      if (process) this.send(signal, process);
    },
    kill: ({ run }) => {
      const process = this.alive(run);
      if (!process) return;
      this.note('kill', run);
      process.kill('kill');
    },
    halt: ({ run, ms }) => {
      const process = this.alive(run);
      if (!process) return;
      this.note('halt', run);
      process.halt(ms);
    },
    'power cut': () => this.cutPower(),
    suspend: ({ ms }) => {
      // A machine without power does not sleep: its clock begins anew.
      if (this.world.now < this.machine.bootAt) return;
      this.note('suspend', `${ms} ms`);
      for (const process of this.living()) process.halt(ms);
      this.world.shiftTimers(ms);
      this.machine.slept += ms;
    },
    'step clock': ({ ms }) => {
      this.note(ms < 0 ? 'clock back' : 'clock ahead', `${ms} ms`);
      this.machine.stepped += ms;
      this.steppedBack += Math.max(0, -ms);
    },
    'delete lock': ({ journal }) => this.remove(`${journal}.lock`, ['lock deleted', journal]),
    remove: ({ path }) => this.remove(path, ['journal removed', path]),
    'edit list': ({ path, text }) => {
      if (this.living().length > 0) return;
      this.note('list edited', path);
      this.writeList(path, text);
    },
    'fill disk': ({ bytes }) => {
      this.note(bytes === undefined ? 'disk has room again' : 'disk nearly full');
      this.disk.faults.fullAt = bytes === undefined ? undefined : this.disk.used + bytes;
    },
    'slow disk': ({ at, until, ms }) => {
      this.note('slow disk');
      const end = this.world.now + until - at;
      this.disk.faults.slowMs = (call) =>
        this.world.now < end && ['fsync', 'fdatasync', 'write', 'rename'].includes(call) ? ms : 0;
    },
    outage: ({ at, until, kind }) => {
      this.note('outage', kind);
      const { now } = this.world;
      this.service.outages.push({ from: now, until: now + until - at, kind });
    },
    'revoke key': ({ at, until }) => {
      this.note('key revoked');
      this.service.revokedFrom = this.world.now;
      this.world.after(until - at, () => {
        this.service.revokedFrom = Number.POSITIVE_INFINITY;
      });
    },
  };

  /** Somebody removes a file, if it is there. */
  private remove(path: string, note: readonly [kind: string, detail: string]): void {
    if (!this.disk.read(path)) return;
    this.note(...note);
    this.disk.remove(path);
  }

  private send(signal: Signal, process: SimProcess): void {
    this.note(process.record.signals.length > 0 ? 'signal again' : signal, process.name);
    process.signal(signal);
  }

  private alive(run: string): SimProcess | undefined {
    const process = this.processes.get(run);
    return process?.hasEnded ? undefined : process;
  }

  private cutPower(): void {
    this.note('power cut');
    for (const process of this.living()) process.kill('power');
    const before = this.disk.files();
    this.disk.crash();
    const files = this.disk.files();
    this.coverLost(before, files);
    this.cuts.push({ at: this.scenario.epoch + this.world.now, files });
    this.machine.bootId = bootId(this.incidents.length);
    this.machine.bootAt = this.world.now + BOOT;
  }

  /** Runs ended by the power cut. */
  private coverLost(before: ReadonlyMap<string, Buffer>, after: ReadonlyMap<string, Buffer>): void {
    const isGone = [...before.keys()].some((path) => !after.has(path));
    const isBack = [...after.keys()].some((path) => !before.has(path));
    const both = [...before].map(([path, old]) => ({ old, left: after.get(path) ?? old }));
    const isShorter = both.some(({ old, left }) => left.length < old.length);
    const isTorn = both.some(({ old, left }) => !left.equals(old.subarray(0, left.length)));
    if (isGone) this.cover('power cut: a name is gone');
    if (isBack) this.cover('power cut: a name is back');
    if (isShorter) this.cover('power cut: the end of a file is gone');
    if (isTorn) this.cover('power cut: a file is torn');
  }

  private startRun(event: RunEvent, isPeaceful: boolean): SimProcess {
    const { scenario, world } = this;
    const { name, argv, list, output, journal, monthly, space = '1', hostName = 'desk', readerTakes, stdin } = event;
    const env: Record<string, string> = {
      HOME,
      PATH: '/usr/bin:/bin',
      RISKCLI_API_KEY: KEY,
      RISKCLI_BASE_URL: BASE,
      ...(monthly !== undefined && !isPeaceful && { RISKCLI_MONTHLY_REQUESTS: String(monthly) }),
      ...event.env,
    };
    const record: RunRecord = {
      name,
      argv,
      env,
      startedAt: scenario.epoch + world.now,
      endedAt: undefined,
      how: 'running',
      exitCode: undefined,
      stdout: '',
      stderr: '',
      signals: [],
      haltedMs: 0,
      diskFaults: 0,
      list,
      output,
      listText: list === undefined ? undefined : this.lists.get(list),
      journal,
      isPeaceful,
      before: output === undefined ? undefined : this.disk.read(output),
      written: undefined,
      space,
      readerTakes: isPeaceful ? undefined : readerTakes,
    };
    this.runs.push(record);
    const verb = argv.slice(0, argv[0] === 'journal' || argv[0] === 'keys' ? 2 : 1).join(' ');
    this.cover(`run: ${verb}${isPeaceful ? ' in peace' : ''}`);
    if (space !== '1') this.cover('run in another pid namespace');
    if (event.env) this.cover('run in another environment');
    if (stdin) this.cover('run of standard input');
    if (list?.endsWith('.gz')) this.cover('run of gzip');
    if ((record.listText?.length ?? 0) > 121 * 43) this.cover('run of more than 120 wallets');
    if (this.living().length > 0) this.cover('run beside another');
    // Of another namespace the numbers begin anew, and some are given twice.
    let pid = space === '1' ? this.pid++ : 1000 + (this.runs.length % 2);
    while (this.setting.find(space, pid)) pid++;
    const process = new SimProcess(
      this.setting,
      { space, hostName, pid, cwd: `${HOME}/work`, readerTakes: record.readerTakes, stdin: this.pipeOf(stdin) },
      record,
    );
    this.processes.set(name, process);
    process.begin();
    return process;
  }

  private ended(process: SimProcess): void {
    const { record } = process;
    this.disk.end(process);
    if (record.output === undefined || record.how === 'power') return;
    record.written = this.disk.read(record.output);
  }

  private writeList(path: string, text: string): void {
    this.lists.set(path, text);
    this.disk.write(path, packed(path, text));
  }

  /** What another program writes into a pipe. */
  private pipeOf(stdin: RunEvent['stdin']): Start['stdin'] {
    if (!stdin) return undefined;
    const { path, pieces, gapMs } = stdin;
    const bytes = packed(path, this.lists.get(path) ?? '');
    const size = Math.ceil(bytes.length / pieces) || 1;
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    );
    return { chunks, gapMs };
  }

  /** Before each call of a process to the disk. */
  private onCall(process: SimProcess, call: string, path: string): void {
    process.enter();
    const { name } = process;
    if (!this.aimed.has(name)) return;
    for (const kind of [call, 'any']) {
      const key = `${name} ${kind}`;
      const events = this.atCalls.get(key);
      if (!events) continue;
      const nth = (this.calls.get(key) ?? 0) + 1;
      this.calls.set(key, nth);
      for (const event of events) if (event.nth === nth) this.atCall(event, { process, call, path });
    }
  }

  private atCall(
    event: AtCallEvent,
    { process, call, path }: { process: SimProcess; call: string; path: string },
  ): void {
    const where = `${process.name} at ${call} ${path}`;
    switch (event.do) {
      case 'kill at call':
        this.cover(KINDS.includes(`kill at ${event.call}`) ? `kill at ${event.call}` : 'kill at any call');
        this.note('kill at a call', where);
        process.kill('kill');
        break;
      case 'signal at call':
        this.send(event.signal, process);
        break;
      case 'power cut at call':
        this.cover('power cut at a call');
        this.cutPower();
        break;
      case 'halt at call':
        this.note('halt at a call', where);
        this.holdUp(event.ms);
        process.halt(event.ms);
        process.wait(event.ms);
        break;
      case 'fail call':
        this.note(`failing call: ${event.code}`, where);
        this.failing.set(`${process.name} ${call} ${path}`, { code: event.code, left: event.times ?? 1 });
        this.disk.faults.fails = (one, at) => this.fails(one, at);
        break;
    }
    process.enter();
  }

  private fails(call: string, path: string): string | undefined {
    const process = this.setting.onStack.at(-1);
    const failing = process && this.failing.get(`${process.name} ${call} ${path}`);
    if (!failing || failing.left <= 0) return undefined;
    failing.left--;
    process.record.diskFaults++;
    return failing.code;
  }

  private makePeace(): void {
    const { disk, service } = this;
    Object.assign(disk.faults, { fullAt: undefined, slowMs: undefined, fails: undefined });
    this.aimed.clear();
    service.isInPeace = true;
  }

  /** Runs each list without limits, twice: the second time nothing is left to request. */
  private playPeace(): void {
    const seen = new Set<string>();
    for (const event of this.scenario.events) {
      if (event.do !== 'run' || event.list === undefined) continue;
      const argv = inPeace(event.argv);
      const key = [...argv, event.env?.RISKCLI_BASE_URL].join(' ');
      if (seen.has(key)) continue;
      seen.add(key);
      const { space: _, hostName: __, readerTakes: ___, ...rest } = event;
      this.startRun({ ...rest, argv, name: `P${seen.size}` }, true);
      this.untilQuiet();
    }
  }
}

/** Flags that make a run stop early, with their values. */
const LIMITS = ['--max-requests', '--timeout', '--max-wait', '--rate', '--concurrency'];

function inPeace(argv: readonly string[]): string[] {
  return argv.filter((word, i) => !LIMITS.includes(word) && !LIMITS.includes(argv[i - 1] ?? ''));
}

/** The same bytes for the same text. */
const packed = (path: string, text: string): Buffer => (path.endsWith('.gz') ? gzipSync(text) : Buffer.from(text));

const bootId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

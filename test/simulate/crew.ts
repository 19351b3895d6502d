/** Histories on several cores: workers, of which each takes the next seeds when it has played its own. */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { openStage } from './play.ts';
import { type Finding, sweep } from './run.ts';

/** So many seeds are handed out at a time: few, so that all end at about the same time. */
const PART = 25;

interface Part {
  readonly runs: number;
  readonly firstSeed: number;
}

/** What became of a part. */
interface Report {
  readonly covered: ReadonlyMap<string, number>;
  readonly findings: readonly Finding[];
}

interface Work extends Part {
  readonly workers: number;
  /** The bundle that calls `serve` in a worker. */
  readonly file: URL;
  /** In any order. */
  readonly onReport: (report: Report) => void;
}

export async function sweepByMany({ runs, firstSeed, workers, file, onReport }: Work): Promise<void> {
  let next = firstSeed;
  const end = firstSeed + runs;
  async function employ(): Promise<void> {
    const worker = new Worker(file);
    while (next < end) {
      const part: Part = { firstSeed: next, runs: Math.min(PART, end - next) };
      next += part.runs;
      worker.postMessage(part);
      // An error of the worker ends the wait, too.
      const [report] = (await once(worker, 'message')) as [Report];
      onReport(report);
    }
    await worker.terminate();
  }
  await Promise.all(Array.from({ length: Math.min(workers, Math.ceil(runs / PART)) }, employ));
}

/** What a worker does. */
export async function serve(): Promise<void> {
  if (isMainThread || !parentPort) throw new Error('only a worker serves');
  const port = parentPort;
  const stage = openStage();
  port.on('message', async (part: Part) => {
    const covered = new Map<string, number>();
    const findings: Finding[] = [];
    await sweep({
      ...part,
      stage: await stage,
      onPlayed(played) {
        for (const [kind, count] of played.covered) covered.set(kind, (covered.get(kind) ?? 0) + count);
      },
      onFinding: (finding) => findings.push(finding) > 0,
    });
    port.postMessage({ covered, findings } satisfies Report);
  });
}

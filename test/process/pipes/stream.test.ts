/**
 * Lists that arrive little by little: what is there is answered, nothing waits for what may never
 * come.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { clock } from '../../../src/host/clock.ts';
import { main } from '../../../src/main.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { BINARY } from '../../fixtures/cli/process.ts';
import { startListStage } from '../../fixtures/place/list-stage.ts';
import { address } from '../../fixtures/place/wallets.ts';

type ListStage = Awaited<ReturnType<typeof startListStage>>;

/** A run on a stream that stays open. */
interface Streaming {
  readonly done: Promise<{ readonly stdout: string; readonly exitCode: number | null }>;
  write(text: string): void;
  end(text?: string): void;
  /** Resolves when its stdout has matched. */
  until(pattern: RegExp): Promise<void>;
}

type Start = (stage: ListStage, args: readonly string[]) => Streaming;

/** The built binary on a pipe. */
const startProcess: Start = (stage, args) => {
  const child = spawn(process.execPath, [BINARY, 'profile', ...args], { cwd: stage.folder, env: stage.env });
  const ended = once(child, 'close').then(([exitCode]) => exitCode);
  return streaming({ stdin: child.stdin, stdout: child.stdout, ended });
};

/** riskcli in this process, where a pipe is just what comes in pieces. */
const startInside: Start = (stage, args) => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const host = testHost({ env: stage.env, stdin, sleep: clock.sleep });
  const ended = main(['profile', ...args], { ...host, stdout: Object.assign(stdout, { isTTY: false }) });
  return streaming({ stdin, stdout, ended });
};

interface Ends {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly ended: Promise<number | null>;
}

function streaming({ stdin, stdout, ended }: Ends): Streaming {
  let text = '';
  const waiting = new Set<() => void>();
  stdout.setEncoding('utf8').on('data', (more) => {
    text += more;
    for (const look of waiting) look();
  });
  return {
    done: ended.then((exitCode) => ({ stdout: text, exitCode })),
    write: (more) => void stdin.write(more),
    end: (more = '') => void stdin.end(more),
    until: (pattern) =>
      new Promise((resolve) => {
        const look = () => pattern.test(text) && waiting.delete(look) && resolve();
        waiting.add(look);
        look();
      }),
  };
}

it.each<[string, readonly string[], (n: number) => string]>([
  ['lines', [], (n) => `${address(n)}\n`],
  ['lines of Windows', [], (n) => `${address(n)}\r\n`],
  ['CSV with a header', [], (n) => `${n === 1 ? 'holder,note\n' : ''}${address(n)},x\n`],
  ['CSV without one', [], (n) => `x;${address(n)}\n`],
  ['CSV in quotes', [], (n) => `${n === 1 ? '"holder","note"\n' : ''}"${address(n)}","a, ""b"" "\n`],
  ['CSV in quotes without a header', [], (n) => `"x, y",${address(n)}\n`],
  ['CSV with line breaks in quotes', [], (n) => `${n === 1 ? 'note,holder\n' : ''}"a\n# b\n",${address(n)}\n# c\n`],
  ['CSV with --column', ['--column', 'w'], (n) => `${n === 1 ? 'w,v\n' : ''}${address(n)},${address(99)}\n`],
  ['JSON Lines', [], (n) => `{"n":${n},"address":"${address(n)}"}\n`],
  ['a JSON array', [], (n) => `${n === 1 ? '[' : ''}{"address":"${address(n)}"},\n`],
])('answers a stream of %s row by row', async (name, more, row) => {
  await using stage = await startListStage();
  for (const format of name === 'lines' ? ['jsonl', 'csv', 'table', 'json'] : ['jsonl']) {
    const start = name === 'lines' && format === 'jsonl' ? startProcess : startInside;
    const run = start(stage, ['-', '--format', format, ...more]);
    for (const n of [1, 2, 3]) {
      run.write(row(n));
      await run.until(new RegExp(`${address(n)}.*\\b(scored|1234\\.5)\\b`));
    }
    run.end(name === 'a JSON array' ? `"${address(4)}"]` : '');
    const { exitCode } = await run.done;
    expect({ name, format, exitCode }).toEqual({ name, format, exitCode: 0 });
  }
});

it('reads a stream without a named wallet column until a row shows it', async () => {
  await using stage = await startListStage();
  const run = startInside(stage, ['-', '--jsonl']);
  run.write('ref,note\n');
  run.write('1,none yet\n');
  run.write(`2,${address(7)}\n`);
  await run.until(new RegExp(address(7)));
  run.end();
  const { stdout, exitCode } = await run.done;
  expect(exitCode).toBe(3);
  expect(stdout).toContain('"input":{"ref":"1","note":"none yet"}');
  expect(stage.server.requests).toHaveLength(1);
});

it('reads a stream with only a header as an empty list', async () => {
  await using stage = await startListStage();
  const run = startInside(stage, ['-', '--csv']);
  run.write('address,note\n');
  run.end();
  expect(await run.done).toEqual({ stdout: '', exitCode: 9 });
});

/** Lists that arrive little by little: what is there is answered, nothing waits for what may never come. */
import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { startListStage } from '../../helpers/place/list-stage.ts';
import { address } from '../../helpers/place/wallets.ts';
import { RISKCLI } from '../../helpers/process/binary.ts';

type ListStage = Awaited<ReturnType<typeof startListStage>>;

/** Starts riskcli on a pipe that stays open. `until` resolves when its stdout has matched. */
function startOnPipe(stage: ListStage, args: readonly string[]) {
  const child = spawn(process.execPath, [...RISKCLI, 'profile', ...args], { cwd: stage.folder, env: stage.env });
  let stdout = '';
  const waiting = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
    for (const look of waiting) look();
  });
  const done = new Promise<{ stdout: string; exitCode: number | null }>((resolve) => {
    child.on('close', (exitCode) => resolve({ stdout, exitCode }));
  });
  return {
    done,
    write: (text: string) => child.stdin.write(text),
    end: (text = '') => child.stdin.end(text),
    until: (pattern: RegExp) =>
      new Promise<void>((resolve) => {
        const look = () => pattern.test(stdout) && waiting.delete(look) && resolve();
        waiting.add(look);
        look();
      }),
  };
}

describe('a stream', () => {
  it.each<[string, readonly string[], (n: number) => string]>([
    ['lines', [], (n) => `${address(n)}\n`],
    ['lines of Windows', [], (n) => `${address(n)}\r\n`],
    ['CSV with a header', [], (n) => `${n === 1 ? 'holder,note\n' : ''}${address(n)},x\n`],
    ['CSV without one', [], (n) => `x;${address(n)}\n`],
    ['CSV with --column', ['--column', 'w'], (n) => `${n === 1 ? 'w,v\n' : ''}${address(n)},${address(99)}\n`],
    ['JSON Lines', [], (n) => `{"n":${n},"address":"${address(n)}"}\n`],
    ['a JSON array', [], (n) => `${n === 1 ? '[' : ''}{"address":"${address(n)}"},\n`],
  ])('of %s is answered as it flows', async (name, more, row) => {
    await using stage = await startListStage();
    for (const format of name === 'lines' ? ['jsonl', 'csv', 'table', 'json'] : ['jsonl']) {
      const run = startOnPipe(stage, ['-', '--format', format, ...more]);
      for (const n of [1, 2, 3]) {
        run.write(row(n));
        await run.until(new RegExp(`${address(n)}.*\\b(scored|1234\\.5)\\b`));
      }
      run.end(name === 'a JSON array' ? `"${address(4)}"]` : '');
      const { exitCode } = await run.done;
      expect({ name, format, exitCode }).toEqual({ name, format, exitCode: 0 });
    }
  });

  it('whose header leaves the column open is read on until a row tells', async () => {
    await using stage = await startListStage();
    const run = startOnPipe(stage, ['-', '--jsonl']);
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

  it('of a header alone is an empty list', async () => {
    await using stage = await startListStage();
    const run = startOnPipe(stage, ['-', '--csv']);
    run.write('address,note\n');
    run.end();
    expect(await run.done).toEqual({ stdout: '', exitCode: 9 });
  });
});

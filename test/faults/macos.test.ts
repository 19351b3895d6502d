/** What would go wrong on macOS, emulated on Linux by `helpers/macos.cjs`: the built binary runs on no macOS here. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startListStage } from '../helpers/list-stage.ts';
import { addresses } from '../helpers/wallets.ts';

const NODE_OPTIONS = `--require ${fileURLToPath(new URL('../helpers/macos.cjs', import.meta.url))}`;
const COUNT = 4;

describe('macOS, emulated', () => {
  it('a list redirected to /dev/stdin, which opens but once, is read twice all the same', async () => {
    const { write, sh, server, ...place } = await startListStage();
    onTestFinished(() => place[Symbol.asyncDispose]());
    write('list.txt', `${addresses(COUNT).join('\n')}\n`);
    const ended = await sh('r profile -f /dev/stdin --jsonl < list.txt', { NODE_OPTIONS });
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    expect([ended.stdout.trimEnd().split('\n').length, server.requests.length]).toEqual([COUNT, COUNT]);
  });
});

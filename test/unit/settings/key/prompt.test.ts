import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { SignalError } from '../../../../src/errors.ts';
import { receiveKey } from '../../../../src/settings/key/prompt.ts';
import { testContext } from '../../../fixtures/place/config-folder.ts';
import { KEY } from '../../../fixtures/service/client.ts';

const receive = (options: Parameters<typeof testContext>[0]) =>
  receiveKey(testContext(options), { mayAsk: true, timeoutMs: 60_000 });

it.each(['\r', '\u0004', 'x\u007f\r'])('reports a key that was not typed: %j', async (typed) => {
  const missing = {
    code: 'key_missing',
    message: 'no key was typed',
    hint: 'run the same command again',
    isResumable: true,
  };
  await expect(receive({ stdin: typed, tty: { stdin: true } })).rejects.toMatchObject(missing);
});

it('ends the prompt on Ctrl-C as SIGINT would', async () => {
  const typed = `${KEY}\u0003`;
  await expect(receive({ stdin: typed, tty: { stdin: true } })).rejects.toEqual(new SignalError('SIGINT'));
});

it('reports an error of standard input in place of the key', async () => {
  const stdin = new Readable({ read: () => void stdin.destroy(new Error('EIO')) });
  const failed = { message: 'standard input cannot be read', hint: 'pipe the key in' };
  await expect(receive({ stdin })).rejects.toMatchObject(failed);
});

it.each([true, false])('reads no key when the run is to stop; from a terminal: %s', async (isTerminal) => {
  const reason = new SignalError('SIGTERM');
  const stdin = Readable.from([`${KEY}\n`]);
  const options = { stdin, tty: { stdin: isTerminal }, signal: AbortSignal.abort(reason) };
  await expect(receive(options)).rejects.toBe(reason);
  expect(stdin.readableFlowing).toBeNull();
});

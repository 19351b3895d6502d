/** A process that is halted (SIGSTOP, Ctrl-Z, a laptop's lid) while the service answers: its timers are late when it goes on. */
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { bareEnv, start } from '../../fixtures/cli/process.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { KEY, profileOf } from '../../fixtures/service/client.ts';
import { startRawServer } from '../../fixtures/service/server.ts';

/** Longer than the time-out, and than any process is busy. */
const HALT_MS = 6_000;
/** More than a socket takes from a server while nobody reads. */
const PADDING = 'x'.repeat(300_000);

function answerTo(path: string, padding = ''): string {
  const body =
    path === '/health' ? { status: 'ok', timestamp: new Date().toISOString() } : { ...profileOf(path), padding };
  const text = JSON.stringify(body);
  return `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
}

/** Runs `args`, halted from when `count` requests are under way until they are answered and have long timed out. */
async function haltedRun(args: readonly string[], { count = 1, input = '', padding = '' } = {}) {
  const answers: (() => void)[] = [];
  let haltNow = () => {};
  const allAsked = new Promise<void>((resolve) => {
    haltNow = resolve;
  });
  await using server = await startRawServer((socket, nth, path) => {
    answers.push(() => socket.write(answerTo(path, padding)));
    if (nth === count) haltNow();
    if (nth > count) socket.write(answerTo(path, padding));
  });
  const env = bareEnv({ RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: String(server.url) });
  const { child, done } = start([...args, '--timeout', '4s'], { env, input });
  try {
    await allAsked;
    child.kill('SIGSTOP');
    for (const answer of answers) answer();
    await setTimeout(HALT_MS);
    child.kill('SIGCONT');
    const { exitCode, stdout, stderr } = await done;
    return { exitCode, stdout, stderr, requests: server.requests.length };
  } finally {
    child.kill('SIGKILL');
  }
}

it('[85] answers that arrive while a process is halted for longer than --timeout are kept, and none is requested again', async () => {
  const wallets = addresses(10);
  const [one, list, health] = await Promise.all([
    haltedRun(['profile', wallets[0] ?? '', '--json'], { padding: PADDING }),
    haltedRun(['profile', '-', '--jsonl'], { count: 10, input: wallets.join('\n') }),
    haltedRun(['health', '--json', '--critical', '4s', '--max-skew', '4s']),
  ]);
  expect(one).toMatchObject({
    exitCode: 0,
    stderr: '',
    stdout: expect.stringContaining(wallets[0] ?? ''),
    requests: 1,
  });
  expect(list).toMatchObject({ exitCode: 0, stderr: '', requests: 10 });
  expect(list.stdout.match(/"status":"scored"/g)).toHaveLength(10);
  expect(health).toMatchObject({
    exitCode: 0,
    stderr: '',
    stdout: expect.stringMatching(/"status": ?"ok"/),
    requests: 1,
  });
});

/** The hidden prompt on a real terminal under a real shell, and what is read from pipes that are slow or silent. */
import { closeSync, openSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../fixtures/cli/here.ts';
import { RISKCLI_WORDS, start } from '../../fixtures/cli/process.ts';
import { atTerminal, hasTerminal, type Step } from '../../fixtures/cli/terminal.ts';
import { makeFifo } from '../../fixtures/place/fifo.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { CONTAINER, canUnshare } from '../../fixtures/process/namespaces.ts';
import { PROFILE } from '../../fixtures/service/client.ts';
import { startServer } from '../../fixtures/service/server.ts';

const RANDOM = 'q7Zt-Xk_2Lm9Rv4Bn8';
const KEY = `wrp_${RANDOM}`;
const SET = ['keys', 'set', '--base-url', 'https://api.example.com'];
const WALLET = PROFILE.wallet_address;

const PROMPT = 'API key (hidden): ';

/**
 * What stands on a terminal on which `steps` were done around `riskcli keys set`, which `starter` starts; `stty` says whether
 * it was left as it was.
 */
async function atPrompt(steps: readonly Step[], starter = '') {
  const place = workplace();
  const all: Step[] = [
    // ParsedArgs so that the echo of it is not taken for the prompt.
    ['type', "PS1=rea'dy> '\n"],
    ['wait', 'ready> '],
    ['type', `before=$(stty -g); ${starter} ${RISKCLI_WORDS} ${SET.join(' ')}; echo "ended: $?"\n`],
    ['wait', PROMPT],
    ['raw'],
    ...steps,
    ['wait', 'ready> '],
    ['type', '[ "$before" = "$(stty -g)" ] && echo as-it-"was"\n'],
    ['wait', 'as-it-was'],
  ];
  const shown = await atTerminal(place, all);
  for (let i = 0; i + 6 <= RANDOM.length; i++) expect(shown).not.toContain(RANDOM.slice(i, i + 6));
  // Without a process, and without its folder: other tests run at the same time.
  const env = { RISKCLI_CONFIG_DIR: place.path('home/.config/riskcli') };
  const { stdout } = await run('keys', 'show', '--reveal', '--json', { env });
  return { shown, stored: stdout ? JSON.parse(stdout).key : undefined, status: /ended: (\d+)/.exec(shown)?.[1] };
}

describe.skipIf(!hasTerminal)('the prompt', { concurrent: true }, () => {
  const [half, rest] = [KEY.slice(0, 12), KEY.slice(12)];
  const again: Step[] = [
    ['wait', 'Stopped'],
    ['wait', 'ready> '],
    ['type', 'fg\n'],
    ['wait', PROMPT],
    ['raw'],
    ['type', `${KEY}\r`],
  ];

  it('[74] takes a key and leaves the terminal as it was', async () => {
    expect(await atPrompt([['type', `${KEY}\r`]])).toMatchObject({ stored: KEY, status: '0' });
  });

  it.each<[string, Step]>([
    ['Ctrl-Z', ['type', '\u001a']],
    ['SIGTSTP', ['signal', 'SIGTSTP']],
    ['SIGSTOP', ['signal', 'SIGSTOP']],
  ])('[74] stopped by %s and brought back hides the key, which is typed anew', async (_, stop) => {
    const { stored } = await atPrompt([['type', half], stop, ...again]);
    expect(stored).toBe(KEY);
  });

  it.each<[string, Step, string]>([
    ['SIGQUIT', ['signal', 'SIGQUIT'], '131'],
    ['Ctrl-\\', ['type', '\u001c'], '131'],
    ['SIGALRM', ['signal', 'SIGALRM'], '142'],
    ['SIGUSR2', ['signal', 'SIGUSR2'], '140'],
    ['SIGTERM', ['signal', 'SIGTERM'], '143'],
    ['SIGHUP', ['signal', 'SIGHUP'], '129'],
    ['Ctrl-C', ['type', '\u0003'], '130'],
  ])('[74] ended by %s leaves the terminal as it was', async (_, end, status) => {
    const ended = await atPrompt([['type', `${half}${rest}`], end]);
    expect(ended).toMatchObject({ stored: undefined, status });
  });

  // A signal has no effect there unless riskcli gives it one: what is typed next would be shown.
  it.skipIf(!canUnshare())(
    '[74] ended by SIGQUIT leaves the terminal as it was, as the first process of a container',
    async () => {
      const ended = await atPrompt([['signal', 'SIGQUIT', 'child']], CONTAINER);
      expect(ended).toMatchObject({ stored: undefined, status: '131' });
    },
  );
});

describe.concurrent('a pipe that brings the key', () => {
  // onTestFinished would not know which of the tests that run at once has ended.
  const pipes: number[] = [];
  afterAll(() => {
    for (const fd of pipes) closeSync(fd);
  });

  /** A place with a FIFO that stays open: who reads from it waits. */
  function openPipe() {
    const place = workplace();
    makeFifo(place.path('pipe'));
    const fd = openSync(place.path('pipe'), 'r+');
    pipes.push(fd);
    const SHOW = ['keys', 'show', '--reveal'];
    return {
      /** riskcli, whose key comes through the pipe: as standard input, or as the file that the variable names. */
      run: {
        'standard input': (env: Record<string, string> = {}, ...args: string[]) =>
          start([...SET, ...args], { cwd: place.folder, env: { ...place.env, ...env }, stdio: [fd, 'pipe', 'pipe'] }),
        RISKCLI_API_KEY_FILE: (env: Record<string, string> = {}, ...args: string[]) =>
          start([...SHOW, ...args], {
            cwd: place.folder,
            env: { ...place.env, RISKCLI_API_KEY_FILE: place.path('pipe'), ...env },
          }),
      },
    };
  }
  const sources = ['standard input', 'RISKCLI_API_KEY_FILE'] as const;

  it.each(sources)('[74] as %s and stays silent: that is said, and has an end', async (source) => {
    const { run } = openPipe();
    const runs = [[], ['--no-input']].map((args) => run[source]({ RISKCLI_TIMEOUT: '1500ms' }, ...args).done);
    for (const { stdout, stderr, exitCode } of await Promise.all(runs)) {
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 4 });
      const [waiting, ended, ...more] = stderr.split('\n');
      expect(waiting).toContain(source);
      expect(waiting).toMatch(/^riskcli: waiting up to 1\.5s for the key from .*$/);
      expect(ended).toMatch(/^riskcli: no key arrived from .* within 1\.5s; [^;]*--timeout$/);
      expect(more).toEqual(['']);
    }
  });

  it('[74] as standard input may be given its time by the option', async () => {
    const { run } = openPipe();
    const { stderr, exitCode } = await run['standard input']({}, '--timeout', '100ms').done;
    expect({ stderr, exitCode }).toEqual({ exitCode: 4, stderr: expect.stringContaining('within 100ms; ') });
  });

  it.each(sources)('[74] as %s hears signals meanwhile', async (source) => {
    const { run } = openPipe();
    const { child, done } = run[source]();
    await new Promise((resolve) => child.stderr?.once('data', resolve));
    child.kill('SIGTERM');
    expect(await done).toMatchObject({ exitCode: 143, stdout: '' });
  });

  it('[74] that is slow is waited for, in every command that needs the key', async () => {
    await using server = await startServer(({ path }) => ({
      body: { ...PROFILE, wallet_address: path.split('/').at(-1) },
    }));
    const place = workplace({ RISKCLI_BASE_URL: server.url.href });
    const lines = [`profile ${WALLET}`, `profile ${WALLET} ${WALLET} --csv`, 'keys check', 'limits'];
    const runs = lines.map((line) => place.sh(`RISKCLI_API_KEY_FILE=<(sleep 1.5; echo '${KEY}') r ${line}`));
    for (const { stderr, exitCode } of await Promise.all(runs)) {
      expect(exitCode).toBe(0);
      expect(stderr).toMatch(/^(riskcli: waiting up to [^\n]*\n)?$/);
    }
  });
});

/**
 * The hidden prompt on a real terminal under a real shell, and what is read from pipes that are
 * slow or silent.
 */
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { RISKCLI_WORDS, start } from '../../fixtures/cli/process.ts';
import { atTerminal, hasTerminal, type Step } from '../../fixtures/cli/terminal.ts';
import { makeFifo } from '../../fixtures/place/fifo.ts';
import { workplace } from '../../fixtures/place/workplace.ts';

const RANDOM = 'q7Zt-Xk_2Lm9Rv4Bn8';
const KEY = `wrp_${RANDOM}`;
const SET = ['keys', 'set', '--base-url', 'https://api.example.com'];

const PROMPT = 'API key (hidden): ';

interface Asked {
  /** What is done at the prompt, until the shell is ready again. */
  readonly steps: readonly Step[];
  /** Stands before the command. */
  readonly starter?: string;
  /** The user's shell must not put the terminal right. */
  readonly hasShellBetween?: true;
}

/**
 * What a shell in between does: the one that the user types into puts a terminal right by itself
 * when a signal has ended what ran there. Signals reach that shell too, and must not end it; a stop
 * would reach it before riskcli.
 */
const HEARS_ALL = 'trap : INT QUIT ALRM TERM HUP USR2';
const IS_AS_IT_WAS = '[ "$before" = "$(stty -g)" ] && echo as-it-"was"';

/**
 * What stands on a terminal on which `riskcli keys set` was started several times, and something
 * done at each prompt. The terminal is found as it was each time.
 */
async function atPrompts(all: Readonly<Record<string, Asked>>) {
  const place = workplace();
  const folder = (i: number) => place.path(`config-${i}`);
  const shown = await atTerminal(place, [
    // Split so that its echo is not mistaken for the prompt.
    ['type', "PS1=rea'dy> '\n"],
    ['wait', 'ready> '],
    ...Object.values(all).flatMap(({ steps, starter = '', hasShellBetween }, i): Step[] => {
      const command = `${starter} ${RISKCLI_WORDS} ${SET.join(' ')}; echo "ended: $?"`;
      const look: Step[] = [
        ['wait', 'ready> '],
        ['type', `${IS_AS_IT_WAS}\n`],
      ];
      return [
        ['type', `before=$(stty -g); export RISKCLI_CONFIG_DIR='${folder(i)}'\n`],
        ['wait', 'ready> '],
        ['type', hasShellBetween ? `(${HEARS_ALL}; ${command}; ${IS_AS_IT_WAS})\n` : `${command}\n`],
        ['wait', PROMPT],
        ['raw'],
        ...steps,
        ...(hasShellBetween ? [] : look),
        ['wait', 'as-it-was'],
        ['wait', 'ready> '],
      ];
    }),
  ]);
  for (let i = 0; i + 6 <= RANDOM.length; i++) expect(shown).not.toContain(RANDOM.slice(i, i + 6));
  const statuses = shown.split('export RISKCLI_CONFIG_DIR').slice(1);
  const ends = Object.keys(all).map(async (name, i) => {
    const keys = join(folder(i), 'keys.json');
    const status = /ended: (\d+)/.exec(statuses[i] ?? '')?.[1];
    return [
      name,
      { stored: existsSync(keys) ? JSON.parse(readFileSync(keys, 'utf8')).keys.default.key : undefined, status },
    ] as const;
  });
  return Object.fromEntries(await Promise.all(ends));
}

describe.skipIf(!hasTerminal)('the prompt', { concurrent: true }, () => {
  const [half, rest] = [KEY.slice(0, 12), KEY.slice(12)];

  it('reads a hidden key, and restores the terminal', async () => {
    const ends = await atPrompts({ typed: { steps: [['type', `${KEY}\r`]] } });
    expect(ends.typed).toEqual({ stored: KEY, status: '0' });
  });

  it('asks for the address of the service before the key, if none is known', async () => {
    const place = workplace();
    const shown = await atTerminal(place, [
      ['type', "PS1=rea'dy> '; unset RISKCLI_BASE_URL\n"],
      ['wait', 'ready> '],
      ['type', `${RISKCLI_WORDS} keys set; echo "ended: $?"\n`],
      ['wait', 'Address of the service (https://...): '],
      ['raw'],
      ['type', 'https://api.example.com/risk/\r'],
      ['wait', PROMPT],
      ['raw'],
      ['type', `${KEY}\r`],
      ['wait', 'ended: 0'],
    ]);
    expect(shown).not.toContain(RANDOM);
    expect(JSON.parse(readFileSync(place.path('home/.config/riskcli/keys.json'), 'utf8')).keys.default).toMatchObject({
      key: KEY,
      base_url: 'https://api.example.com/risk',
    });
  });

  it('ends with exit 2, on a line of its own, if no address is typed', async () => {
    const shown = await atTerminal(workplace(), [
      ['type', "PS1=rea'dy> '; unset RISKCLI_BASE_URL\n"],
      ['wait', 'ready> '],
      ['type', `${RISKCLI_WORDS} keys set --color never; echo "ended: $?"\n`],
      ['wait', 'Address of the service (https://...): '],
      ['raw'],
      ['type', '\u0004'],
      ['wait', 'ended: 2'],
    ]);
    expect(shown).toMatch(/\nerror: no address was typed; add --base-url URL/);
  });

  it('restores the terminal when a signal ends the prompt', async () => {
    const tried: readonly (readonly [string, Step, string])[] = [
      ['SIGTERM', ['signal', 'SIGTERM'], '143'],
      ['Ctrl-C', ['type', '\u0003'], '130'],
      ['SIGHUP', ['signal', 'SIGHUP'], '129'],
    ];
    const asked = tried.map(([name, end]): [string, Asked] => [
      name,
      { steps: [['type', `${half}${rest}`], end], hasShellBetween: true },
    ]);
    expect(await atPrompts(Object.fromEntries(asked))).toEqual(
      Object.fromEntries(tried.map(([name, , status]) => [name, { stored: undefined, status }])),
    );
  });
});

describe.concurrent('a pipe that brings the key', () => {
  // onTestFinished would not know which of the tests that run at once has ended.
  const pipes: number[] = [];
  afterAll(() => {
    for (const fd of pipes) closeSync(fd);
  });

  /** riskcli, whose standard input is a FIFO that stays open: who reads from it waits. */
  function withOpenPipe(...args: string[]) {
    const place = workplace();
    makeFifo(place.path('pipe'));
    const fd = openSync(place.path('pipe'), 'r+');
    pipes.push(fd);
    return start([...SET, ...args], { cwd: place.folder, env: place.env, stdio: [fd, 'pipe', 'pipe'] });
  }

  it('reports a pipe that brings no key when --timeout is over', async () => {
    const { stdout, stderr, exitCode } = await withOpenPipe('--timeout', '1500ms').done;
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 4 });
    expect(stderr).toMatch(/^riskcli: no key arrived from standard input within 1\.5s; [^;\n]*--timeout\n$/);
  });

  it('ends by a signal while it waits for a key from a pipe', async () => {
    const { child, done } = withOpenPipe('-v');
    await new Promise((resolve) => child.stderr?.once('data', resolve));
    child.kill('SIGTERM');
    expect(await done).toMatchObject({ exitCode: 143, stdout: '' });
  });
});

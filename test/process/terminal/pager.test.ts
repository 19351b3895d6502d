/** A card that is longer than the screen, on a real terminal. */
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page } from '../../../src/host/pager.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { RISKCLI_WORDS } from '../../fixtures/cli/process.ts';
import { atTerminal, hasTerminal, type Step } from '../../fixtures/cli/terminal.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { installed } from '../../fixtures/process/installed.ts';
import { isSlow } from '../../fixtures/sweep.ts';

const WALLET = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';

// One for all: with --sandbox, each run would start its own.
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ clock: testHost(), plan: 'enterprise' });
  return () => sandbox.close();
});

interface Shown {
  readonly line: string;
  /** The text that shows that it is there; the wallet of a card when left out. */
  readonly shows?: string;
  /** What is waited for, and done meanwhile, behind the card itself. */
  readonly seen?: readonly Step[];
}

/** What one terminal of 20 rows shows of each line, in which `r` is riskcli. */
async function shows(lines: readonly Shown[]): Promise<readonly string[]> {
  const place = workplace({ RISKCLI_BASE_URL: sandbox.baseUrl, RISKCLI_API_KEY: sandbox.key });
  const at = { ...place, env: { ...place.env, TERM: 'xterm', NO_COLOR: '1' } };
  const shown = await atTerminal(at, [
    ['type', "PS1=rea'dy> '\n"],
    ['wait', 'ready> '],
    ['type', `stty rows 20 cols 80; r() { ${RISKCLI_WORDS} profile ${WALLET} "$@"; }\n`],
    ['wait', 'ready> '],
    ...lines.flatMap(({ line, shows: text = `Wallet      ${WALLET}`, seen = [] }): Step[] => [
      ['type', `${line}; echo "ended: $?"\n`],
      ['wait', text],
      ...seen,
      ['wait', 'ended: 0'],
      ['wait', 'ready> '],
    ]),
  ]);
  return shown.split('"ended: $?"').slice(1);
}

const NUMBERED = `PAGER='nl -ba -w1 -s:'`;

describe.skipIf(!hasTerminal)('a card', () => {
  it('shows a card that is longer than the screen in PAGER, and prints any other', async () => {
    const asItIs: readonly (readonly [what: string, line: string])[] = [
      ['goes into a pipe', `${NUMBERED} r | sed -n 's/^wallet_address./Wallet      /p'`],
      ['has a pager that is not there', `PAGER=no-such-pager r`],
      ['has a pager that fails at once', `PAGER=false r`],
      ['has a pager that is killed', `PAGER='kill -9 $$' r`],
      ['has a pager that no shell can read', `PAGER='less (' r`],
    ];
    // Only a shell can distinguish the other failures from a missing program.
    const tried = asItIs.slice(0, isSlow ? undefined : 2);
    const [paged, help, ...others] = await shows([
      { line: `${NUMBERED} r` },
      { line: `${NUMBERED} r --help`, shows: 'More: riskcli help lists' },
      ...tried.map(([, line]) => ({ line })),
    ]);
    expect(help).toContain('1:Usage: riskcli profile');
    expect(paged).toContain(`1:Wallet      ${WALLET}`);
    expect(paged).toContain('40:');
    expect(others).toHaveLength(tried.length);
    for (const [i, shown] of others.entries()) expect(shown, asItIs[i]?.[0]).not.toContain('1:Wallet');
  });

  it.skipIf(!installed('less'))('waits in less until the user quits', async () => {
    const seen: Step[] = [
      ['wait', '\r\n:'],
      ['type', 'G'],
      ['wait', 'END'],
      ['type', 'q'],
    ];
    const [shown] = await shows([{ line: 'unset PAGER LESS; r', seen }]);
    expect(shown?.match(/Wallet {6}0x/g)).toHaveLength(1);
  });

  it('leaves Ctrl-C to the pager of a card', async () => {
    // A signal that comes just before a shell's `read` does not end it: the shell may hear it
    // between two commands only.
    const hears = 'trap heard=1 INT; echo lis\\tening; until [ "$heard" ]; do sleep 0.01; done; echo he\\ard';
    const pager = `cat; ${hears}; read -r word < /dev/tty; echo "saw $word"`;
    const seen: Step[] = [
      ['wait', 'listening'],
      ['type', '\u0003'],
      ['wait', 'heard'],
      ['type', 'enough\n'],
    ];
    const [shown] = await shows([{ line: `PAGER='${pager}' r`, seen }]);
    expect(shown).toContain('saw enough');
  });
});

const given = async (command: string) => await page('text\n', `cat > /dev/null; ${command}`);

it('shows colours in less and lv unless the user has set other options', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('LESS', undefined);
  vi.stubEnv('LV', undefined);
  expect(await given('[ "$LESS $LV" = "FRX -c" ]')).toBe(true);
  vi.stubEnv('LESS', '-S');
  expect(await given('[ "$LESS $LV" = "-S -c" ]')).toBe(true);
});

it.each([
  ['a pager that read nothing for one that showed nothing', 'true', 0, false],
  ['a pager that quits at once for one that showed nothing', 'read -r line', 0, false],
  ['a pager that quits after a while for one that showed the card', 'read -r line', 60_000, true],
  ['a pager that read all for one that showed the card', 'cat > /dev/null', 0, true],
])('takes %s', async (_, command, ms, isSeen) => {
  // The second fits into the buffer of the socket.
  const texts = ['a line of text\n'.repeat(20_000), 'a line\nanother\n'];
  for (const text of isSlow ? texts : texts.slice(0, 1)) {
    const times = [0, ms];
    expect(await page(text, command, () => times.shift() ?? 0)).toBe(isSeen);
  }
});

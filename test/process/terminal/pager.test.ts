/** A card that is longer than the screen, on a real terminal. */
import { beforeAll, describe, expect, it } from 'vitest';
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
  readonly rows: number;
  /** What tells that it is shown; the wallet of a card when left out. */
  readonly tells?: string;
  /** What is waited for, and done meanwhile, behind the card itself. */
  readonly seen?: readonly Step[];
}

/** What one terminal shows of each line, in which `r` is riskcli, on a screen of so many rows. */
async function shows(lines: readonly Shown[]): Promise<readonly string[]> {
  const place = workplace({ RISKCLI_BASE_URL: sandbox.baseUrl, RISKCLI_API_KEY: sandbox.keys.working });
  const at = { ...place, env: { ...place.env, TERM: 'xterm', NO_COLOR: '1' } };
  const shown = await atTerminal(at, [
    ['type', "PS1=rea'dy> '\n"],
    ['wait', 'ready> '],
    ['type', `stty cols 80; r() { ${RISKCLI_WORDS} profile ${WALLET} "$@"; }\n`],
    ['wait', 'ready> '],
    ...lines.flatMap(({ line, rows, tells = `Wallet      ${WALLET}`, seen = [] }): Step[] => [
      ['type', `stty rows ${rows}\n`],
      ['wait', 'ready> '],
      ['type', `${line}; echo "ended: $?"\n`],
      ['wait', tells],
      ...seen,
      ['wait', 'ended: 0'],
      ['wait', 'ready> '],
    ]),
  ]);
  return shown.split('"ended: $?"').slice(1);
}

const NUMBERED = `PAGER='nl -ba -w1 -s:'`;

describe.skipIf(!hasTerminal)('a card', () => {
  it('that is longer than the screen goes through PAGER, whole; [91] any other is shown as it is', async () => {
    const asItIs: readonly (readonly [what: string, line: string, rows: number])[] = [
      ['fits', `${NUMBERED} r`, 500],
      ['is not to be paged', `${NUMBERED} r --no-pager`, 20],
      ['must not wait for anybody', `${NUMBERED} r --no-input`, 20],
      ['goes into a pipe', `${NUMBERED} r | sed -n 's/^wallet_address./Wallet      /p'`, 20],
      ['has no pager', `PAGER=cat r`, 20],
      ['has an empty pager', `PAGER= r`, 20],
      ['has a pager that is not there', `PAGER=no-such-pager r`, 20],
      ['has a pager that fails at once', `PAGER=false r`, 20],
      ['has a pager that is killed', `PAGER='kill -9 $$' r`, 20],
      ['has a pager that no shell can read', `PAGER='less (' r`, 20],
    ];
    // Those that fail in other ways than by not being there are told apart by nothing but a shell.
    const tried = asItIs.slice(0, isSlow ? undefined : 7);
    const lines = tried.map(([, line, rows]) => ({ line, rows }));
    const [paged, help, screen, ...others] = await shows([
      { line: `${NUMBERED} r`, rows: 20 },
      { line: `${NUMBERED} r --help`, rows: 20, tells: 'Exit codes' },
      { line: `${NUMBERED} r -h`, rows: 30, tells: 'All options' },
      ...lines,
    ]);
    expect(help).toContain('1:Usage: riskcli profile');
    expect(screen).toContain('All options: ');
    expect(screen).not.toContain('1:');
    expect(paged).toContain(`1:Wallet      ${WALLET}`);
    expect(paged).toContain('40:');
    expect(others).toHaveLength(tried.length);
    for (const [i, shown] of others.entries()) expect(shown, asItIs[i]?.[0]).not.toContain('1:Wallet');
  });

  it.skipIf(!installed('less'))('waits in less until the user has seen enough', async () => {
    const seen: Step[] = [
      ['wait', '\r\n:'],
      ['type', 'G'],
      ['wait', 'END'],
      ['type', 'q'],
    ];
    const [shown] = await shows([{ line: 'unset PAGER LESS; r', rows: 20, seen }]);
    expect(shown?.match(/Wallet {6}0x/g)).toHaveLength(1);
  });

  it('leaves Ctrl-C to the pager', async () => {
    const pager = `cat; trap "echo he\\ard" INT; echo lis\\tening; until read -r word < /dev/tty; do :; done; echo "saw $word"`;
    const seen: Step[] = [
      ['wait', 'listening'],
      ['type', '\u0003'],
      ['wait', 'heard'],
      ['type', 'enough\n'],
    ];
    const [shown] = await shows([{ line: `PAGER='${pager}' r`, rows: 20, seen }]);
    expect(shown).toContain('saw enough');
  });
});

describe('[91] a pager that ends well', () => {
  it.each([
    ['has shown nothing when it has read nothing', 'true', 0, false],
    ['has shown nothing when it has read one line, and there was no time to read more', 'read -r line', 0, false],
    ['has shown enough when there was time to see it', 'read -r line', 60_000, true],
    ['has shown all that it has read', 'cat > /dev/null', 0, true],
  ])('%s', async (_, command, ms, isSeen) => {
    // The second fits into the buffer of the socket.
    const texts = ['a line of text\n'.repeat(20_000), 'a line\nanother\n'];
    for (const text of isSlow || ms === 0 ? texts : texts.slice(0, 1)) {
      const times = [0, ms];
      expect(await page(text, command, () => times.shift() ?? 0)).toBe(isSeen);
    }
  });
});

/** A card that is longer than the screen, on a real terminal. */
import { beforeAll, describe, expect, it } from 'vitest';
import { page } from '../../../src/host/pager.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { RISKCLI_WORDS } from '../../fixtures/cli/process.ts';
import { atTerminal, hasTerminal, type Step } from '../../fixtures/cli/terminal.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { installed } from '../../fixtures/process/installed.ts';

const WALLET = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';

// One for all: with --sandbox, each run would start its own.
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ clock: testHost(), plan: 'enterprise' });
  return () => sandbox.close();
});

/** What the terminal shows of `line`, in which `r` is riskcli, on a screen of so many rows; `seen` is waited for. */
async function shows(line: string, { rows, seen }: { rows: number; seen: readonly Step[] }): Promise<string> {
  const place = workplace({ RISKCLI_BASE_URL: sandbox.baseUrl, RISKCLI_API_KEY: sandbox.keys.working });
  const at = { ...place, env: { ...place.env, TERM: 'xterm', NO_COLOR: '1' } };
  const shown = await atTerminal(at, [
    ['type', "PS1=rea'dy> '\n"],
    ['wait', 'ready> '],
    ['type', `stty rows ${rows} cols 80; r() { ${RISKCLI_WORDS} profile ${WALLET} "$@"; }\n`],
    ['wait', 'ready> '],
    ['type', `${line}; echo "ended: $?"\n`],
    ...seen,
    ['wait', 'ended: 0'],
  ]);
  return shown.slice(shown.lastIndexOf('"ended: $?"'));
}

const NUMBERED = `PAGER='nl -ba -w1 -s:'`;
const CARD: Step[] = [['wait', `Wallet      ${WALLET}`]];

describe.skipIf(!hasTerminal)('a card', { concurrent: true }, () => {
  it('that is longer than the screen goes through PAGER, whole', async () => {
    const shown = await shows(`${NUMBERED} r`, { rows: 20, seen: CARD });
    expect(shown).toContain(`1:Wallet      ${WALLET}`);
    expect(shown).toContain('40:');
  });

  it.each([
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
  ])('[91] that %s is shown as it is', async (_, line, rows) => {
    const shown = await shows(line, { rows, seen: CARD });
    expect(shown).not.toContain('1:Wallet');
  });

  it.skipIf(!installed('less'))('waits in less until the user has seen enough', async () => {
    const seen: Step[] = [...CARD, ['wait', '\r\n:'], ['type', 'G'], ['wait', 'END'], ['type', 'q']];
    const shown = await shows('unset PAGER LESS; r', { rows: 20, seen });
    expect(shown.match(/Wallet {6}0x/g)).toHaveLength(1);
  });

  it('leaves Ctrl-C to the pager', async () => {
    const pager = `cat; trap "echo he\\ard" INT; echo lis\\tening; until read -r word < /dev/tty; do :; done; echo "saw $word"`;
    const seen: Step[] = [...CARD, ['wait', 'listening'], ['type', '\u0003'], ['wait', 'heard'], ['type', 'enough\n']];
    const shown = await shows(`PAGER='${pager}' r`, { rows: 20, seen });
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
    for (const text of ['a line of text\n'.repeat(20_000), 'a line\nanother\n']) {
      const times = [0, ms];
      expect(await page(text, command, () => times.shift() ?? 0)).toBe(isSeen);
    }
  });
});

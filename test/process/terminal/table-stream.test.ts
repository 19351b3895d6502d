/** The rows of a stream on a real terminal, beside the progress line. */
import { expect, it } from 'vitest';
import { RISKCLI_WORDS } from '../../fixtures/cli/process.ts';
import { atTerminal, hasTerminal } from '../../fixtures/cli/terminal.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';

it.skipIf(!hasTerminal)('shows the row of a stream when it is answered, never on the progress line', async () => {
  const place = workplace();
  const list = `(echo ${address(1)}; read -r word < /dev/tty; echo ${address(2)})`;
  const shown = await atTerminal({ ...place, env: { ...place.env, TERM: 'xterm', NO_COLOR: '1' } }, [
    ['type', "PS1=rea'dy> '\n"],
    ['wait', 'ready> '],
    ['type', `stty rows 40 cols 100; ${list} | ${RISKCLI_WORDS} profile --sandbox -; echo "ended: $?"\n`],
    ['wait', 'WALLET '],
    ['wait', `${address(1)}  `],
    ['wait', '1 row'],
    ['type', 'more\n'],
    ['wait', `${address(2)}  `],
    ['wait', 'ended: 0'],
  ]);
  const lines = shown.split('\r\n').map((line) => line.split('\u001b[K').at(-1));
  expect(lines.filter((line) => line?.startsWith('0x') || line?.startsWith('WALLET'))).toEqual([
    expect.stringMatching(/^WALLET {38}STATUS {8}COLLATERAL {2}SCORE$/),
    expect.stringMatching(new RegExp(`^${address(1)}  \\w+ +\\$\\S+ +\\S+$`)),
    expect.stringMatching(new RegExp(`^${address(2)}  \\w+ +\\$\\S+ +\\S+$`)),
  ]);
});

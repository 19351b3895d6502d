/** The progress line on a real terminal, when the list is stopped. */
import { expect, it } from 'vitest';
import { RISKCLI_WORDS } from '../../fixtures/cli/process.ts';
import { atTerminal, hasTerminal } from '../../fixtures/cli/terminal.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { KEY } from '../../fixtures/service/client.ts';
import { startSlowService } from '../../fixtures/service/slow-service.ts';

it.skipIf(!hasTerminal)(
  'shows the awaited answers after Ctrl-C, and erases the progress after a second one',
  async () => {
    await using service = await startSlowService({ latency: (nth) => (nth === 1 ? 0 : undefined) });
    const place = workplace({ RISKCLI_BASE_URL: service.url, RISKCLI_API_KEY: KEY });
    place.write('list.txt', `${addresses(4).join('\n')}\n`);
    const shown = await atTerminal({ ...place, env: { ...place.env, TERM: 'xterm', NO_COLOR: '1' } }, [
      ['type', "stty rows 40 cols 100; PS1=rea'dy> '\n"],
      ['wait', 'ready> '],
      ['type', `${RISKCLI_WORDS} profile -f list.txt -o out.csv\n`],
      ['wait', 'in flight 3'],
      ['signal', 'SIGINT'],
      ['wait', 'waiting for 3 answers'],
      ['signal', 'SIGINT'],
      ['wait', 'ready> '],
    ]);
    // The line may be redrawn between the two signals.
    const [line, ...redrawn] = shown.split('waiting for 3 answers');
    expect(line).not.toMatch(/ left[^\r]*$/);
    expect(redrawn.at(-1)).toMatch(/^ {2}25%\u001b\[K\r\u001b\[K/);
  },
);

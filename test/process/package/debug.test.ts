/** What a user sends along with a report of a fault. */
import { expect, it } from 'vitest';
import { start } from '../../fixtures/cli/process.ts';
import { ABSENT } from '../../fixtures/place/folder.ts';

it('a stack of --debug has the names that the source has', async () => {
  const { stderr } = await start(['health', '--sandbox', '-o', `${ABSENT}/h.json`, '--debug']).done;
  // Where two functions have one name, the second has a number behind it.
  for (const name of ['checkTarget', 'checkHealth', 'runLine'])
    expect(stderr).toMatch(new RegExp(`at async ${name}\\d* \\(`));
});

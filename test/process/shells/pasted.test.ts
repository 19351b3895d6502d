/**
 * Commands that riskcli prints, pasted into a shell: a name in them runs nothing, and is the one
 * that was meant.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { addresses } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';

const NAMES = [
  "l'$(touch PWNED)'.csv",
  '`touch PWNED`;touch PWNED #.csv',
  'a "b" $HOME & touch PWNED | touch PWNED.csv',
  "'\\''$(touch PWNED)'\\''",
];
/** Its escape is not the name, but it is harmless. */
const NEWLINE = 'l\n$(touch PWNED)\n';

/** The texts of a page, as a browser has them. */
const textsOf = (node: DefaultTreeAdapterTypes.Node): readonly string[] =>
  'value' in node ? [node.value] : 'childNodes' in node ? node.childNodes.flatMap(textsOf) : [];

describe.each([...NAMES, NEWLINE])('with the name %j', (name) => {
  async function stage() {
    const place = workplace();
    place.write(name, `${addresses(3).join('\n')}\n`);
    const pasted = async (command: string | undefined) => {
      const ended = await place.sh(String(command));
      expect(existsSync(place.path('PWNED'))).toBe(false);
      return ended;
    };
    return { ...place, pasted };
  }

  it('shows the command line of a page so that it is safe to paste', async () => {
    const { cli, path, pasted } = await stage();
    await cli(['profile', '--sandbox', '-f', name, '-o', `${name}.jsonl`]);
    const args = ['report', `${name}.jsonl`, '-o', 'page.html'];
    expect(await cli(args)).toMatchObject({ exitCode: 0 });
    const page = parse(readFileSync(path('page.html'), 'utf8'));
    rmSync(path('page.html'));
    const ended = await pasted(
      textsOf(page)
        .find((text) => text.startsWith('riskcli report '))
        ?.replace('riskcli', 'r'),
    );
    if (name !== NEWLINE) expect([ended.exitCode, existsSync(path('page.html'))]).toEqual([0, true]);
  });

  it('prints a chmod command that is safe to paste for any folder name', async () => {
    const { cli, path, pasted } = await stage();
    const folder = `${name}.d`;
    mkdirSync(path(folder));
    chmodSync(path(folder), 0o777);
    const args = ['profile', '--sandbox', '-f', name, '--journal', `${folder}/j`, '--csv'];
    const refused = await cli(args, { as: { uid: process.getuid?.() } });
    const [, command] = /run (chmod o-w .*); where its mode/.exec(refused.stderr) ?? [];
    await pasted(command);
    if (name !== NEWLINE) expect(await cli(args, { as: { uid: process.getuid?.() } })).toMatchObject({ exitCode: 0 });
  });
});

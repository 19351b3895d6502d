/** The manual pages, as a man program reads them. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { GLOBAL_FLAGS } from '../../../src/cli/global-flags.ts';
import { VARIABLES } from '../../../src/cli/variables.ts';
import { commands, loadCommand } from '../../../src/commands/index.ts';
import { ExitCode } from '../../../src/errors.ts';
import { topics } from '../../../src/program/topics/index.ts';
import { installed } from '../../fixtures/process/installed.ts';

const folder = fileURLToPath(new URL('../../../dist/man/', import.meta.url));
const mandoc = (...args: string[]) => spawnSync('mandoc', args, { cwd: folder, encoding: 'utf8' });
const PAGES = [
  'riskcli.1',
  ...commands.map(({ name }) => `riskcli-${name}.1`),
  ...topics.map(({ name }) => `riskcli-${name}.7`),
];

describe.skipIf(!installed('mandoc'))('the manual pages (mandoc)', () => {
  let texts: readonly string[];
  beforeAll(() => {
    const shown = mandoc('-T', 'utf8', '-O', 'width=200', ...PAGES).stdout.replace(/.\u0008/g, '');
    // The title stands at both ends of the first line of a page.
    texts = shown.split(/^(?=(RISKCLI\S*\([17]\)) .* \1$)/m).filter((text) => text.includes('\n'));
  });
  const readPage = (name: string) => texts[PAGES.indexOf(name)] ?? '';

  it('are there for riskcli, for each command and for each topic, and clean', () => {
    expect(readdirSync(folder).sort()).toEqual([...PAGES].sort());
    expect(texts.map((text) => text.slice(0, text.indexOf('(')).toLowerCase())).toEqual(
      PAGES.map((page) => page.replace(/\.\d$/, '')),
    );
    expect(mandoc('-T', 'lint', '-W', 'warning', ...PAGES)).toMatchObject({ stdout: '', stderr: '', status: 0 });
  });

  it('name each command, variable and exit code in riskcli(1)', () => {
    const text = readPage('riskcli.1');
    for (const { name, summary } of commands) expect(text).toMatch(new RegExp(`riskcli-${name}\\(1\\)\\s+${summary}`));
    for (const { name } of VARIABLES) expect(text).toMatch(new RegExp(`^ +${name}$`, 'm'));
    for (const code of Object.values(ExitCode)) expect(text).toMatch(new RegExp(`^ +${code}(\\s|$)`, 'm'));
  });

  it.each(commands)('say in riskcli-$name(1) what its help says', async (entry) => {
    const command = await loadCommand(entry);
    const text = readPage(`riskcli-${entry.name}.1`);
    for (const part of [command, ...(command.subcommands ?? [])]) {
      for (const { long, help } of [...(part.flags ?? []), ...GLOBAL_FLAGS]) {
        expect(text).toContain(`--${long}`);
        expect(text.replaceAll(/\s+/g, ' ')).toContain(help.replaceAll(/\s+/g, ' '));
      }
      for (const { line } of part.examples ?? []) expect(text).toContain(line);
    }
  });

  it.each(topics)('say in riskcli-$name(7) what riskcli help $name says', async ({ name, load }) => {
    const text = readPage(`riskcli-${name}.7`).replaceAll(/\s+/g, ' ');
    const { blocks } = await load();
    for (const block of blocks.slice(1)) {
      const parts = block.kind === 'list' ? block.items : 'text' in block ? [block.text] : [];
      for (const part of parts) expect(text).toContain(part.replaceAll(/\s+/g, ' '));
    }
  });
});

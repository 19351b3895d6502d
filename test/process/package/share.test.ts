/**
 * The files of share/, judged by the programs that they are for. A program that is not installed is
 * skipped by name.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { loadCommand } from '../../../src/cli/command.ts';
import { commands } from '../../../src/commands/index.ts';
import { ExitCode } from '../../../src/errors.ts';
import { BINARY, quoted, runLine } from '../../fixtures/cli/process.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { installed } from '../../fixtures/process/installed.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The exit code of `program`, and all that it printed. */
async function run(program: string, ...args: string[]) {
  const { stdout, stderr, exitCode } = await runLine([program, ...args].map(quoted).join(' '));
  return { exitCode, output: stdout + stderr };
}

it('retries the unit of a list after exit 5 only, and counts a finished list as a success', () => {
  const unit = read('share/systemd/riskcli-list@.service');
  const codes = (name: string) =>
    (new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '').split(' ').map(Number).filter(Boolean);
  const [success, prevented] = [codes('SuccessExitStatus'), codes('RestartPreventExitStatus')];
  expect(success).toEqual([ExitCode.rows, ExitCode.terminated]);
  const { ok, temporary } = ExitCode;
  expect([ok, temporary, ...success, ...prevented].sort()).toEqual(Object.values(ExitCode).sort());
});

it.each([
  ['profile', 'share/systemd/riskcli-list@.service', /(?<=^ExecStart=.*)--[a-z-]+/gm],
  ['review', 'share/systemd/riskcli-review@.service', /(?<=^ExecStart=.*)--[a-z-]+/gm],
  ['health', 'share/icinga/riskcli.conf', /(?<=")--[a-z-]+(?=" ?=)/g],
])('offers for %s the options that %s uses', async (name, file, options) => {
  const used = read(file).match(options) ?? [];
  expect(used.length).toBeGreaterThan(0);
  const { flags = [] } = await loadCommand(commands.find((command) => command.name === name)!);
  expect(flags.map(({ long }) => `--${long}`)).toEqual(expect.arrayContaining(used));
});

it.skipIf(!installed('systemd-analyze'))('has units that systemd-analyze accepts', async () => {
  const folder = temporaryFolder();
  const place = (name: string, text: string) => {
    const path = join(folder, name);
    // systemd-analyze looks whether the program is there.
    writeFileSync(path, text.replaceAll('/usr/bin/riskcli', BINARY));
    return path;
  };
  const names = ['list@.service', 'list@.timer', 'review@.service', 'review@.timer'].map((name) => `riskcli-${name}`);
  const units = names.map((name) => place(name, read(`share/systemd/${name}`)));
  const pages = ['docs/recipes.md', 'docs/monitoring.md'].map(read).join('');
  const blocks = [...pages.matchAll(/```ini\n(.*?)```/gs)].map(([, block = '']) => block);
  expect(blocks).toHaveLength(2);
  // A block that does not start riskcli is a drop-in.
  const review = read('share/systemd/riskcli-review@.service');
  const shown = blocks.map((block, i) =>
    place(`unit${i}@.service`, block.includes('ExecStart=') ? block : `${review}\n${block}`),
  );
  expect(await run('systemd-analyze', 'verify', ...units, ...shown)).toEqual({ output: '', exitCode: 0 });
});

it.skipIf(!installed('promtool'))('has alerts that promtool accepts', async () => {
  expect(await run('promtool', 'check', 'rules', join(ROOT, 'share/prometheus/riskcli.rules.yml'))).toMatchObject({
    exitCode: 0,
    output: expect.stringContaining('SUCCESS'),
  });
});

/** What a form of a command cannot honour is refused, and never ignored in silence. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FILE, type Flag } from '../../../src/cli/flag.ts';
import { requiredArguments, runnableCommands } from '../../fixtures/cli/commands.ts';
import { cli } from '../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

const WALLET = `0x${'1'.repeat(40)}`;
const ONE = `profile ${WALLET}`;
const TWO = `${ONE} 0x${'2'.repeat(40)}`;
const LEAVE_OUT = 'leave one of them out';
const ADD_LIST = 'give the wallet as a list: echo 0x... | riskcli profile -';
const ADD_FILE = 'read the list with -f FILE, or with - from standard input';

it.each([
  ['profile -f a --json --csv', '--json cannot be used with --csv', LEAVE_OUT],
  ['profile -f a --format csv --jsonl', '--jsonl cannot be used with --format', LEAVE_OUT],
  ['health --sandbox --base-url https://a.example', '--base-url cannot be used with --sandbox', LEAVE_OUT],
  ['keys set --timeout 3s --command pass', '--timeout cannot be used with --command', LEAVE_OUT],
  ['policy excuse p w --remove --reason x', '--reason cannot be used with --remove', LEAVE_OUT],
  ['policy excuse p w --remove --until 2030-01-01', '--until cannot be used with --remove', LEAVE_OUT],
  ['keys set --max-wait 3s', '--max-wait only works with --check', 'add --check, or leave it out'],
  ['review a --as-of 2026-10-01 --dry-run', '--as-of cannot be used with --dry-run', LEAVE_OUT],
  ['diff a b --accept added', '--accept only works with --fail-if', 'add --fail-if, or leave it out'],
  [`${ONE} --where a==1`, '--where only works with a list', ADD_LIST],
  [`${ONE} --sort a`, '--sort only works with a list', ADD_LIST],
  [`${ONE} --top 3`, '--top only works with a list', ADD_LIST],
  [`${ONE} --journal a`, '--journal only works with a list', ADD_LIST],
  [`${ONE} --max-age 3d --dry-run`, '--max-age only works with a list', ADD_LIST],
  [`${ONE} --column a`, '--column only works with a list that is read', ADD_FILE],
  [`${TWO} --column a`, '--column only works with a list that is read', ADD_FILE],
  [`${TWO} --sheet a`, '--sheet only works with a list that is read', ADD_FILE],
])('refuses a flag that the form cannot honour: %s', async (line, message, hint) => {
  const { stderr, ...outcome } = await cli(line.split(' '));
  expect(outcome).toEqual({ stdout: '', exitCode: 2 });
  for (const said of [message, hint]) expect(stderr).toContain(said);
});

it('prints the refusal of a flag as the line of a monitoring plugin', async () => {
  const words = ['health', '--format', 'nagios', '--sandbox', '--base-url', 'https://api.example.com'];
  const { stdout, exitCode } = await cli(words);
  expect({ stdout, exitCode }).toEqual({ stdout: expect.stringMatching(/^RISKCLI UNKNOWN - /), exitCode: 3 });
});

const isName = ({ long, completes, repeatable }: Flag) =>
  (completes === FILE && !repeatable) || ['column', 'label', 'sheet'].includes(long);
const named = runnableCommands.flatMap((one) =>
  (one.command.flags ?? []).filter(isName).map((flag) => ({ ...one, flag })),
);

it.each(named)('refuses the second --$flag.long of $name', async (one) => {
  const long = `--${one.flag.long}`;
  const stderr = expect.stringContaining(`${long} was given twice; `);
  const outcome = await cli([...one.words, ...requiredArguments(one), long, 'a', long, 'b']);
  expect(outcome).toMatchObject({ stderr, exitCode: 2 });
});

it('writes no file if --output is given twice, however it is spelled', async () => {
  const folder = temporaryFolder();
  const at = (file: string) => join(folder, file);
  writeFileSync(at('a.csv'), `${WALLET}\n`);
  for (const second of [['--output', at('y.jsonl')], [`-o${at('y.jsonl')}`], ['-o', at('x.csv')], ['-o', '-']]) {
    const { stdout, stderr, exitCode } = await cli(['report', at('a.csv'), '-o', at('x.csv'), ...second]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toMatch(/--output was given twice.*name one file, and run the command again for the other/);
  }
  expect(readdirSync(folder)).toEqual(['a.csv']);
});

/** Two readers of a command line must not differ: what the plain one makes of a line, commander makes of it too. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Command } from '../../../src/cli/command.ts';
import type { Flag } from '../../../src/cli/flag.ts';
import { GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG } from '../../../src/cli/global-flags.ts';
import { commands, loadCommand } from '../../../src/commands/index.ts';
import { readAnyLine } from '../../../src/program/any-line.ts';
import { type CommandLine, readPlainLine } from '../../../src/program/command-line.ts';
import { fc, tries } from '../../fixtures/properties.ts';

const table = { version: '1.2.3', commands };

/** Each command that can be typed: the words that name it, and its flags. */
let forms: readonly { readonly path: readonly string[]; readonly command: Command }[] = [];

beforeAll(async () => {
  const groups = await Promise.all(commands.map(loadCommand));
  forms = groups.flatMap((group) => [
    { path: [group.name], command: group },
    ...(group.subcommands ?? []).map((command) => ({ path: [group.name, command.name], command })),
  ]);
});

const flagsOf = ({ flags = [] }: Command) => [...GLOBAL_FLAGS, ...flags];

/** What a reader says was typed, by name. */
function told({ command, typed, leftOver, text }: CommandLine) {
  const flags = command ? flagsOf(command).flatMap(({ long }) => [long, long.replace(/^no-/, '')]) : [];
  const given = flags.flatMap((long) => {
    const words = typed.words(long);
    // commander also adds a switch --x for --no-x, which is not used.
    return words && !(words.length === 0 && flags.includes(`no-${long}`)) ? [[long, words]] : [];
  });
  return { command: command?.name, args: typed.args, given, leftOver, text: text ?? '' };
}

const VALUES = ['x', '0', '', '-', 'a=b', '--', '-1', '-q', '--json', 'auto', 'json', 'csv', 'out.csv', 'help', 'show'];

/** Ways to type a flag, right and wrong. */
const spellings = ({ long, short = 'q', choices = [] }: Flag, value: string): readonly (readonly string[])[] => [
  [`--${long}`],
  [`--${long}`, choices[0] ?? value],
  [`--${long}`, value],
  [`--${long}=${choices[0] ?? value}`],
  [`-${short}`, choices[0] ?? value],
  [`-${short}${value}`],
  [`-${short}`],
];

/** A line for one of the commands, of arguments and flags of it in any order. */
const someLine = fc
  .record({
    form: fc.nat(),
    words: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom(...VALUES)), { maxLength: 4 }),
  })
  .map(({ form, words }) => {
    const { path, command } = forms[form % forms.length] ?? { path: [], command: undefined };
    const flags = command ? [...flagsOf(command), HELP_FLAG, VERSION_FLAG] : [];
    const typed = words.flatMap(([which, way, value]) => {
      const flag = flags[which % (2 * flags.length)];
      const ways = flag ? spellings(flag, value) : [[value]];
      return ways[way % ways.length] ?? [];
    });
    return [...path, ...typed];
  });

describe('a plain line', () => {
  it('is read the same by commander and by the plain reader', async () => {
    let plain = 0;
    await fc.assert(
      fc.asyncProperty(someLine, async (argv) => {
        const line = await readPlainLine(argv, table);
        if (!line) return;
        plain++;
        const any = await readAnyLine(argv, table);
        expect(any.error).toBeUndefined();
        expect(told(line)).toEqual(told(any));
      }),
      { numRuns: tries(600) },
    );
    expect(plain).toBeGreaterThan(60);
  });

  it.each([
    ['profile 0xabc --json'],
    ['profile -f list.csv --column holder -o scored.csv'],
    ['profile - --jsonl --fail-if score<400'],
    ['health --json --timeout=5s'],
    ['keys show -e prod'],
    ['--version'],
  ])('%s is one', async (line) => {
    const argv = line.split(' ');
    expect(told((await readPlainLine(argv, table)) ?? (await readAnyLine([], table)))).toEqual(
      told(await readAnyLine(argv, table)),
    );
    expect(await readPlainLine(argv, table)).toBeDefined();
  });

  it('prints the same --help as with commander', async () => {
    const { text } = await readAnyLine(['--help'], table);
    expect(await readPlainLine(['--help'], table)).toMatchObject({ text });
  });

  it.each([
    ['nothing', ''],
    ['help', 'profile --help'],
    ['no command', '--json'],
    ['a command behind a flag', '--quiet health'],
    ['an unknown command', 'profiles 0xabc'],
    ['a group alone', 'keys'],
    ['an unknown subcommand', 'keys shows'],
    ['an unknown flag', 'profile 0xabc --jsn'],
    ['flags in one word', 'health -qv'],
    ['a value in the same word', 'profile -flist.csv'],
    ['a value of a switch', 'profile 0xabc --json=yes'],
    ['a value that is a flag', 'profile -f --json'],
    ['no value', 'profile -f'],
    ['the end of flags', 'profile -- 0xabc'],
    ['a choice that there is not', 'profile 0xabc --format xml'],
    ['too many arguments', 'health now'],
    ['two flags that exclude each other', 'profile 0xabc --sandbox --base-url https://a.example'],
    ['a flag that is given twice and must not be', 'health -o a.prom -o b.prom'],
  ])('is not one of %s', async (_, line) => {
    expect(await readPlainLine(line.split(' ').filter(Boolean), table)).toBeUndefined();
  });
});

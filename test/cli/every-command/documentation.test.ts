/** The pages of docs/ mention everything that there is; a message names what is missing. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { GLOBAL_FLAGS } from '../../../src/cli/command.ts';
import type { Flag } from '../../../src/cli/flag.ts';
import { pageAbout } from '../../../src/cli/topics.ts';
import { ERROR_CODES, type ErrorKind } from '../../../src/error-codes.ts';
import { ExitCode, PRECEDENCE } from '../../../src/errors.ts';
import { FORMAT_NAMES } from '../../../src/row/formats.ts';
import { VARIABLES } from '../../../src/settings/table.ts';
import { flagsOfCommand, runnableCommands } from '../../fixtures/cli/commands.ts';

const ROOT = new URL('../../../', import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const joined = (path: string) => textOf(path).replaceAll(/\s+/g, ' ');
const sentence = (text = '') => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;

it('has each exit code and error code on its page, as riskcli help CODE prints it', () => {
  const exits = Object.values(ExitCode).map((code) => {
    const [meaning, next] = pageAbout(String(code))?.trimEnd().split('\n') ?? [];
    return `- \`${code}\`: ${sentence(meaning?.replace(/^exit \d+: /, ''))} ${sentence(next)}`;
  });
  const kinds = Object.entries<ErrorKind>(ERROR_CODES).flatMap(([code, { exits, means, next, run }]) => [
    `| \`${code}\` | ${exits.join(', ') || 'rows only'} |${run ? ` \`${run}\`` : ''} |`,
    `- \`${code}\`: ${sentence(means)} ${sentence(next)}`,
  ]);
  const page = joined('docs/errors.md');
  expect([...exits, ...kinds].filter((line) => !page.includes(line))).toEqual([]);
  const rows = page.match(/\| `\w+` \|/g) ?? [];
  expect(rows.length, 'rows of the table of error codes').toBe(Object.keys(ERROR_CODES).length);
  expect(page).toContain(`counts: ${PRECEDENCE.filter((code) => code !== ExitCode.ok).join(', ')}.`);
});

it('has each option of each command, and each format', () => {
  const pages = ['README.md', ...readdirSync(new URL('docs/', ROOT)).map((name) => `docs/${name}`)];
  const text = pages.map(textOf).join('\n');
  const isThere = ({ long, short = long }: Flag) =>
    new RegExp(` (?:--${long}|-${short})(?![\\w-])|\`--${long}\\b`).test(text);
  const missing = runnableCommands.flatMap((command) =>
    flagsOfCommand(command)
      .filter((flag) => !isThere(flag))
      .map(({ long }) => `${command.name} --${long}`),
  );
  expect(missing).toEqual([]);
  expect(FORMAT_NAMES.filter((name) => !new RegExp(`(?<!\\w)${name}(?!\\w)`).test(text))).toEqual([]);
});

it('has each variable, and each option of every command, on the page about settings', () => {
  const page = textOf('docs/settings.md');
  expect(VARIABLES.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  const options = GLOBAL_FLAGS.filter(({ long }) => !new RegExp(`^- \`(-., )?--${long}\\b`, 'm').test(page));
  expect(options.map(({ long }) => `--${long}`)).toEqual([]);
});

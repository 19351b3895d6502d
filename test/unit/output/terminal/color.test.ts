import { expect, it } from 'vitest';
import { colorLevel } from '../../../../src/output/terminal/color.ts';

const TTY = { isTTY: true };
const PIPE = { isTTY: false };

it.each([
  ['a terminal', TTY, undefined, { TERM: 'xterm' }, 1],
  ['a terminal of 256 colours', TTY, undefined, { TERM: 'xterm-256color' }, 2],
  ['a terminal of all colours', TTY, undefined, { TERM: 'xterm', COLORTERM: 'truecolor' }, 3],
  ['a pipe', PIPE, undefined, { TERM: 'xterm-256color' }, 0],
  ['TERM=dumb', TTY, undefined, { TERM: 'dumb', COLORTERM: 'truecolor' }, 0],
  ['NO_COLOR', TTY, undefined, { NO_COLOR: '1' }, 0],
  ['an empty NO_COLOR', TTY, undefined, { NO_COLOR: '' }, 1],
  ['NO_COLOR over FORCE_COLOR', TTY, undefined, { NO_COLOR: '1', FORCE_COLOR: '3' }, 0],
  ['FORCE_COLOR on a pipe', PIPE, undefined, { FORCE_COLOR: '1' }, 1],
  ['FORCE_COLOR=3 on a pipe', PIPE, undefined, { FORCE_COLOR: '3' }, 3],
  ['FORCE_COLOR over TERM=dumb', PIPE, undefined, { FORCE_COLOR: '1', TERM: 'dumb' }, 1],
  ['FORCE_COLOR=0', TTY, undefined, { FORCE_COLOR: '0' }, 0],
  ['a blank FORCE_COLOR', PIPE, undefined, { FORCE_COLOR: '' }, 0],
  ['--color never over FORCE_COLOR', TTY, 'never', { FORCE_COLOR: '3' }, 0],
  ['--color always over NO_COLOR and a pipe', PIPE, 'always', { NO_COLOR: '1' }, 1],
  ['--color auto', PIPE, 'auto', {}, 0],
] as const)('chooses the colours of output by %s', (_, stream, flag, env, level) => {
  expect(colorLevel(stream, { flag, env })).toBe(level);
});

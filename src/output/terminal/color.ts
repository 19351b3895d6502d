/**
 * Whether a stream is coloured, and with how many colours. Decided for each stream separately:
 * chalk looks at one stream only, ignores NO_COLOR, and has other rules for FORCE_COLOR.
 */
import type { Environment, OutputStream } from '../../context.ts';

/** None, 16 colours, 256 colours, all colours: chalk's levels. */
export type ColorLevel = 0 | 1 | 2 | 3;

export const COLOR_CHOICES = ['auto', 'always', 'never'] as const;
export type ColorChoice = (typeof COLOR_CHOICES)[number];

export interface ColorOptions {
  readonly flag?: ColorChoice | undefined;
  readonly env: Environment;
}

/**
 * The level for `stream`: the flag, then NO_COLOR (no-color.org), then FORCE_COLOR, then what the
 * terminal can do.
 */
export function colorLevel(stream: Pick<OutputStream, 'isTTY'>, { flag, env }: ColorOptions): ColorLevel {
  if (flag === 'never') return 0;
  if (flag === 'always') return Math.max(1, depthOf(env)) as ColorLevel;
  if (env.NO_COLOR) return 0;
  if (env.FORCE_COLOR) return forced(env.FORCE_COLOR, env);
  return stream.isTTY ? depthOf(env) : 0;
}

function forced(value: string, env: Environment): ColorLevel {
  if (value === '0' || value === 'false') return 0;
  if (value === '2' || value === '3') return value === '2' ? 2 : 3;
  return Math.max(1, depthOf(env)) as ColorLevel;
}

function depthOf(env: Environment): ColorLevel {
  if (env.TERM === 'dumb') return 0;
  if (env.COLORTERM === 'truecolor' || env.COLORTERM === '24bit') return 3;
  return /-256(color)?$/.test(env.TERM ?? '') ? 2 : 1;
}

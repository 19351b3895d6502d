/**
 * The sources of a value, in order: command line, variable, stored setting of the environment,
 * default.
 */

import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';
import { baseUrlText } from './base-url.ts';
import type { JsonObject, StoredKey } from './files.ts';
import {
  type DefaultedName,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingValue,
  type TypedSettings,
} from './table.ts';

export interface Sourced<T> {
  readonly value: T;
  /** `--timeout`, `RISKCLI_TIMEOUT`, `config.json (prod)`, `keys.json (prod)` or `default`. */
  readonly source: string;
}

export interface Sources {
  readonly typed: TypedSettings;
  readonly isSandbox: boolean;
  readonly context: Context;
  readonly environment: Sourced<string>;
  /**
   * Whether -e was typed: then base URL and key are that environment's, whatever the variables say.
   */
  readonly pinned: boolean;
  readonly storedSettings: () => JsonObject;
  readonly storedKey: () => StoredKey | undefined;
}

/** Blank counts as unset everywhere. */
export const present = (text: string | undefined) => (text?.trim() ? text : undefined);

function findText(sources: Sources, name: SettingName): Sourced<string> | undefined {
  const { typed, context, environment, pinned } = sources;
  const { variable, fallback }: Setting = SETTINGS[name];
  const typedText = present(typed[name as keyof TypedSettings]);
  if (typedText) return { value: typedText, source: `--${name}` };
  const isPassedOver = pinned && name === 'base-url';
  const set = isPassedOver ? undefined : present(context.env[variable]);
  if (set) return { value: set, source: variable };
  const source = `config.json (${environment.value})`;
  const stored = storedText(sources.storedSettings()[name], `${name} in ${source}`);
  if (stored) return { value: stored, source };
  const forKey = name === 'base-url' ? present(sources.storedKey()?.baseUrl) : undefined;
  if (forKey) return { value: forKey, source: `keys.json (${environment.value})` };
  return fallback === undefined ? undefined : { value: fallback, source: 'default' };
}

/** Config management may write 30 for "30". */
function storedText(value: unknown, what: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' || typeof value === 'number') return present(String(value));
  throw new UsageError(`${what} is neither text nor a number`, { hint: 'store it again with riskcli config set' });
}

export function find<N extends SettingName>(sources: Sources, name: N): Sourced<SettingValue<N>> | undefined {
  const text = findText(sources, name);
  if (!text) return undefined;
  const what =
    text.source.startsWith('--') || text.source.startsWith('RISKCLI_') ? text.source : `${name} in ${text.source}`;
  return { value: SETTINGS[name].parse(text.value, what) as SettingValue<N>, source: text.source };
}

/** The value of a setting; undefined where it is not set and has no default. */
export const read = <N extends SettingName>(sources: Sources, name: N) =>
  (find(sources, name) ?? { value: undefined, source: 'default' }) as Sourced<
    SettingValue<N> | (N extends DefaultedName ? never : undefined)
  >;

export function checkedText(sources: Sources, name: SettingName): Sourced<string> | undefined {
  find(sources, name);
  return findText(sources, name);
}

/** @param hint what to do if none is known */
export function baseUrl(sources: Sources, hint = waysToAnAddress(sources)): Sourced<URL> {
  const { environment, pinned, context, isSandbox } = sources;
  const found = find(sources, 'base-url');
  if (found) {
    if (!isSandbox) context.report.setContext({ url: baseUrlText(found.value) });
    return found;
  }
  const passedOver = pinned && present(context.env.RISKCLI_BASE_URL) ? ' (-e ignores RISKCLI_BASE_URL)' : '';
  const where = environment.value === 'default' ? '' : ` for the environment ${environment.value}`;
  throw new UsageError(`no service address is set${where}${passedOver}`, { code: 'no_base_url', hint });
}

const waysToAnAddress = ({ environment }: Sources) =>
  `store one with ${keysSet(environment.value, 'URL')}, or add --base-url URL or --sandbox`;

/** @param address of the service, as it is typed; without it, the one that is known */
export const keysSet = (environment: string, address?: string) =>
  forEnvironment(`riskcli keys set${address === undefined ? '' : ` --base-url ${address}`}`, environment);

/** `command` as it is typed for `environment`. */
export const forEnvironment = (command: string, environment: string) =>
  environment === 'default' ? command : `${command} -e ${environment}`;

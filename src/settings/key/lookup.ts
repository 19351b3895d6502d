/**
 * Finds the key of a run: in a variable, in the file that one names, in keys.json, or from a stored
 * command.
 */
import { KeyError, RiskcliError, UsageError } from '../../errors.ts';
import { commandLine } from '../../secrets/redact.ts';
import { once } from '../../text/once.ts';
import { baseUrlText, parseBaseUrl } from '../base-url.ts';
import type { StoredKey } from '../files.ts';
import { baseUrl, find, keysSet, present, type Sources } from '../sources.ts';
import { commandWords, runKeyCommand } from './command.ts';
import { parseKey, readKeyFile } from './key.ts';

/** A variable for the key; -e ignores it. */
function keyVariable({ context, pinned }: Sources, name: string): string | undefined {
  return pinned ? undefined : present(context.env[name]);
}

function refuseBothVariables(sources: Sources): void {
  if (!keyVariable(sources, 'RISKCLI_API_KEY') || !keyVariable(sources, 'RISKCLI_API_KEY_FILE')) return;
  throw new UsageError('RISKCLI_API_KEY and RISKCLI_API_KEY_FILE are both set', { hint: 'unset one of them' });
}

/** The facts of a key that are known before it is used. */
export interface KeyDescription {
  /** Undefined if there is none, and before the command that prints it was run. */
  readonly value?: string | undefined;
  /** As for a setting, with the command if there is one; undefined without a key. */
  readonly source?: string;
  /** Present when the key, or its command, is a stored one. */
  readonly stored?: StoredKey | undefined;
  /**
   * Why it must not be sent to the base URL: there is no key, or it is stored for another origin.
   */
  readonly refusal?: RiskcliError | undefined;
}

/** The key by the settings. Nothing is read before one of the two is called. */
export function openKey(sources: Sources, mayAsk: boolean) {
  const { context } = sources;
  const found = once(() => {
    const key = lookUpKey(sources);
    context.report.redact(key.value ?? '');
    return key;
  });
  let printed: string | undefined;

  /**
   * The source of the key, even if it must not be sent. Runs no command.
   * @throws KeyError for one that is malformed or cannot be read
   */
  async function describeKey(): Promise<KeyDescription> {
    refuseBothVariables(sources);
    const key = found();
    return { ...key, value: key.value ?? printed };
  }

  /**
   * The key that may be sent to the base URL: runs the command that prints it, once. To be called
   * after everything else was checked.
   * @throws KeyError for none, UsageError for one stored for another origin or when no base URL is
   * known, SignalError
   */
  async function resolveKey(): Promise<string> {
    baseUrl(sources);
    const { value, stored, refusal } = await describeKey();
    if (refusal) throw refusal;
    if (value !== undefined) return value;
    printed = await runKeyCommand(stored?.command ?? [], context, mayAsk);
    context.report.redact(printed);
    return printed;
  }

  return { describeKey, resolveKey };
}

/** @throws KeyError for one that is malformed or cannot be read, IoError */
function lookUpKey(sources: Sources): KeyDescription {
  const key = keyVariable(sources, 'RISKCLI_API_KEY');
  if (key) return { value: parseKey(key, 'RISKCLI_API_KEY'), source: 'RISKCLI_API_KEY' };
  const file = keyVariable(sources, 'RISKCLI_API_KEY_FILE');
  if (file) return { value: readKeyFile(file, sources.context.uid), source: 'RISKCLI_API_KEY_FILE' };
  const stored = sources.storedKey();
  if (!stored) return { refusal: missingKey(sources) };
  const source = `keys.json (${sources.environment.value})`;
  const refusal = otherOrigin(stored, sources);
  if (!stored.command) return { value: parseKey(stored.key, source), source, stored, refusal };
  return { source: `${source}: ${commandWords(stored.command, sources.context)}`, stored, refusal };
}

/** Why a stored key must not be sent to the base URL in effect: it is for one origin (RFC 6454). */
function otherOrigin(stored: StoredKey, sources: Sources): RiskcliError | undefined {
  try {
    const own = parseBaseUrl(stored.baseUrl, 'base_url in keys.json');
    const { value: url = own, source } = find(sources, 'base-url') ?? {};
    if (own.origin === url.origin) return undefined;
    const command = ['riskcli', 'keys', 'set', '--base-url', baseUrlText(url)];
    return new UsageError(`the stored key is for ${own.origin}, but ${source} says ${baseUrlText(url)}`, {
      code: 'other_origin',
      hint: `leave that out, or store a key for it with ${commandLine(command, sources.context.platform)}`,
    });
  } catch (error) {
    // With a wrong base URL the key is not sent, but it may be shown.
    if (error instanceof RiskcliError) return error;
    throw error;
  }
}

function missingKey(sources: Sources): KeyError {
  const { environment, pinned } = sources;
  const { value: name } = environment;
  const set = keysSet(name, addressToType(sources));
  return new KeyError(`there is no API key for the environment ${name}`, {
    code: 'key_missing',
    hint: pinned
      ? `store one with ${set}, or leave -e out to use RISKCLI_API_KEY`
      : `store one with ${set}, or set RISKCLI_API_KEY`,
  });
}

/** The address that keys set has to be given: none if it would find one itself. */
function addressToType(sources: Sources): string | undefined {
  const { value: url, source } = find(sources, 'base-url') ?? {};
  if (url === undefined) return 'URL';
  return source === '--base-url' ? commandLine([baseUrlText(url)], sources.context.platform) : undefined;
}

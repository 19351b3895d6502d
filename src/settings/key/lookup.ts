/** Which key a run uses: of the variables, of the file that one of them names, of what is stored, printed by a command. */
import { KeyError, UsageError } from '../../errors.ts';
import { baseUrlText, parseBaseUrl } from '../base-url.ts';
import type { StoredKey } from '../files.ts';
import { baseUrl, type FoundKey, keysSet, present, type Sourced, type Sources, withDefault } from '../sources.ts';
import { commandWords, runKeyCommand } from './command.ts';
import { parseKey, waitForKeyFile } from './key.ts';

/** A variable about the key; -e passes over it. */
export function keyVariable({ context, pinned }: Sources, name: string): string | undefined {
  return pinned ? undefined : present(context.env[name]);
}

function refuseTwo(sources: Sources): void {
  if (!keyVariable(sources, 'RISKCLI_API_KEY') || !keyVariable(sources, 'RISKCLI_API_KEY_FILE')) return;
  throw new UsageError('RISKCLI_API_KEY and RISKCLI_API_KEY_FILE are both set', { hint: 'unset one of them' });
}

/** As it is set or stored, without running a command that prints it. @throws UsageError, KeyError */
export function lookUpKey(sources: Sources): FoundKey | undefined {
  const { environment } = sources;
  refuseTwo(sources);
  const key = keyVariable(sources, 'RISKCLI_API_KEY');
  const file = sources.keyFile();
  if (key) return { value: parseKey(key, 'RISKCLI_API_KEY'), source: 'RISKCLI_API_KEY' };
  if (file) return { value: file.key(), source: 'RISKCLI_API_KEY_FILE' };
  const stored = sources.storedKey();
  const source = `keys.json (${environment.value})`;
  if (stored?.command)
    return { value: undefined, source: `${source}: ${commandWords(stored.command, sources.context)}`, stored };
  return stored && { value: parseKey(stored.key, source), source, stored };
}

/** The same with what its command has printed, if that was run. */
export function knownKey(sources: Sources): FoundKey | undefined {
  const key = sources.foundKey();
  return key?.stored?.command ? { ...key, value: sources.printedKey } : key;
}

/** The key that may go to the base URL. @throws KeyError for none, UsageError for one of another origin */
export function usableKey(sources: Sources): FoundKey {
  const key = knownKey(sources);
  if (!key) throw missingKey(sources);
  if (key.stored) refuseOtherOrigin(key.stored, baseUrl(sources));
  return key;
}

export async function waitForFile(sources: Sources): Promise<void> {
  refuseTwo(sources);
  const { context } = sources;
  const file = sources.keyFile();
  if (!file || file.readOn()) return;
  await waitForKeyFile(file, { context, timeoutMs: withDefault(sources, 'timeout').value });
}

export async function resolveKey(sources: Sources): Promise<string> {
  const { context, mayPrompt: mayAsk } = sources;
  baseUrl(sources);
  await waitForFile(sources);
  const { value, stored } = usableKey(sources);
  if (value !== undefined) return value;
  sources.printedKey = await runKeyCommand(stored?.command ?? [], { context, mayAsk });
  context.report.withhold(sources.printedKey);
  return sources.printedKey;
}

/** A stored key is for one origin (RFC 6454), whatever says otherwise. */
function refuseOtherOrigin(stored: StoredKey, { value: url, source }: Sourced<URL>): void {
  const own = parseBaseUrl(stored.baseUrl, 'base_url in keys.json');
  if (own.origin === url.origin) return;
  throw new UsageError(`the stored key is for ${own.origin}, but ${source} says ${baseUrlText(url)}`, {
    code: 'other_origin',
    hint: `leave that out, or store a key for it with riskcli keys set --base-url ${baseUrlText(url)}`,
  });
}

function missingKey({ environment, pinned }: Sources): KeyError {
  const { value: name } = environment;
  const set = keysSet(name);
  return new KeyError(`there is no API key for the environment ${name}`, {
    code: 'key_missing',
    hint: pinned
      ? `store one with ${set}, or leave -e out to use RISKCLI_API_KEY`
      : `set RISKCLI_API_KEY, or store one with ${set}`,
  });
}

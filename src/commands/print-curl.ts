/** `--curl`: the request that a command would send, as a line for curl. Sends nothing and needs no key. */
import type { ParsedArgs } from '../cli/flag.ts';
import { UsageError } from '../errors.ts';
import { writeAll } from '../files/stream.ts';
import { curlLine } from '../service/curl.ts';
import type { ResolvedRun } from '../settings/resolve.ts';

/** They are about an answer, which there will not be; --sandbox ends before anybody could ask it. */
const NEEDS_AN_ANSWER = [
  ...['format', 'json', 'jsonl', 'csv', 'output', 'fields', 'fail-if', 'policy'],
  ...['dry-run', 'wait', 'sandbox'],
];

/** @throws UsageError for an option that promises more than a line */
export function refuseBesideCurl(typed: ParsedArgs): void {
  const isTyped = (long: string) => typed.on(long) || typed.text(long) !== undefined || typed.all(long).length > 0;
  const clash = NEEDS_AN_ANSWER.find(isTyped);
  if (!clash) return;
  throw new UsageError(`--curl sends nothing, so --${clash} cannot be used with it`, { hint: 'leave one of them out' });
}

export interface Asked {
  /** The address of what would be asked for. */
  readonly urlOf: (baseUrl: URL) => { readonly href: string };
  readonly authenticated: boolean;
}

export async function printCurl(
  { settings, context }: ResolvedRun,
  { urlOf, authenticated }: Asked,
): Promise<undefined> {
  const url = new URL(urlOf(settings.baseUrl().value).href);
  const auth = authenticated ? settings.auth.value : undefined;
  await writeAll(context.stdout, curlLine({ url, auth, env: context.env, platform: context.platform }));
}

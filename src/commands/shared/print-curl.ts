/** `--curl`: the request that a command would send, as a line for curl. Sends nothing and needs no key. */
import { writeAll } from '../../files/stream.ts';
import { curlLine } from '../../service/curl.ts';
import type { ResolvedRun } from '../../settings/resolve.ts';

export interface CurlSpec {
  /** The address of what would be asked for. */
  readonly urlOf: (baseUrl: URL) => { readonly href: string };
  readonly authenticated: boolean;
}

export async function printCurl(
  { settings, context }: ResolvedRun,
  { urlOf, authenticated }: CurlSpec,
): Promise<undefined> {
  const url = new URL(urlOf(settings.baseUrl().value).href);
  const auth = authenticated ? settings.auth.value : undefined;
  await writeAll(context.stdout, curlLine(url, auth, context));
}

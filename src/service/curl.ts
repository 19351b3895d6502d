/**
 * A request as a line for curl, to be read, changed and run by hand. It has no secrets: the key and the proxy's URL are variables
 * that the shell expands.
 */
import type { Auth } from '../cli/settings-table.ts';
import type { Context, Environment } from '../context.ts';
import { shellWord, shellWords, variableWord } from '../text/shell.ts';
import { HEADERS, keyHeader } from './contract.ts';
import { proxyFor } from './http/proxy.ts';

/** Variables that curl reads by itself, and riskcli not for every address. */
const PROXY_VARIABLES = ['http_proxy', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];

/**
 * For bash, zsh and ksh; for PowerShell on Windows.
 * @param auth the header that carries the key; undefined for a request without it
 * @throws UsageError for a proxy that riskcli could not use either
 */
export function curlLine(
  url: URL,
  auth: Auth | undefined,
  { env, platform }: Pick<Context, 'env' | 'platform'>,
): string {
  const headers = Object.entries(HEADERS).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  // A path may contain what curl takes for a range of URLs.
  const asItIs = /[[\]{}]/.test(url.pathname) ? ['--globoff'] : [];
  const isWindows = platform === 'win32';
  // In Windows PowerShell, curl is an alias of another command.
  const words = [isWindows ? 'curl.exe' : 'curl', '--http1.1', ...asItIs, ...authority(url, env), ...headers];
  const line = [shellWords(words, platform), ...route(url, env, platform)];
  const address = shellWord(url.href, platform);
  if (!auth) return `${[...line, address].join(' ')}\n`;
  // Through standard input, since other users can see the arguments of a process.
  const variable = isWindows ? '$env:RISKCLI_API_KEY' : '$RISKCLI_API_KEY';
  const [[name = '', value = ''] = []] = Object.entries(keyHeader(auth, variable));
  const header = `"${name}: ${value}"`;
  const asking = [...line, `-H ${shellWord('@-', platform)}`, address].join(' ');
  return isWindows ? `${header} | ${asking}\n` : `${asking} <<< ${header}\n`;
}

function authority({ protocol }: URL, { NODE_EXTRA_CA_CERTS: file }: Environment): readonly string[] {
  return protocol === 'https:' && file ? ['--cacert', file] : [];
}

/** The proxy by the name of its variable, which may hold a password; none where riskcli connects directly. */
function route(url: URL, env: Environment, platform: string): readonly string[] {
  const proxy = proxyFor(url, env);
  if (proxy) return [`--proxy ${variableWord(proxy.variable, platform)}`];
  return PROXY_VARIABLES.some((name) => env[name]?.trim()) ? [`--noproxy ${shellWord('*', platform)}`] : [];
}

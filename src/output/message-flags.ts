/**
 * The flags that shape stderr, read from the raw command line: a command line that is wrong must still be answered in
 * the form it asked for.
 */
const CLUSTER = /^-[a-zA-Z]{1,4}$/;

export interface MessageFlags {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly debug: boolean;
}

export function readMessageFlags(argv: readonly string[]): MessageFlags {
  const end = argv.indexOf('--');
  const tokens = end < 0 ? argv : argv.slice(0, end);
  const has = (long: string, short?: string) =>
    tokens.includes(`--${long}`) || (short !== undefined && tokens.some((t) => CLUSTER.test(t) && t.includes(short)));
  return { json: asksForJson(tokens), quiet: has('quiet', 'q'), verbose: has('verbose', 'v'), debug: has('debug') };
}

/** Whether the output is JSON or JSON Lines: as typed, else as the name of the output file says. */
function asksForJson(tokens: readonly string[]): boolean {
  let format: string | undefined;
  let output: string | undefined;
  for (const [i, token] of tokens.entries()) {
    const [name, inline] = token.split(/=(.*)/s, 2);
    const value = inline ?? tokens[i + 1];
    if (token === '--json' || token === '--jsonl' || token === '--csv') format = token.slice(2);
    else if (name === '--format') format = value;
    else if (name === '--output') output = value;
    else if (/^-[qv]*o/.test(token)) output = token.replace(/^-[qv]*o/, '') || value;
  }
  return format === undefined ? /\.jsonl?$/i.test(output ?? '') : /^jsonl?$/.test(format);
}

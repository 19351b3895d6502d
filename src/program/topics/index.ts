/** Pages of help that are about no single command, in the order in which the root's help names them: a line each. */
export interface Topic {
  readonly name: string;
  readonly summary: string;
  /** The page, wrapped to 80 columns by its author. Only the one that was asked for is loaded. */
  readonly load: () => Promise<string>;
}

export const topics: readonly Topic[] = [
  topic('conditions', 'What --fail-if and --where ask of a row', async () => {
    return (await import('./conditions.ts')).conditions;
  }),
  topic('policy', 'Rules and exceptions in a file, for --policy', async () => {
    return (await import('./policy.ts')).policy;
  }),
  topic('exit-codes', 'What each exit code means, and which one wins', async () => {
    return (await import('./exit-codes.ts')).exitCodes;
  }),
];

function topic(name: string, summary: string, load: Topic['load']): Topic {
  return { name, summary, load };
}

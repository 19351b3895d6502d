/** Pages of help that are about no single command, in the order in which the root's help names them: a line each. */
export interface Topic {
  readonly name: string;
  readonly summary: string;
  /** The page, wrapped to 80 columns by its author. Only the one that was asked for is loaded. */
  readonly load: () => Promise<string>;
}

export const topics: readonly Topic[] = [
  topic('settings', 'Where each value comes from, and every variable', async () => {
    return (await import('./settings.ts')).settings;
  }),
  topic('formats', 'What is printed in which format, and where it goes', async () => {
    return (await import('./formats.ts')).formats;
  }),
  topic('lists', 'What a list may be, and how it is gone through', async () => {
    return (await import('./lists.ts')).lists;
  }),
  topic('conditions', 'What --fail-if and --where ask of a row', async () => {
    return (await import('./conditions.ts')).conditions;
  }),
  topic('policy', 'Rules and exceptions in a file, for --policy', async () => {
    return (await import('./policy.ts')).policy;
  }),
  topic('exit-codes', 'What each exit code means, and which one wins', async () => {
    return (await import('./exit-codes.ts')).exitCodes;
  }),
  topic('agents', 'How a program calls riskcli and spends nothing by accident', async () => {
    return (await import('./agents.ts')).agents;
  }),
];

function topic(name: string, summary: string, load: Topic['load']): Topic {
  return { name, summary, load };
}

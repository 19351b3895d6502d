/** The outputs that programs read, by the names under which `riskcli schema NAME` describes them. */

/** `printedBy`: the command lines that print it. */
export const OUTPUTS = [
  { name: 'wallet', what: 'the document of one wallet', printedBy: ['profile WALLET --json'] },
  {
    name: 'row',
    what: 'a line of a list',
    printedBy: [
      'profile -f FILE --jsonl',
      'profile - --jsonl',
      'profile WALLET --jsonl',
      'journal export FILE --jsonl',
    ],
  },
  {
    name: 'rows',
    what: 'a list as an array',
    printedBy: ['profile -f FILE --json', 'profile - --json', 'journal export FILE --json'],
  },
  { name: 'dry-run', what: 'what a list would cost', printedBy: ['profile --dry-run --json'] },
  { name: 'summary', what: 'the outcome of a list', printedBy: ['profile --summary FILE'] },
  { name: 'review', what: 'who needs a look, and what changed', printedBy: ['review LIST --json'] },
  { name: 'report', what: 'the figures of a run', printedBy: ['report FILE --json'] },
  { name: 'diff-row', what: 'a line of a comparison', printedBy: ['diff --jsonl'] },
  { name: 'diff-rows', what: 'a comparison as an array', printedBy: ['diff --json'] },
  { name: 'health', what: 'a health check', printedBy: ['health --json', 'health -o FILE.json'] },
  { name: 'keys-show', what: 'the key in use', printedBy: ['keys show --json'] },
  { name: 'keys-list', what: 'the stored keys', printedBy: ['keys list --json'] },
  { name: 'keys-check', what: 'a key that was accepted', printedBy: ['keys check --json'] },
  { name: 'config-list', what: 'every setting', printedBy: ['config list --json'] },
  { name: 'config-get', what: 'one setting', printedBy: ['config get SETTING --json'] },
  { name: 'limits', what: "the key's limit and the month's use", printedBy: ['limits --json'] },
  { name: 'journal-show', what: 'what a journal holds', printedBy: ['journal show FILE --json'] },
  { name: 'journal-history', what: 'the dated answers of a wallet', printedBy: ['journal history FILE WALLET --json'] },
  {
    name: 'journal-removed',
    what: 'what was removed from a journal',
    printedBy: ['journal prune FILE --json', 'journal erase FILE WALLET --json'],
  },
  { name: 'doctor', what: "the findings about a machine's set-up", printedBy: ['doctor --json'] },
  { name: 'message', what: 'a line on standard error', printedBy: ['any command with --json or --jsonl'] },
] as const satisfies readonly { readonly name: string; readonly what: string; readonly printedBy: readonly string[] }[];

export type OutputName = (typeof OUTPUTS)[number]['name'];
export const OUTPUT_NAMES: readonly OutputName[] = OUTPUTS.map(({ name }) => name);

/**
 * Changes of the program that the simulator must see: each a mistake that somebody could make. They
 * are edits of the text, held by few words, since the program is written anew around them;
 * mutations.test.ts says when one no longer fits.
 */

export interface MutationEdit {
  readonly name: string;
  /** Below the root of the project. */
  readonly file: string;
  readonly find: RegExp;
  readonly put: string;
}

export const MUTATIONS: readonly MutationEdit[] = [
  {
    name: 'the journal is never synced',
    file: 'src/files/background-sync.ts',
    find: /fdatasyncAsync\(this\.fd\)/,
    put: 'Promise.resolve()',
  },
  {
    name: 'an output takes its place before it is synced',
    file: 'src/files/atomic-file.ts',
    find: /await fsyncAsync\(file\.fd\);/,
    put: '',
  },
  {
    name: 'a rename is not followed by a sync of the folder',
    file: 'src/files/atomic-file.ts',
    find: /await syncFolder\(dirname\(file\.path\)\);/,
    put: '',
  },
  {
    name: 'a holder does not look whether the lock is its own',
    file: 'src/files/lock.ts',
    find: /isStillOurs\(path, own\)(?=;)/,
    put: 'true',
  },
  {
    name: 'a lock is taken over though its holder runs',
    file: 'src/files/lock.ts',
    find: /refusalToTake\(path, found, host\)(?=;)/,
    put: 'undefined as ReturnType<typeof refusalToTake>',
  },
  {
    name: 'a permit is not given back when no answer came',
    file: 'src/service/client.ts',
    find: /permit\.answered\(/,
    put: 'if (status !== undefined) permit.answered(',
  },
  {
    name: 'retries are not counted',
    file: 'src/service/client.ts',
    find: /this\.options\.beforeSend\?\.\(\)/,
    put: 'if (!call.counted) { call.counted = true; this.options.beforeSend?.(); }',
  },
  {
    name: 'the budget of a run is off by one',
    file: 'src/list-run/budget.ts',
    find: /spent >= maxRequests/,
    put: 'spent > maxRequests',
  },
  {
    name: 'a wait after a 429 is not kept',
    file: 'src/service/retry.ts',
    find: /rateLimitWait\(failed, maxWaitMs\)/,
    put: '0',
  },
  {
    name: 'an answer about another wallet is taken',
    file: 'src/service/contract.ts',
    find: /if \(address\.toLowerCase\(\) !== [^;]*;/,
    put: '',
  },
  {
    name: 'the checksum of a record is taken before its content is there',
    file: 'src/journal/record.ts',
    find: /checksum\(line\.subarray\(CRC_END, -1\)\)/,
    put: 'checksum(line.subarray(CRC_END, head.length))',
  },
  {
    name: 'records are written behind half a record',
    file: 'src/journal/journal.ts',
    find: /if \(fstatSync\(fd\)\.size > end\) truncateTo\([^;]*;/,
    put: '',
  },
  {
    name: 'a review that is over is not kept',
    file: 'src/commands/review/open-review.ts',
    find: /await kept\.end\(\{[^}]*\}\);/,
    put: '',
  },
  {
    name: 'a review is compared with one that is too young',
    file: 'src/review/choose.ts',
    find: /age\(file, now\) >= MIN_AGE_RATIO \* since\.ago/,
    put: 'true',
  },
  {
    name: 'a review asks again what the last one has answered',
    file: 'src/commands/review/review-list.ts',
    find: /if \(kept\.isModified \|\|/,
    put: 'if (true ||',
  },
  {
    name: 'a refusal is not kept when it arrives',
    file: 'src/list-run/scheduler.ts',
    find: /store\.append\(id, \{ answeredAt: clock\.now\(\)[^;]*;/,
    put: '',
  },
  {
    name: 'a wallet that is on its way is asked once more',
    file: 'src/list-run/run-rows.ts',
    find: /&& !scheduler\.isInFlight\(id\)(?= && !scheduler\.failures)/,
    put: '',
  },
];

/** Flags that several commands share. Each stands here once, so that they mean the same everywhere. */

import { FIELD_PATHS } from './field-paths.ts';
import type { Flag } from './flag.ts';
import type { Form } from './form.ts';
import { AUTHS, WALLET_FORMATS } from './settings-table.ts';

/** `flags` under one heading of the help. */
export function grouped(group: NonNullable<Flag['group']>, flags: readonly Flag[]): readonly Flag[] {
  return flags.map((flag) => ({ group, ...flag }));
}

export const BASE_URL_FLAG: Flag = {
  long: 'base-url',
  value: 'URL',
  group: 'Connection',
  help: 'address of the service',
};

export const TIMEOUT_FLAG: Flag = {
  group: 'Connection',
  long: 'timeout',
  value: 'DURATION',
  help: 'time limit for one answer, retries included (30s; health: 5s)',
};

/** The only one that takes the rest of the line: program/rest.ts cuts it off there. */
export const COMMAND_FLAG: Flag = {
  long: 'command',
  value: 'PROGRAM ARG...',
  help: 'store a command that prints the key instead of a key; all that follows belongs to it',
  rest: true,
};

export const PAGER_FLAG: Flag = {
  long: 'no-pager',
  group: 'Output',
  help: 'never show a long card through $PAGER',
};

export const CURL_FLAG: Flag = {
  long: 'curl',
  group: 'Connection',
  help: 'print the request as a line for curl (bash, zsh, ksh, PowerShell), without the key; send nothing',
};

/** What the line says: where the request goes, for which wallet (of a list it is told that there must be one), with what header. */
const IN_THE_LINE = ['curl', 'base-url', 'auth', 'wallet-format', 'no-checksum', 'file'];

/** Of a command with `flags`: the others are about an answer, which there will not be; a sandbox ends before it can be asked. */
export const curlForm = (flags: readonly Flag[]): Form => ({
  when: (typed) => typed.on(CURL_FLAG.long),
  refuses: flags.map(({ long }) => long).filter((long) => !IN_THE_LINE.includes(long)),
  message: (flag) => `--curl sends nothing, so ${flag} cannot be used with it`,
  hint: 'leave one of them out',
});

/** For commands that talk to the service. */
export const SERVICE_FLAGS: readonly Flag[] = grouped('Connection', [
  BASE_URL_FLAG,
  TIMEOUT_FLAG,
  { long: 'sandbox', help: 'use a built-in sandbox: made-up data, no network' },
]);

export const SANDBOX_FORM: Form = {
  when: (typed) => typed.on('sandbox'),
  refuses: [BASE_URL_FLAG.long],
  message: (flag) => `--sandbox has an address of its own, so ${flag} cannot be used with it`,
  hint: 'leave one of them out',
};

/** For commands that send the key. */
export const KEY_FLAGS: readonly Flag[] = grouped('Connection', [
  {
    long: 'auth',
    value: 'HEADER',
    choices: AUTHS,
    help: 'header to send the key in: x-api-key or bearer',
  },
  { long: 'max-wait', value: 'DURATION', help: 'longest time to wait for rate limits (60s)' },
]);

export const WALLET_FORMAT_FLAG: Flag = {
  long: 'wallet-format',
  value: 'FORMAT',
  choices: WALLET_FORMATS,
  group: 'Input',
  help: 'what counts as a wallet: evm (0x and 40 hex digits), hex (0x and 1 to 128), name (also vitalik.eth)',
};

/** How wallets and answers are read. */
export const READING_FLAGS: readonly Flag[] = [
  WALLET_FORMAT_FLAG,
  {
    long: 'score',
    value: 'PATH',
    group: 'Input',
    help: 'path to the headline score',
    completes: ['defi_score.defi_score'],
  },
];

/** `--format` and its short forms for the formats of one command. */
export function formatFlags(choices: readonly string[]): readonly Flag[] {
  const short = choices.filter((choice) => ['json', 'jsonl', 'csv'].includes(choice));
  return grouped('Output', [
    { long: 'format', value: 'FORMAT', choices, help: choices.join(', ') },
    ...short.map((choice): Flag => ({ long: choice, help: `same as --format ${choice}` })),
  ]);
}

/** Where data goes. */
export const OUTPUT_FLAGS: readonly Flag[] = grouped('Output', [
  {
    long: 'output',
    short: 'o',
    value: 'FILE',
    once: 'name one file, and run the command again for the other; a list asks nothing twice with --journal FILE',
    help: 'write to FILE (-: stdout), replacing it in one step',
    completes: 'file',
  },
  { long: 'no-header', help: 'leave out the header line of CSV' },
]);

/** What is an alarm. */
export const FAIL_IF_FLAG: Flag = {
  long: 'fail-if',
  value: 'CONDITION',
  group: 'Gates',
  repeatable: true,
  help: "exit 10 if this is true for any row; 'NAME: CONDITION' names it; repeatable",
  completes: FIELD_PATHS,
};

export const POLICY_FLAG: Flag = {
  long: 'policy',
  value: 'FILE',
  group: 'Gates',
  help: 'exit 10 by the rules in FILE, but for its exceptions; see riskcli help policy',
  completes: 'file',
};

/** Which rows of a list are put out, and in what order. */
export const SHAPE_FLAGS: readonly Flag[] = grouped('Output', [
  {
    long: 'where',
    value: 'CONDITION',
    repeatable: true,
    help: 'only rows for which this is true; repeatable: all must be',
    completes: FIELD_PATHS,
  },
  {
    long: 'sort',
    value: 'PATH',
    help: 'order the rows by a value, or by PATH:desc; waits for the last row',
    completes: FIELD_PATHS,
  },
  { long: 'top', value: 'N', help: 'only the first N rows, sorted or not' },
]);

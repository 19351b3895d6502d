/** Flags of a list of wallets, in or out, for every command that has one. */

import { FIELD_PATHS } from '../../cli/field-paths.ts';
import type { Flag, ParsedArgs } from '../../cli/flag.ts';
import type { Form } from '../../cli/form.ts';

export const FILE_FLAG: Flag = {
  long: 'file',
  short: 'f',
  value: 'FILE',
  group: 'Input',
  repeatable: true,
  help: 'read the list from FILE (-: stdin); repeat to join several lists',
  completes: 'file',
};

export const COLUMN_FLAG: Flag = {
  long: 'column',
  value: 'NAME',
  group: 'Input',
  help: 'column of a CSV or JSON list that contains the address',
};

const isList = ({ args, all }: ParsedArgs) => all(FILE_FLAG.long).length > 0 || args[0] === '-';

/** Wallets as arguments. */
export const ARGUMENTS_FORM: Form = {
  when: (typed) => typed.args.length > 0 && !isList(typed),
  refuses: [COLUMN_FLAG.long],
  message: (flag) => `${flag} only works with a list that is read`,
  hint: 'read the list with -f FILE, or with - from standard input',
};

/** One wallet as an argument. */
export const ONE_WALLET_FORM: Form = {
  when: (typed) => typed.args.length === 1 && !isList(typed),
  refuses: [
    ...['column', 'journal', 'max-age', 'metrics', 'summary'],
    ...['where', 'sort', 'top', 'partial', 'progress'],
  ],
  message: (flag) => `${flag} only works with a list`,
  hint: 'give the wallet as a list: echo 0x... | riskcli profile -',
};

export const CHECKSUM_FLAG: Flag = {
  long: 'no-checksum',
  group: 'Input',
  help: 'accept addresses whose EIP-55 checksum is wrong',
};

/** Which values the rows of a list have. */
export const FIELDS_FLAG: Flag = {
  long: 'fields',
  group: 'Output',
  value: 'PATHS',
  repeatable: true,
  completes: FIELD_PATHS,
  commas: true,
  help: "pick, order and rename: a,score=b.c[0],d?; '+a': add to the usual fields; '*': all",
};

/** Flags of a list of wallets, in or out, for every command that has one. */

import { FIELD_PATHS } from '../../cli/field-paths.ts';
import type { Flag } from '../../cli/flag.ts';

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

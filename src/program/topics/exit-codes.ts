/** `riskcli help exit-codes`, made from the table of exit codes. */
import { EXITS } from '../../cli/exits.ts';

export const exitCodes = `Exit codes:
${EXITS.map(({ code, meaning }) => `  ${String(code).padEnd(4)} ${meaning}`).join('\n')}

When several hold, the first of these counts: a signal, 1, 11, 4, 8, 9, 6, 7, 5,
2, 10, 3.

A script that runs a list again until it is done: go on after 5, wait after 7
(stderr says until when), stop after anything else.

health --format nagios exits with 0 to 3 and nothing else, as plugins do.

Examples:
  # Again while it is only temporary
  $ until riskcli profile -f w.csv -o out.csv || [ $? -ne 5 ]; do sleep 60; done
  # Rows that were refused are no reason to stop here
  $ riskcli profile -f w.csv -o out.csv --accept invalid,failed
`;

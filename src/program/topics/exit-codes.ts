/** `riskcli help exit-codes`, made from the tables of exit codes and error codes. */
import { EXITS } from '../../cli/exits.ts';
import { ERROR_CODES, type ErrorKind, WALLET_CODES } from '../../error-codes.ts';
import { ExitCode, PRECEDENCE } from '../../errors.ts';
import { joinWrapped } from '../../text/words.ts';

const wrapped = (items: readonly string[]) =>
  joinWrapped(items, 78)
    .map((line) => `  ${line}`)
    .join('\n');

const kinds: Readonly<Record<string, ErrorKind>> = ERROR_CODES;
const codes = Object.entries(kinds)
  .filter(([, { exits }]) => exits.length > 0)
  .map(([code, { exits, means }]) => `  ${code.padEnd(17)} ${exits.length > 2 ? '' : `${exits.join(', ')}: `}${means}`);
const walletCodes = Object.keys(WALLET_CODES);

export const exitCodes = `Exit codes:
${EXITS.map(({ code, meaning }) => `  ${String(code).padEnd(4)} ${meaning}`).join('\n')}

When several hold, the first of these counts:
${wrapped(PRECEDENCE.filter((code) => code !== ExitCode.ok).map(String))}

With --json, error.code says more:
${codes.join('\n')}

Of a row that is no wallet, _meta.error.code says what is wrong:
${wrapped(walletCodes)}

A script that runs a list again until it is done: go on after 5, wait after 7
(stderr says until when), stop after anything else.

health --format nagios exits with 0 to 3 and nothing else, as plugins do.

Examples:
  # Again while it is only temporary
  $ until riskcli profile -f w.csv -o out.csv || [ $? -ne 5 ]; do sleep 60; done
  # Rows that were refused are no reason to stop here
  $ riskcli profile -f w.csv -o out.csv --accept invalid,failed
`;

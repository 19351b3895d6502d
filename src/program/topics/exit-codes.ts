/** `riskcli help exit-codes` */
export const exitCodes = `Exit codes:
  0    everything that was asked was answered
  1    a fault in riskcli itself
  2    the command line or a setting is wrong, or a path that no answer had
  3    some rows were refused for good, or are not wallets
  4    the key is missing, malformed or rejected
  5    temporary: network, time-out, 5xx; the same command again goes on
  6    the answer cannot be trusted: TLS, a redirect, not the contract
  7    a limit stopped it: rate, quota, --max-requests, monthly-requests
  8    local input or output failed
  9    the list is empty or cannot be read
  10   a --fail-if or a rule of --policy matched
  11   another run holds the journal
  129  hang-up                  130  interrupted
  141  the reader is gone       143  terminated

When several hold, the first of these counts: a signal, 1, 11, 4, 8, 9, 6, 7, 5,
2, 10, 3.

A script that runs a list again until it is done: go on after 5, wait after 7
(stderr says until when), stop after anything else.

health --format nagios exits with 0 to 3 and nothing else, as plugins do.
`;

/**
 * The one table of error codes, for programs to act on besides the exit code: `error.code` of a message, `_meta.error.code` of
 * a row and `error_code` of a report (the type ErrorCode allows no others). The schema, the help and docs/errors.md are made
 * from it, and a test produces each.
 */

export interface ErrorKind {
  /** The exit codes of a run that it ends; none for an error of a row only. */
  readonly exits: readonly number[];
  readonly means: string;
}

/** What keeps an input from being a wallet: codes of rows, and of no message. */
export const WALLET_CODES = {
  empty: { exits: [], means: 'there is no address' },
  checksum: { exits: [], means: 'the EIP-55 checksum of the address is wrong' },
  no_prefix: { exits: [], means: '0x is missing' },
  length: { exits: [], means: 'too few or too many characters' },
  not_hex: { exits: [], means: 'a character is not a hex digit' },
  not_address: { exits: [], means: 'the input is not an address' },
  ambiguous: { exits: [], means: 'the input has different addresses' },
  ens: { exits: [], means: 'a name, where names are not taken' },
  icap: { exits: [], means: 'an ICAP code' },
  secret: { exits: [], means: 'it may be a private key: neither shown nor sent' },
} as const satisfies Record<string, ErrorKind>;

export const ERROR_CODES = {
  fault: { exits: [1], means: 'an internal error in riskcli' },
  usage: { exits: [2], means: 'the command line or a setting is wrong' },
  no_base_url: { exits: [2], means: 'no service address is set' },
  other_origin: { exits: [2], means: 'the stored key is for another address' },
  invalid_wallet: { exits: [2], means: 'an argument is not a wallet' },
  missing_field: { exits: [2], means: 'no answer had a path of --fields or of a condition' },
  policy: { exits: [2], means: 'the file of --policy cannot be used' },
  refused: { exits: [3, 6], means: 'the service refused a wallet (3), or every wallet (6)' },
  rows: { exits: [3], means: 'some rows were refused for good, or are not wallets' },
  key: { exits: [4], means: 'the key could not be obtained' },
  key_missing: { exits: [4], means: 'there is no key' },
  key_malformed: { exits: [4], means: 'what was given is not a key' },
  key_command: { exits: [4], means: 'the command that prints the key failed' },
  key_rejected: { exits: [4], means: 'the service rejected the key (401)' },
  key_refused: { exits: [4], means: '402 or 403 for one wallet alone, or for 20 in a row' },
  temporary: { exits: [5], means: 'some rows got no answer' },
  network: { exits: [5], means: 'no connection, or it was cut' },
  timeout: { exits: [5], means: 'no answer in time' },
  unavailable: { exits: [5], means: 'the service failed (408, 5xx)' },
  unhealthy: { exits: [5], means: 'the service reports that it is not ok' },
  slow: { exits: [5], means: 'health: slower than --critical' },
  clock_skew: { exits: [5], means: 'health: the clocks differ by more than --max-skew' },
  proxy: { exits: [5, 6], means: 'the proxy refused (5), or answered itself (6)' },
  untrusted: { exits: [6], means: 'some rows got an answer that cannot be trusted' },
  tls: { exits: [6], means: 'the certificate of the service is not trusted' },
  redirect: { exits: [6], means: 'the service redirects; that was not followed' },
  contract: { exits: [6], means: 'the answer is not what the API defines' },
  encoding: { exits: [6], means: 'the answer is compressed, which was not asked for' },
  too_long: { exits: [6], means: 'the answer is too long' },
  not_http: { exits: [6], means: 'the answer is not HTTP' },
  not_loopback: { exits: [6], means: 'plain http, and the host is another machine' },
  rate_limit: { exits: [7], means: 'the wait is longer than --max-wait, or the quota is used up' },
  max_requests: { exits: [7], means: '--max-requests is reached' },
  monthly_requests: { exits: [7], means: 'monthly-requests is reached' },
  io: { exits: [8], means: 'a file cannot be read or written, or is not safe' },
  journal_damaged: { exits: [8], means: 'the journal was changed by something else' },
  journal_base_url: { exits: [2], means: 'the journal holds answers of another base URL' },
  journal_stays: { exits: [2], means: 'the output would remove a journal that a review keeps' },
  list: { exits: [9], means: 'the list is empty or cannot be read' },
  no_answer: { exits: [9], means: 'the journal has no answer for this wallet, or none that old' },
  fail_if: { exits: [10], means: 'a --fail-if or a rule of --policy matched' },
  locked: { exits: [11], means: 'another run holds the journal or the settings' },
  doctor: { exits: [2, 3, 4, 5, 6, 7, 8], means: 'a check of riskcli doctor failed' },
  sighup: { exits: [129], means: 'stopped by SIGHUP' },
  sigint: { exits: [130], means: 'stopped by SIGINT' },
  pipe: { exits: [141], means: 'standard output is closed; only in --summary' },
  sigterm: { exits: [143], means: 'stopped by SIGTERM' },
  ...WALLET_CODES,
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_CODES;
export type WalletErrorCode = keyof typeof WALLET_CODES;

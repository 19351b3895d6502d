/**
 * The one table of error codes, for programs to act on besides the exit code: `error.code` of a
 * message, `_meta.error.code` of a row and `error_code` of a report (the type ErrorCode allows no
 * others). `riskcli help CODE` prints a row, docs/errors.md has them all, and a test produces each.
 * The first row with an exit code says what that exit code means.
 */

export interface ErrorKind {
  /** The exit codes of runs that end with it; none if only rows have it. */
  readonly exits: readonly number[];
  readonly means: string;
  /** The remedy. */
  readonly next: string;
  /** A line that a program may run then: it costs nothing. */
  readonly run?: string;
}

/** Why an input is not a wallet: these are codes of rows, never of a message. */
export const WALLET_CODES = {
  empty: { exits: [], means: 'there is no address', next: 'correct the row' },
  checksum: {
    exits: [],
    means: 'the EIP-55 checksum of the address is wrong',
    next: 'copy the address again, or use --no-checksum',
  },
  no_prefix: { exits: [], means: '0x is missing', next: 'write 0x in front' },
  length: { exits: [], means: 'the address has too few or too many characters', next: 'copy the address again' },
  not_hex: { exits: [], means: 'a character of the address is not a hex digit', next: 'copy the address again' },
  not_address: { exits: [], means: 'the input is not an address', next: 'name the column of addresses with --column' },
  ambiguous: { exits: [], means: 'the input has several addresses', next: 'keep one of them' },
  ens: {
    exits: [],
    means: 'the input is a name, and names are not looked up',
    next: 'write the address that it stands for',
  },
  icap: { exits: [], means: 'the input is an ICAP code', next: 'write the address as 0x...' },
  secret: {
    exits: [],
    means: 'the input may be a private key, so it is neither shown nor sent',
    next: 'remove it from the list, and treat it as leaked',
  },
} as const satisfies Record<string, ErrorKind>;

export const ERROR_CODES = {
  fault: {
    exits: [1],
    means: 'an internal error occurred in riskcli',
    next: 'run it again with --debug and report what it prints; it contains no key',
  },
  usage: {
    exits: [2],
    means: 'the command line or a setting is wrong',
    next: 'do what the message says; riskcli help COMMAND lists the options',
    run: 'riskcli --help',
  },
  no_base_url: {
    exits: [2],
    means: 'no service address is set',
    next: 'give --base-url, store it with riskcli keys set --base-url URL, or try --sandbox',
    run: 'riskcli config list --json',
  },
  other_origin: {
    exits: [2],
    means: 'the stored key is for another address',
    next: 'store a key for this address with riskcli keys set, or use the environment that has one (-e NAME)',
    run: 'riskcli keys show --json',
  },
  invalid_wallet: {
    exits: [2],
    means: 'an argument is not a wallet',
    next: 'correct it; --no-checksum accepts a wrong EIP-55 checksum',
  },
  missing_field: {
    exits: [2],
    means: 'a path in --fields or in a condition was in no answer',
    next: 'correct the path: the message names the nearest one; write PATH? for a field that may be absent',
    run: 'riskcli schema row',
  },
  policy: {
    exits: [2],
    means: 'the file of --policy cannot be used',
    next: 'correct what the message names',
    run: 'riskcli help conditions',
  },
  journal_base_url: {
    exits: [2],
    means: 'the journal holds answers from another base URL',
    next: 'name another journal, or the base URL that it was written for',
  },
  rows: {
    exits: [3],
    means: 'some rows were permanently refused, or are not wallets',
    next: 'correct these rows: each says why; --accept invalid,failed lets them pass',
  },
  refused: {
    exits: [3, 6],
    means: 'the service refused a wallet (3), or every wallet (6)',
    next: 'check the wallet; if every wallet is refused, check the base URL',
  },
  key: {
    exits: [4],
    means: 'the key is missing, malformed or rejected, or its file cannot be used',
    next: 'run riskcli doctor, which names what is wrong; riskcli keys set stores another key',
    run: 'riskcli doctor --json',
  },
  key_missing: {
    exits: [4],
    means: 'there is no key',
    next: 'store one with riskcli keys set, or set RISKCLI_API_KEY or RISKCLI_API_KEY_FILE',
    run: 'riskcli keys show --json',
  },
  key_malformed: {
    exits: [4],
    means: 'what was given is not a key',
    next: 'copy the whole key again, and nothing else',
    run: 'riskcli keys show --json',
  },
  key_command: {
    exits: [4],
    means: 'the command that prints the key failed',
    next: 'run it by hand; unlock the vault if it is locked',
    run: 'riskcli keys show --json',
  },
  key_rejected: {
    exits: [4],
    means: 'the service rejected the key (401)',
    next: 'get a new key and store it with riskcli keys set --check; what was paid for is kept',
    run: 'riskcli keys show --json',
  },
  key_refused: {
    exits: [4],
    means: 'the service answered 402 or 403 for a wallet requested alone, for 20 in a row, or for a whole list',
    next: 'ask the owner of the plan whether it is paid and includes profiles',
    run: 'riskcli keys show --json',
  },
  temporary: {
    exits: [5],
    means: 'a temporary failure: the service could not be reached, took too long, failed (408, 5xx) or is unhealthy',
    next: 'run the same command again after a pause; it asks only for what is missing',
    run: 'riskcli health --json',
  },
  network: {
    exits: [5],
    means: 'there was no connection, or it was cut',
    next: 'check the base URL, the network and the proxy, then run the same command again',
    run: 'riskcli doctor --json',
  },
  timeout: {
    exits: [5],
    means: 'no answer came in time',
    next: 'run the same command again; raise --timeout if the service is slow',
    run: 'riskcli health --json',
  },
  unavailable: {
    exits: [5],
    means: 'the service returned 408 or 5xx',
    next: 'run the same command again after a pause',
    run: 'riskcli health --json',
  },
  unhealthy: {
    exits: [5],
    means: 'the service reports that it is not ok',
    next: 'wait, or ask whoever runs the service',
    run: 'riskcli health --json',
  },
  slow: {
    exits: [5],
    means: 'the service answered riskcli health more slowly than --critical allows',
    next: 'raise --critical if that is normal for the service',
    run: 'riskcli health --json',
  },
  proxy: {
    exits: [5, 6],
    means: 'the proxy refused the connection (5), or answered in place of the service (6)',
    next: 'check HTTPS_PROXY and NO_PROXY',
    run: 'riskcli doctor --json',
  },
  untrusted: {
    exits: [6],
    means: 'an answer cannot be trusted: a TLS problem, a redirect, or a response that the API does not define',
    next: 'check the base URL and any proxy (riskcli doctor); in a list, the column error says why',
  },
  tls: {
    exits: [6],
    means: 'the certificate of the service is not trusted',
    next:
      "behind a company's proxy, name its CA in NODE_EXTRA_CA_CERTS; " +
      'otherwise stop: the connection may be intercepted',
    run: 'riskcli doctor --json',
  },
  redirect: {
    exits: [6],
    means: 'the service answered with a redirect, which riskcli does not follow',
    next: 'set the base URL to the address that the message names, if you trust it',
    run: 'riskcli config list --json',
  },
  contract: {
    exits: [6],
    means: 'the answer is not what the API defines',
    next: 'check the base URL: a login page or another service may answer there',
    run: 'riskcli config list --json',
  },
  encoding: {
    exits: [6],
    means: 'the answer is compressed, which was not requested',
    next: 'a proxy or gateway is probably compressing responses; turn that off for this service',
  },
  too_long: {
    exits: [6],
    means: 'the answer is too long',
    next: 'check the base URL',
    run: 'riskcli config list --json',
  },
  not_http: {
    exits: [6],
    means: 'the answer is not HTTP',
    next: 'check the port of the base URL',
    run: 'riskcli config list --json',
  },
  not_loopback: { exits: [6], means: 'the base URL is plain http to another machine', next: 'use https' },
  rate_limit: {
    exits: [7],
    means: 'a limit stopped the run: a wait longer than --max-wait, or a quota that is used up',
    next: 'run the same command again from the time that the message names, or raise --max-wait',
    run: 'riskcli keys show --json',
  },
  max_requests: {
    exits: [7],
    means: 'the limit of --max-requests is reached',
    next: 'run the same command again to send as many more',
  },
  monthly_requests: {
    exits: [7],
    means: 'the limit of monthly-requests is reached',
    next: 'wait for the next month (UTC), or raise the setting if the plan allows more',
    run: 'riskcli keys show --json',
  },
  io: {
    exits: [8],
    means: 'a local file cannot be read or written, or is not safe',
    next: 'do what the message says: make room, or correct the permissions; then run the same command again',
    run: 'riskcli doctor --json',
  },
  journal_damaged: {
    exits: [8],
    means: 'the journal was changed by something else',
    next: 'find out what else writes to it, then run the same command again',
  },
  list: {
    exits: [9],
    means: 'the list or run is empty, missing or cannot be read',
    next: 'check the name and the format of the file; in a list, name the column of addresses with --column',
    run: 'riskcli help lists',
  },
  no_review: {
    exits: [9],
    means: 'no review was kept up to that time',
    next: 'name a later time; if there is no review at all, riskcli review LIST keeps one',
    run: 'riskcli help over-time',
  },
  fail_if: {
    exits: [10],
    means: 'a --fail-if or a rule of --policy matched, or could not be judged; in a review, an alarm is open',
    next: 'look at the rows: matched and unjudged name the rules; a review lists its alarms',
  },
  locked: {
    exits: [11],
    means: 'another run holds the journal or the settings',
    next: 'wait until it has ended, then run the same command again',
  },
  doctor: {
    exits: [2, 3, 4, 5, 6, 7, 8],
    means: 'a check of riskcli doctor failed; the exit code is that of the worst, in the order above',
    next: 'each finding names its remedy',
  },
  sighup: { exits: [129], means: 'the run was stopped by SIGHUP', next: 'run the same command again: it resumes' },
  sigint: { exits: [130], means: 'the run was stopped by SIGINT', next: 'run the same command again: it resumes' },
  pipe: {
    exits: [141],
    means: 'the program that read standard output has ended',
    next: 'usually harmless: a program such as head had all it needed',
  },
  sigterm: { exits: [143], means: 'the run was stopped by SIGTERM', next: 'run the same command again: it resumes' },
  ...WALLET_CODES,
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_CODES;
export type WalletErrorCode = keyof typeof WALLET_CODES;

/** What `riskcli help CODE` and docs/errors.md say of each error code: why it happens, what to do, whether a repeat helps. */
import type { ErrorCode } from '../../error-codes.ts';

export interface ErrorHelp {
  readonly cause: string;
  readonly remedy: string;
  /** Whether the same command again helps, in words. */
  readonly again: string;
}

const NO = 'No.';
const NO_NEVER_SENT = 'No. Nothing was sent.';
const YES_PAUSE = 'Yes, after a pause that grows. A list asks only for what is missing.';
const YES_RESUMES = 'Yes: the same command resumes. What was paid for is kept.';
const AFTER = 'Yes, after that.';

export const ERROR_HELP: Readonly<Record<ErrorCode, ErrorHelp>> = {
  fault: {
    cause: 'This is a bug in riskcli.',
    remedy: 'Run the command again with --debug and report what it prints; it holds no key.',
    again: 'Perhaps. What was paid for is kept.',
  },
  usage: {
    cause: 'An option, an argument, a variable or a stored setting has a value that cannot be used.',
    remedy: 'Do what the message says; riskcli help COMMAND lists the options.',
    again: NO_NEVER_SENT,
  },
  no_base_url: {
    cause: 'No option, variable or stored setting names the address of the service.',
    remedy: 'Set it with riskcli keys set --base-url URL, --base-url or RISKCLI_BASE_URL; or try --sandbox.',
    again: NO_NEVER_SENT,
  },
  other_origin: {
    cause: 'A stored key goes only to the address that it was stored with, and the base URL in effect is another one.',
    remedy: 'Store a key for this address with riskcli keys set, or use the environment that has one (-e NAME).',
    again: NO_NEVER_SENT,
  },
  invalid_wallet: {
    cause: 'An address on the command line is mistyped, or is a name where names are not taken.',
    remedy: 'Correct it; --no-checksum accepts a wrong EIP-55 checksum, --wallet-format name takes names.',
    again: NO_NEVER_SENT,
  },
  missing_field: {
    cause: 'A path of --fields, --fail-if, --where, --sort or of a policy was in no answer.',
    remedy: 'Correct it: the message names the nearest. Write PATH? for a field that may be absent.',
    again: 'No. With --journal or -o the corrected command pays for nothing twice.',
  },
  policy: {
    cause: 'The file of --policy cannot be read, or something in it is not a rule or an exception.',
    remedy: 'Correct what the message names; riskcli help policy shows a whole file.',
    again: NO_NEVER_SENT,
  },
  refused: {
    cause:
      'The service answered with 400, 404, 410, 422 or another 4xx: it does not take the wallet, or the path is wrong.',
    remedy: 'Check the wallet. If every wallet is refused (exit 6), check the base URL.',
    again: NO,
  },
  rows: {
    cause:
      'Rows with the status invalid hold no wallet address; for those with the status failed the service answered 4xx.',
    remedy: 'Fix these rows: each says why (in CSV its column error). --accept invalid,failed lets them pass.',
    again: 'No. The other rows are complete.',
  },
  key: {
    cause: 'The file that holds the key cannot be read, or is not safe to read.',
    remedy: 'Check the file and its permissions; riskcli doctor names what is wrong.',
    again: NO,
  },
  key_missing: {
    cause: 'No key is stored for the environment, and none is in RISKCLI_API_KEY or RISKCLI_API_KEY_FILE.',
    remedy: 'Store one with riskcli keys set, or set one of the two variables.',
    again: NO_NEVER_SENT,
  },
  key_malformed: {
    cause: 'What was given as a key has characters that no header can carry, or is empty.',
    remedy: 'Copy the key again, whole and alone.',
    again: NO_NEVER_SENT,
  },
  key_command: {
    cause: 'The command that prints the key failed, printed nothing, or took longer than 30 seconds.',
    remedy: 'Run it by hand; riskcli keys show names it. Unlock the vault if it is locked.',
    again: AFTER,
  },
  key_rejected: {
    cause: 'The service answered 401: the key is wrong, revoked or expired, or is for another service.',
    remedy: 'Get a new key and store it with riskcli keys set --check.',
    again: 'No. What was paid for is kept.',
  },
  key_refused: {
    cause: 'The service answered 402 or 403: the plan is unpaid, or does not include this.',
    remedy: 'Ask whoever owns the plan.',
    again: AFTER,
  },
  temporary: {
    cause: 'Some rows of the list got no answer: the network, time-outs or a service that failed.',
    remedy: 'Run the same command again; it asks only for these rows.',
    again: YES_PAUSE,
  },
  network: {
    cause: 'No connection could be made, or it was cut.',
    remedy: 'Check the base URL, the network and the proxy; riskcli doctor --online goes through them.',
    again: YES_PAUSE,
  },
  timeout: {
    cause: 'No complete answer came within the time limit, retries included.',
    remedy: 'Raise --timeout if the service is slow.',
    again: YES_PAUSE,
  },
  unavailable: {
    cause: 'The service answered 408 or 5xx, four times in a row.',
    remedy: 'Wait; riskcli health --wait 10m says when it is back.',
    again: YES_PAUSE,
  },
  unhealthy: {
    cause: 'The service answered, and said that it is not ok.',
    remedy: 'Wait, or ask whoever runs the service.',
    again: YES_PAUSE,
  },
  slow: {
    cause: 'The service is healthy, but its answer took longer than --critical allows.',
    remedy: 'Raise --critical if that is normal for the service.',
    again: YES_PAUSE,
  },
  clock_skew: {
    cause: "This machine's clock is wrong, or the service's.",
    remedy: "Check this machine's clock first.",
    again: AFTER,
  },
  proxy: {
    cause: 'A proxy stands between this machine and the service, and did not let the request through.',
    remedy: 'Check HTTPS_PROXY and NO_PROXY; riskcli doctor shows which is used.',
    again: 'After exit 5, yes; after exit 6, no.',
  },
  untrusted: {
    cause: 'Some rows of the list got an answer that is not what the service defines.',
    remedy: 'The column error says what it was; check that the base URL is the address of the service.',
    again: 'Rarely. The other rows are complete.',
  },
  tls: {
    cause:
      'The certificate of the service is not signed by an authority that this machine trusts, or is for another name.',
    remedy: 'Behind a company proxy, name its CA certificate in NODE_EXTRA_CA_CERTS. Otherwise stop here.',
    again: 'No. Nothing was sent, and no key.',
  },
  redirect: {
    cause: 'The service answered with a redirect, which could lead the key elsewhere.',
    remedy: 'Set the base URL to the address that the message names, if you trust it.',
    again: NO,
  },
  contract: {
    cause: 'It is another document, or it is about another wallet.',
    remedy: 'Check the base URL: a login page or another service may answer there.',
    again: NO,
  },
  encoding: {
    cause: 'Something on the way compressed it.',
    remedy: 'Look for a proxy or gateway that compresses.',
    again: NO,
  },
  too_long: {
    cause: 'It is longer than any profile can be.',
    remedy: 'Check the base URL.',
    again: NO,
  },
  not_http: {
    cause: 'Another kind of server listens at this port.',
    remedy: 'Check the port of the base URL.',
    again: NO,
  },
  not_loopback: {
    cause: 'Without TLS, the key could be read on the way.',
    remedy: 'Use https.',
    again: NO_NEVER_SENT,
  },
  rate_limit: {
    cause: "The key's rate limit asks for a wait longer than --max-wait, or the month's quota is spent.",
    remedy: 'Wait until the time that the message says (retry_at), or raise --max-wait.',
    again: 'Yes, from that time on. A list asks only for what is missing.',
  },
  max_requests: {
    cause: 'The run sent as many requests as --max-requests allows, retries included.',
    remedy: 'Run the same command again for as many more.',
    again: YES_RESUMES,
  },
  monthly_requests: {
    cause: 'This machine has sent as many requests this month (UTC) as the setting monthly-requests allows.',
    remedy: 'Wait for the next month, or raise the setting if the plan has room.',
    again: 'Yes, next month. What was paid for is kept.',
  },
  io: {
    cause: 'A file cannot be read or written, the disk is full, or others could change the file.',
    remedy: 'Do what the message says: make room, or correct the permissions.',
    again: 'Yes, after that. A list asks only for what is missing.',
  },
  journal_damaged: {
    cause: 'Something other than riskcli changed the journal while a run was using it.',
    remedy: 'Find out what else writes to it. A copy of the file is kept.',
    again: YES_RESUMES,
  },
  journal_base_url: {
    cause: 'It was made with another service or environment.',
    remedy: 'Name another journal, or the base URL that it was written for.',
    again: NO_NEVER_SENT,
  },
  journal_stays: {
    cause:
      'riskcli review keeps this journal for good; a run with -o FILE removes FILE.journal when nothing is left to ask.',
    remedy: 'Name another output, or keep the answers of the run elsewhere with --journal.',
    again: NO_NEVER_SENT,
  },
  list: {
    cause: 'It has no rows, is not a list, or its column of addresses was not found.',
    remedy: 'Name the column with --column; riskcli help lists says what a list may be.',
    again: NO_NEVER_SENT,
  },
  no_answer: {
    cause: 'The wallet was never requested with this journal, or first after the time of --as-of or --since.',
    remedy:
      'Ask for the wallet: riskcli profile WALLET --journal FILE. Name a later time: riskcli journal show says what the oldest answer is from.',
    again: NO,
  },
  fail_if: {
    cause: 'A row matched a condition of --fail-if or a rule of --policy, or could not be judged.',
    remedy: 'Look at the rows: the columns matched and unjudged say which.',
    again: 'No: this is an answer, not a failure.',
  },
  locked: {
    cause: 'Only one run at a time can use a journal or change the settings.',
    remedy: 'Wait until it has ended.',
    again: AFTER,
  },
  doctor: {
    cause: 'riskcli doctor found something wrong; its exit code is that of the worst finding.',
    remedy: 'Each finding names its remedy.',
    again: AFTER,
  },
  sighup: { cause: 'The terminal was closed.', remedy: 'Run the same command again.', again: YES_RESUMES },
  sigint: { cause: 'Ctrl-C was pressed.', remedy: 'Run the same command again.', again: YES_RESUMES },
  pipe: {
    cause: 'The program that read the output has ended, as head does.',
    remedy: 'Nothing to do: it has read what it needed.',
    again: YES_RESUMES,
  },
  sigterm: {
    cause: 'Something asked riskcli to end: a service manager, docker stop, a time limit.',
    remedy: 'Run the same command again.',
    again: YES_RESUMES,
  },
  ...walletHelp(),
};

/** Codes of rows that are not wallets: no message has them, and nothing was sent for them. */
function walletHelp() {
  const row = (cause: string, remedy = 'Correct the row.'): ErrorHelp => ({ cause, remedy, again: NO_NEVER_SENT });
  return {
    empty: row('The cell is empty.'),
    checksum: row('A letter or its case is mistyped.', 'Copy the address again, or use --no-checksum.'),
    no_prefix: row('The address lacks 0x in front.'),
    length: row('Characters are missing, or there are too many.'),
    not_hex: row('A character is not 0-9 or a-f.'),
    not_address: row('The text is something else.', 'Name the column of addresses with --column.'),
    ambiguous: row('The cell holds more than one address.'),
    ens: row(
      'It is a name such as vitalik.eth.',
      'Write its address, or use --wallet-format name if the service takes names.',
    ),
    icap: row('It is an ICAP code (XE...).', 'Write the address as 0x...'),
    secret: row(
      'It looks like a private key or a recovery phrase.',
      'Remove it from the list, and treat it as leaked.',
    ),
  } as const;
}

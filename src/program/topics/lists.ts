/** `riskcli help lists` */
export const lists = `A list is several wallets on the command line, standard input (-), or files
(-f FILE, also several, also packed with gzip).

What a list may be:
  lines       one address a line; blank lines and # comments are skipped
  CSV         separated by , ; | or tab; the column with the addresses is found,
              or named with --column
  JSON        an array of addresses or of objects; --column as well
  JSON Lines  one of these a line

  A byte order mark, CRLF and UTF-16 are understood. A cell that holds one
  address in other text (a link to an explorer, eth:0x...) is that address.
  Whatever looks like a private key (64 hex digits) is never sent, shown or
  written.

How it is gone through:
  A file is checked before anything is paid for; a stream is answered line by
  line as it arrives. Rows come out in the order of the input. Each distinct
  wallet is asked for once. A row that is no wallet has the status invalid.

Nothing is paid for twice:
  With -o FILE, each answer is kept in FILE.journal as it arrives. Whatever
  stops a run (Ctrl-C, a limit, a full disk), the same command again goes on
  from there; the journal is removed when nothing is left to ask for. One that
  is named with --journal FILE stays, for several lists and for riskcli journal;
  --max-age DURATION asks again for older answers. Ctrl-C waits up to 8 seconds
  for answers that are under way, since they are paid for; a second Ctrl-C does
  not.

How fast:
  riskcli learns the limit of the key from the answers and stays below it.
  --rate and --concurrency only slow it down. It waits as long as the service
  asks for, but no longer than --max-wait without an answer: then exit 7.

When it stops:
  20 wallets in a row that fail in the same way stop a list, so that an outage
  or a spent plan does not turn it into failures. So do a rejected key, a spent
  quota, --max-requests, monthly-requests and a full disk.

Examples:
  # What it would cost
  $ riskcli profile -f wallets.csv --dry-run
  # The list; the same command again goes on after a stop
  $ riskcli profile -f wallets.csv -o scored.csv
  # A stream, answered as it comes
  $ tail -f wallets.txt | riskcli profile - --jsonl
  # Every night, only what is older than 20 hours
  $ riskcli profile -f wallets.csv -o out.csv --journal j --max-age 20h
`;

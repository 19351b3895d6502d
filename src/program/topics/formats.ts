/** `riskcli help formats` */
export const formats = `Data goes to standard output, everything else to standard error. The format is
the one that is asked for (--format FORMAT, --json, --jsonl, --csv), else the
one that the name of -o FILE says (.json, .jsonl, .csv, .prom), else a table.

One wallet:
  table   a card to read; in a pipe a line of path, tab and value for each value
  json    the service's document: every field, in its order, and every digit of
          every number

A list, a row each, in the order of the input:
  table   wallet, status, collateral, score, and a warning or an error; in a
          pipe separated by tabs, without a header. Two to four wallets typed
          on a terminal: their cards side by side, if they fit (44 columns each)
  jsonl   a line a row: the document, and _meta with what riskcli knows: line,
          input, status, score, answered_at, warning, error
  json    an array of the same objects
  csv     the input's own columns, then wallet_address, status,
          total_collateral_usd, score, answered_at, warning, error

The status of a row:
  scored    the answer has a score
  no_score  it has none; it is never shown as 0
  invalid   the input is no wallet; nothing was sent
  failed    there is no answer, and error says why
  pending   the run stopped before its turn (with --partial)

CSV is quoted as RFC 4180 says, with LF; a delimiter and a byte order mark of
  the input are kept. Text that a spreadsheet would run is made harmless;
  numbers and the input's own cells are not touched.

--fields picks, orders and renames: a,b.c[0],score=defi_score.defi_score. With +
  in front it adds to the usual fields; '*' is every field. A field that no
  answer had is exit 2, with the nearest there is; path? may be absent.

-o FILE is replaced in one step when the whole list is through; until then the
  old one stays. - is standard output.

Messages are lines on standard error: riskcli: what happened; what to do next.
  With json or jsonl each of them is an object: {"error": {...}} or
  {"note": "..."}. When all went well and nobody watches, there are none.

riskcli schema lists what each command prints, and riskcli schema NAME prints
its JSON Schema.

Examples:
  # One value of one wallet
  $ riskcli profile "$WALLET" --json | jq .defi_score
  # A list for a spreadsheet, with one more column
  $ riskcli profile -f wallets.csv -o out.csv --fields '+defi_score.risk_level'
  # A list for a program
  $ riskcli profile -f wallets.csv --jsonl | jq -c '[._meta.line, ._meta.score]'
`;

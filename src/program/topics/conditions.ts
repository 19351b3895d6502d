/** `riskcli help conditions`: the one grammar of --fail-if and --where, and what goes with them. */
export const conditions = `Conditions say something about a row: about the service's answer for one wallet,
and about what riskcli adds to it. --fail-if, --where and the rules of --policy
take the same ones.

  PATH < VALUE     also <= > >= == and !=
  PATH exists      there is a value other than null, "", {} or []
  PATH missing     there is no such value

The path:
  defi_score.risk_level, a.b[0] or ["a.b"] points to a value in the document.
  Put a key that contains . [ ] , = < > or ": " in brackets and quotes.
  The row's own names, as in the head of csv: status (scored, no_score, invalid,
  failed or pending), score, answered_at, warning, line, input.COLUMN for what
  the list brought, and with --where also matched, unjudged and excused. They
  are the same as _meta.status and so on; _meta also has error.code,
  error.message and error.http_status. A member of the document with such a
  name, at its top, is ["status"]; score.value is the document's, for a score
  has nothing inside.
  PATH? says that answers may do without it.

The value:
  A number is compared exactly, as a decimal, even if the service sends it as
  text: "0.30" == 0.3, and 9007199254740993 is not 9007199254740992.
  A date or time, 2026-12-31 or 2026-12-31T08:00:00Z, can be compared as well; a
  day begins at 00:00 UTC.
  Text, true and false are equal or not: 'level == High Risk'. Put text that
  contains an operator in quotes: 'level == "a > b"'.
  When no row had the text that == asks for, but one that comes near (the case
  of a letter, or High for High Risk), a note says so; on a terminal, and in
  --summary, are the values that there were.

What cannot be judged:
  A value that is missing or of another kind cannot be compared, and neither can
  the answer of a wallet that has none. For --fail-if and --policy the exit code
  is 10 all the same, since unknown is not safe, but such rows are counted apart
  from those that match. --where leaves them out, and says how many.

A mistyped path:
  A path that no answer of the run had is exit 2 after the output, with the
  nearest there is. If none of the first 20 answers had it, and another path is
  near (a key that differs by at most two letters, or the path is the end of
  another), the list stops there: what was paid is kept in the journal, or
  printed, and the corrected command continues. PATH?, indices, exists and
  missing never stop a list; until the paths are proved, 40 wallets are asked
  for at most. The same holds for --fields, --sort and policies.

--fail-if 'NAME: CONDITION' gives the condition a name: letters, digits, spaces
  and . _ - inside. A space follows the colon; keys such as eip155:1 and values
  such as https://example.com are read as they are.
  The exit code is 10 if any row of the list matches or cannot be judged, shown
  or not. Rows say by which conditions: _meta.matched and _meta.unjudged in json
  and jsonl, the last columns matched and unjudged in csv and table.

--where CONDITION shows only the rows for which it is true; with several, all
  must be. It changes neither what is asked of the service nor the exit code,
  which is about all rows of the list. To judge only some rows, put both into
  one rule of a policy: {"all": ["score < 400", "debt > 0"]}.

--sort PATH or PATH:desc orders the rows: numbers first (compared exactly), then
  text, then false and true. Rows without the value come last, in both
  directions, and equal ones keep their order. Nothing is shown before the last
  row is there.

--top N shows only the first N rows, and says on stderr how many it left out.
  All rows are still asked for.

riskcli diff takes all of these for its own rows: 'score.delta < -50',
  'change == removed', --sort score.delta; riskcli diff --help has the names. Of
  a wallet that was added or removed no delta can be judged.

Examples:
  # Exit 10 if any score is below 400 or unknown
  $ riskcli profile -f wallets.csv --csv --fail-if 'low: score < 400'
  # The ten largest wallets whose risk is high
  $ riskcli profile -f wallets.csv --top 10 --sort total_collateral_usd:desc \\
      --where 'defi_score.risk_level == High Risk'
  # Only the rows that matched
  $ riskcli profile -f wallets.csv --csv --fail-if 'warning exists' \\
      --where 'matched exists'
`;

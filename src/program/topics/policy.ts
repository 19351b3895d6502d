/** `riskcli help policy` */
export const policy = `A policy is a JSON file of rules and exceptions, for reviewers to agree on. With
--policy FILE the exit code is 10 if any row of the list matches a rule that it
is not excused from. --fail-if can be given as well.

  {
    "rules": [
      {
        "name": "low score",
        "if": "score < 400",
        "note": "ask the risk desk"
      },
      {
        "name": "thin",
        "if": {"all": ["total_collateral_usd < 1000", "total_borrowed_usd > 0"]}
      }
    ],
    "exceptions": [
      {
        "wallet": "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
        "rule": "low score",
        "reason": "known to us, see ticket 17",
        "until": "2026-12-31"
      }
    ]
  }

Rules:
  name   up to 100 letters, digits and spaces, with . _ - inside
  if     a condition (see riskcli help conditions), or {"all": [...]} or
         {"any": [...]} of conditions; these can contain one another
  note   optional; shown when the rule is the one that matched

  A rule of which a condition cannot be judged is exit 10 like one that matches,
  unless the others decide: "all" with one that is false is false, "any" with
  one that is true is true. Without an answer no rule can be judged. Rows say so
  in _meta.unjudged, and in a column of csv and table.

Exceptions:
  wallet   the address, in any spelling of its letters
  rule     the name of a rule of the policy
  reason   why
  until    optional; the last day on which it holds, in UTC

  An exception excuses one wallet from one rule. Rows say so: _meta.excused in
  json and jsonl, a last column excused in csv and table. Exceptions that have
  expired, and those that never applied, are named on stderr.

Whatever is wrong with the file ends with exit 2 before anything is sent: an
unknown or double key, a missing part, no rule, two rules with one name, an
exception without a rule, wallet or date that there is, two for the same wallet
and rule. So does, afterwards, a rule about a path that no answer had.

Examples:
  # Exit 10 if a rule matches that nobody is excused from
  $ riskcli profile -f wallets.csv -o scored.csv --policy policy.json
  # What is excused, and why
  $ riskcli profile -f wallets.csv --jsonl --policy policy.json \\
      --where 'excused exists' --fields wallet_address,excused
`;

/** `riskcli profile`: one wallet at a glance, or a list with a row each. */
import { command } from '../../cli/command.ts';
import { GATE_EXITS, KEY_EXITS } from '../../cli/exits.ts';
import type { Context } from '../../context.ts';
import { ExitCode } from '../../errors.ts';
import { resolveSettings } from '../../settings/resolve.ts';
import { ARGUMENTS_FORM, BASELINE_FORM, ONE_WALLET_FORM, SANDBOX_FORM } from '../shared/flags.ts';
import type { Tell } from '../shared/list/options.ts';
import { flags, type ProfileFlags, profileOptions } from './options.ts';

const DETAILS = `Paths point to a value in the document, such as defi_score.risk_level, a.b[0]
or ["a.b"], or to what riskcli knows about the row: score, status, answered_at,
warning and line, as in csv, input.COLUMN for what the list brought, and
_meta.error.code, _meta.error.message and _meta.error.http_status. A member of
the document with such a name is ["score"]. A mistyped path stops a list after
20 answers if another one is near; PATH? may be absent.
The status is scored, no_score, invalid (not a wallet; nothing was sent), failed
or pending (not reached). --accept takes the last four, separated by commas.

Conditions: 'PATH < VALUE' (or one of <= > >= == != ), 'PATH exists' or 'PATH
missing'. A value that is missing or of another kind cannot be judged, and
neither can a row without an answer: for --fail-if that is exit 10 like a match,
since unknown is not safe. --where leaves such rows out. See riskcli help
conditions, also for --sort, --top and --policy.

CSV: the input's own columns, then wallet_address, status, total_collateral_usd,
score, answered_at, warning, error; with --fail-if and --policy then matched and
unjudged, with --policy also excused.

The journal: with -o FILE, each answer is kept in FILE.journal as it arrives.
Whatever stops a run, rerun the same command to resume. The journal is removed when
nothing is left to request. One named with --journal stays, and can be used for
several lists.

--summary is written at the end however the list ends: well, badly, by a signal,
or before it began (no key, an empty list). Only kill -9 leaves the old one.

Durations: 500ms, 3s, 5m, 24h, 7d; a bare number is seconds.`;

export const profile = command({
  description: `Show the risk profile of one wallet, or of each wallet in a list. A list may be
lines, CSV (columns are carried through), JSON or JSON Lines; rows come out in
input order, and each distinct wallet is requested once. Two to four wallets on
a terminal that is wide enough for them are cards side by side.`,
  args: [
    { name: 'wallet', help: 'one or more 0x addresses, or - for a list on stdin', optional: true, variadic: true },
  ],
  flags,
  screenFlags: [
    'file',
    'column',
    'format',
    'output',
    'fields',
    'fail-if',
    'journal',
    'max-age',
    'dry-run',
    'max-requests',
  ],
  forms: [ONE_WALLET_FORM, ARGUMENTS_FORM, SANDBOX_FORM, BASELINE_FORM],
  details: DETAILS,
  examples: [
    { line: 'riskcli profile 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', does: 'One wallet at a glance' },
    {
      line: 'riskcli profile -f wallets.csv --column holder -o scored.csv',
      does: 'A list; after a stop, rerun the same command to resume',
    },
    { line: 'riskcli profile -f wallets.csv --dry-run', does: 'What a list would cost' },
    {
      line: 'riskcli profile 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 --json | jq .',
      does: 'The document exactly as the service spelled it',
    },
    { line: 'riskcli profile "$WALLET" "$OTHER"', does: 'Two wallets, side by side on a wide terminal' },
    {
      line: 'riskcli profile -f wallets.csv -o scored.csv --summary scored.json',
      does: 'From cron, with a file that tells how it ended',
    },
    {
      line: "riskcli profile - --jsonl --fail-if 'score < 400' < wallets.txt",
      does: 'A gate: exit 10 if any score is below 400 or unknown',
    },
    {
      line: 'riskcli profile -f wallets.csv -o scored.csv --policy policy.json',
      does: 'The same with rules and exceptions in a file',
    },
    {
      line: 'riskcli profile -f wallets.csv --sort total_collateral_usd:desc --top 10',
      does: 'The ten largest wallets',
    },
  ],
  reads: ['settings', 'key', 'auth', 'score', 'monthly-requests', 'network', 'color'],
  exits: [...KEY_EXITS, ...GATE_EXITS, ExitCode.locked],
  async run(flags, context) {
    const { summary, dryRun } = flags;
    // A dry run leaves the file of the last run as it is.
    if (summary === undefined || dryRun) return ask(flags, context);
    const { summarised } = await import('../shared/list/summary-file.ts');
    return summarised({ ...flags, summary }, context, (tell) => ask(flags, context, tell));
  },
});

async function ask(flags: ProfileFlags, context: Context, tell?: Tell): Promise<ExitCode | undefined> {
  const settings = resolveSettings(flags, context);
  const options = await profileOptions(flags, { settings, context });
  const run = { options, settings, context, tell };
  if (options.source.kind === 'one' && !options.dryRun) {
    const { profileOne } = await import('./one.ts');
    return profileOne(options.source.wallet, run);
  }
  const { profileList } = await import('../shared/list/list.ts');
  return profileList(run);
}

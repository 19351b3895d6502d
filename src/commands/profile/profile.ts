/** `riskcli profile`: one wallet at a glance, or a list with a row each. */
import { command } from '../../cli/command.ts';
import { resolveSettings } from '../../settings/resolve.ts';
import { formOf, profileFlags, profileOptions } from './profile-options.ts';

export const profile = command({
  description: `Show the risk profile of one wallet, or of each wallet in a list. A list may be
lines, CSV (columns are carried through), JSON, JSON Lines or a workbook; rows
come out in input order, and each distinct wallet is requested once.`,
  args: [
    { name: 'wallet', help: 'one or more 0x addresses, or - for a list on stdin', optional: true, variadic: true },
  ],
  flags: profileFlags,
  screenFlags: [
    ...['file', 'column', 'format', 'output', 'fields'],
    ...['fail-if', 'journal', 'max-age', 'dry-run', 'max-requests'],
  ],
  form: formOf,
  examples: [
    { line: 'riskcli profile 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', does: 'One wallet at a glance' },
    {
      line: 'riskcli profile -f wallets.csv --column holder -o scored.csv',
      does: 'A list; after a stop, run the same command again to resume',
    },
    { line: 'riskcli profile -f wallets.csv --dry-run', does: 'What a list would cost' },
    {
      line: 'riskcli profile 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 --json | jq .',
      does: 'The document exactly as the service spelled it',
    },
    { line: 'riskcli profile "$WALLET" "$OTHER"', does: 'Two wallets, a row each' },
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
  async run(flags, context) {
    const settings = resolveSettings(flags, context);
    const options = await profileOptions(flags);
    const run = { options, settings, context };
    if (options.source.kind === 'one' && !options.dryRun) {
      const { profileOne } = await import('./profile-one.ts');
      return profileOne(options.source.wallet, run);
    }
    const { profileList } = await import('./profile-list.ts');
    return profileList(run);
  },
});

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
  examples: {
    'riskcli profile 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045': 'One wallet at a glance',
    'riskcli profile -f wallets.csv --column holder -o scored.csv':
      'A list; after a stop, run the same command again to resume',
    'riskcli profile -f wallets.csv --dry-run': 'What a list would cost',
    'riskcli profile 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 --json | jq .':
      'The document exactly as the service spelled it',
    'riskcli profile "$WALLET" "$OTHER"': 'Two wallets, a row each',
    "riskcli profile - --jsonl --fail-if 'score < 400' < wallets.txt":
      'A gate: exit 10 if any score is below 400 or unknown',
    'riskcli profile -f wallets.csv -o scored.csv --policy policy.json': 'The same with rules and exceptions in a file',
    'riskcli profile -f wallets.csv --sort total_collateral_usd:desc --top 10': 'The ten largest wallets',
  },
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

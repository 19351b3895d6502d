/** `riskcli policy excuse`: writes an exception into a policy, or takes it out again. */
import { type Options, subcommand } from '../../cli/command.ts';
import { FILE, onOff, text, value } from '../../cli/flag.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { madePath } from '../../files/file-error.ts';
import { checkWallet } from '../../lists/check-wallet.ts';
import { type Excuse, ruleText } from '../../row/verdict.ts';
import { withException, withoutException } from '../../rules/exception-edit.ts';
import type { Exception } from '../../rules/judge.ts';
import { editPolicy } from '../../rules/policy-file.ts';
import type { Rule } from '../../rules/rules.ts';
import { quoted, quotedWord } from '../../secrets/redact.ts';
import { visible } from '../../text/escape.ts';
import { didYouMean, nearestFirst } from '../../text/nearest.ts';
import { DAY_MS, parseDay } from '../../text/when.ts';
import type { Wallet } from '../../wallet/address.ts';
import { checksumFlag } from '../flags.ts';

function dateText(typed: string, name: string): string {
  if (parseDay(typed) !== undefined) return typed;
  throw new UsageError(`${name} cannot be ${quotedWord(typed)}`, { hint: 'write a date like 2026-12-31' });
}

const excuseFlags = {
  rule: text({ value: 'RULE', help: 'the rule of the policy that the wallet is excused from' }),
  reason: text({ value: 'TEXT', help: 'why the wallet is excused', conflicts: ['remove'] }),
  until: value(dateText, {
    value: 'DATE',
    help: 'the last day of the exception, such as 2026-12-31 (UTC)',
    conflicts: ['remove'],
  }),
  remove: onOff({ help: 'take the exception out' }),
  checksum: checksumFlag,
};

export const excuse = subcommand({
  name: 'excuse',
  summary: 'Excuse a wallet from a rule, or take the exception out',
  description: `Write an exception into a policy: it excuses one wallet from one rule, until the
end of a day or for good. An exception for the same wallet and rule is replaced.
The file is replaced in one step, and everything else in it stays as its author
laid it out.`,
  args: [
    { name: 'file', help: 'the policy', completes: FILE },
    { name: 'wallet', help: 'the wallet: 0x and 40 hex digits' },
  ],
  flags: excuseFlags,
  examples: {
    'riskcli policy excuse p.json "$W" --rule low --reason due --until 2026-12-31': 'Until the end of the year',
    'riskcli policy excuse p.json "$W" --rule low --remove': 'Take the exception out',
  },
  excessHint: 'excuse one wallet at a time',
  run: excuseWallet,
});

async function excuseWallet(options: Options<typeof excuseFlags>, context: Context): Promise<undefined> {
  const { args, rule, checksum, remove, until } = options;
  const [file = '', address = ''] = args;
  if (rule === undefined) throw new UsageError('--rule is missing', { hint: 'add --rule RULE' });
  const reason = remove ? '' : reasonOf(options);
  checkDay(until, context.now());
  const wallet = await checkWallet(address, { checksum });
  // --remove may be meant for an exception whose rule is gone.
  const reading = { wallets: { checksum }, context, allowsUnknownRules: remove };
  let old: Exception | undefined;
  await editPolicy(file, reading, (content, { rules, exceptions }) => {
    const index = exceptions.findIndex((one) => one.id === wallet.id && one.rule === rule);
    old = exceptions[index];
    if (!old) checkRule(rule, rules);
    if (!remove) return withException(content, { wallet: wallet.address, rule, reason, until }, old && index);
    if (!old) throw noException(wallet, rule);
    return withoutException(content, index);
  });
  const excused = (rule: string, excuse: Excuse) =>
    `${wallet.address} excused from ${visible(ruleText({ rule, level: 'alarm', says: 'matches', excused: excuse }))}`;
  const where = madePath(file);
  if (old && !remove) context.report.info(`replaced in ${where}: ${excused(old.rule, old)}`);
  else
    context.report.hint(
      old
        ? `taken out of ${where}: ${excused(old.rule, old)}`
        : `added to ${where}: ${excused(rule, { reason, until })}`,
    );
}

function reasonOf({ reason }: Options<typeof excuseFlags>): string {
  if (reason !== undefined && reason.trim() !== '') return reason;
  throw new UsageError(reason === undefined ? '--reason is missing' : '--reason says nothing', {
    hint: "say why: --reason 'ticket 17'",
  });
}

/** Today has not passed. @throws UsageError */
function checkDay(until: string | undefined, now: number): void {
  const day = until === undefined ? undefined : parseDay(until);
  if (day === undefined || day + DAY_MS > now) return;
  throw new UsageError(`--until ${until} has passed`, { hint: 'name today or a later day (UTC)' });
}

/** @throws UsageError */
function checkRule(rule: string, rules: readonly Rule[]): void {
  const names = rules.map(({ name }) => name);
  if (names.includes(rule)) return;
  throw new UsageError(`the policy has no rule ${quoted(rule)}`, {
    hint: `${didYouMean(nearestFirst(rule, names).slice(0, 1))} riskcli policy check lists its rules`,
  });
}

const noException = ({ address }: Wallet, rule: string) =>
  new UsageError(`the policy has no exception of ${address} from ${quoted(rule)}`, {
    hint: 'riskcli policy check lists its exceptions',
  });

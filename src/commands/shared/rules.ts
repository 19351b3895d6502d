/** The rules of a run: those of --fail-if, and those of --policy with their exceptions. */
import type { Context } from '../../context.ts';
import type { Exception, Matches } from '../../row/matches.ts';
import { checkRules, type Rule } from '../../row/rules.ts';
import { visible } from '../../text/escape.ts';
import { counted } from '../../text/words.ts';
import type { WalletRules } from '../../wallet/address.ts';

export interface RuleSet {
  readonly rules: readonly Rule[];
  /** Undefined when there is no policy. */
  readonly exceptions: readonly Exception[] | undefined;
}

/** @throws UsageError when the policy cannot be read, or two rules have one name. */
export async function readRules(
  { failIf, policy: path }: { readonly failIf: readonly Rule[]; readonly policy?: string | undefined },
  { context, wallets }: { readonly context: Pick<Context, 'now'>; readonly wallets: WalletRules },
): Promise<RuleSet> {
  if (path === undefined) return { rules: failIf, exceptions: undefined };
  const { readPolicy } = await import('../../row/policy-file.ts');
  const policy = await readPolicy(path, { wallets, now: context.now() });
  const rules = [...failIf, ...policy.rules];
  checkRules(rules);
  return { rules, exceptions: policy.exceptions };
}

interface AppliedExceptions {
  readonly exceptions: readonly Exception[] | undefined;
  readonly matches: Matches;
  /** Of a run of one wallet: the others' exceptions are none of its business. */
  readonly wallet?: string;
}

/** Notes which exceptions have expired, and which excused nothing: they may be taken out of the policy. */
export function noteExceptions(
  { exceptions = [], matches, wallet }: AppliedExceptions,
  { report }: Pick<Context, 'report'>,
): void {
  const concerns = ({ id }: Exception) => wallet === undefined || id === wallet.toLowerCase();
  const expired = exceptions.filter((exception) => exception.isExpired && concerns(exception));
  const unused = matches.unused.filter(concerns);
  if (expired.length > 0) report.info(`${counted(expired.length, 'exception')} expired: ${named(expired)}`);
  if (unused.length > 0) report.info(`${counted(unused.length, 'exception')} never applied: ${named(unused)}`);
}

/** As many as fit on a line that somebody reads. */
const MAX_WALLETS_NAMED = 3;

function named(exceptions: readonly Exception[]): string {
  const names = exceptions
    .slice(0, MAX_WALLETS_NAMED)
    .map(
      ({ wallet, rule, until }) => `${visible(wallet)} from ${rule}${until === undefined ? '' : ` (until ${until})`}`,
    );
  const more = exceptions.length - names.length;
  return [...names, ...(more > 0 ? [`and ${counted(more, 'other')}`] : [])].join(', ');
}

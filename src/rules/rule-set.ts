/** The rules of a run: those of --fail-if, and those of --policy with their exceptions. */
import type { WalletRules } from '../wallet/address.ts';
import type { Exception } from './judge.ts';
import type { Rule } from './rules.ts';

export interface RuleSet {
  readonly rules: readonly Rule[];
  /** Undefined when there is no policy. */
  readonly exceptions?: readonly Exception[] | undefined;
  /** The SHA-256 of the policy's bytes. */
  readonly policySha256?: string | undefined;
}

/** @throws UsageError when the policy cannot be read, or two rules have one name. */
export async function readRules(
  { failIf, policy: path }: { readonly failIf: readonly Rule[]; readonly policy?: string | undefined },
  wallets: WalletRules,
): Promise<RuleSet> {
  if (path === undefined) return { rules: failIf, exceptions: undefined };
  const { readPolicy } = await import('./policy-file.ts');
  const policy = await readPolicy(path, { wallets });
  const rules = [...failIf, ...policy.rules];
  const { checkRules } = await import('./rules.ts');
  checkRules(rules);
  return { rules, exceptions: policy.exceptions, policySha256: policy.sha256 };
}

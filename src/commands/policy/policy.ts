/**
 * `riskcli policy`: what a policy says, judged as a run judges it, and exceptions written into it.
 */
import type { CommandBody } from '../../cli/command.ts';
import { policyCheckCommand } from './check-policy.ts';
import { excuse } from './excuse-wallet.ts';

export const policy: CommandBody = {
  description: `A policy is a JSON file of rules and exceptions, which profile and review take with --policy.
These commands need no key and send nothing.`,
  subcommands: [policyCheckCommand, excuse],
  examples: {
    'riskcli policy check p.json': 'List its rules, and what is left of its exceptions',
    'riskcli policy excuse p.json "$WALLET" --rule low --reason \'ticket 17\'': 'Excuse a wallet from a rule',
  },
};

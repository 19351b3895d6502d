/**
 * `riskcli policy check`: judges a policy as a run would, and lists its rules and its exceptions
 * with what is left of each.
 */

import { type Options, subcommand } from '../../cli/command.ts';
import { FILE } from '../../cli/flag.ts';
import type { Context } from '../../context.ts';
import { writeAll } from '../../files/stream.ts';
import { chooseFormat } from '../../output/choose-format.ts';
import { type FlatRecord, renderRecords } from '../../output/records.ts';
import { terminalOf } from '../../output/terminal/terminal-of.ts';
import { type Exception, hasEnded } from '../../rules/judge.ts';
import type { Policy } from '../../rules/policy.ts';
import { readPolicy } from '../../rules/policy-file.ts';
import { expressionLine, expressionText, type Rule } from '../../rules/rules.ts';
import { utcDay } from '../../text/when.ts';
import { checksumFlag, formatFlags } from '../flags.ts';

const CHECK_FORMATS = ['table', 'json'] as const;

const checkFlags = { ...formatFlags(CHECK_FORMATS), checksum: checksumFlag };

export const policyCheckCommand = subcommand({
  name: 'check',
  summary: 'Judge a policy as a run would, and list its rules and exceptions',
  description: `Judge a policy as strictly as a run does, and then list its rules, and its exceptions
with the days that are left of each. What a run would refuse is reported with its
line and column (exit 2); exceptions for a rule that the policy does not have are
listed nevertheless.`,
  args: [{ name: 'file', help: 'the policy', completes: FILE }],
  flags: checkFlags,
  examples: [
    { line: 'riskcli policy check p.json', does: 'Before it is committed' },
    { line: "riskcli policy check p.json | awk -F'\\t' '$4 == \"ended\"'", does: 'Exceptions that can be removed' },
  ],
  excessHint: 'name one policy',
  run: checkPolicy,
});

async function checkPolicy(options: Options<typeof checkFlags>, context: Context): Promise<undefined> {
  const { args, checksum, color } = options;
  const [file = ''] = args;
  const format = chooseFormat(options, { choices: CHECK_FORMATS });
  const policy = await readPolicy(file, { wallets: { checksum }, allowsStray: true });
  const terminal = terminalOf({ color }, context);
  const listed = listedOf(policy, context.now());
  const text = format === 'json' ? `${JSON.stringify(listed, null, 2)}\n` : await tableText(policy, listed, terminal);
  await writeAll(context.stdout, text);
  if (policy.stray) throw policy.stray;
}

function listedOf({ rules, exceptions }: Policy, now: number) {
  return {
    rules: rules.map(({ name, level, when, note = null }) => ({ name, level, if: expressionText(when), note })),
    exceptions: exceptions.map((exception) => {
      const { wallet, rule, reason, until = null } = exception;
      const state = exceptionState(exception, { rules, now });
      const daysLeft = state === 'in force' ? daysLeftOf(exception, now) : null;
      return { wallet, rule, state, days_left: daysLeft, until, reason };
    }),
  };
}

function exceptionState(
  exception: Exception,
  { rules, now }: { readonly rules: readonly Rule[]; readonly now: number },
) {
  if (!rules.some(({ name }) => name === exception.rule)) return 'of no rule';
  return hasEnded(exception, now) ? 'ended' : 'in force';
}

/** Whole UTC days after today; 0 on the last one. Null for an exception without an end. */
const daysLeftOf = ({ endsAt }: Exception, now: number) =>
  endsAt === undefined ? null : utcDay(endsAt) - 1 - utcDay(now);

/** Two tables; on a pipe the first cell of a line says which one it is of. */
async function tableText(
  { rules }: Policy,
  listed: ReturnType<typeof listedOf>,
  terminal: ReturnType<typeof terminalOf>,
): Promise<string> {
  const lines = rules.map(({ when }) => expressionLine(when));
  const ofRules = listed.rules.map(({ name, level, note }, i) => ({ rule: name, level, if: lines[i] ?? '', note }));
  const ofExceptions = listed.exceptions.map(({ wallet, rule, state, days_left, until, reason }) => {
    return { wallet, rule, days_left: state === 'in force' ? days_left : state, until, reason };
  });
  const table = (kind: string, records: readonly FlatRecord[]) =>
    renderRecords(terminal ? records : records.map((record) => ({ kind, ...record })), { format: 'table', terminal });
  const tables = [await table('rule', ofRules), await table('exception', ofExceptions)];
  return tables.filter(Boolean).join(terminal ? '\n' : '');
}

/**
 * `riskcli policy check`: judges a policy as a run would, and lists its rules and its exceptions
 * with what is left of each; with --against, what it would find in the answers of a run.
 */

import { type Options, subcommand } from '../../cli/command.ts';
import { FILE, text } from '../../cli/flag.ts';
import type { Context } from '../../context.ts';
import { writeAll } from '../../files/stream.ts';
import { chooseFormat } from '../../output/choose-format.ts';
import { type FlatRecord, renderRecords } from '../../output/records.ts';
import { terminalOf } from '../../output/terminal/terminal-of.ts';
import { type Exception, hasEnded } from '../../rules/judge.ts';
import type { Policy } from '../../rules/policy.ts';
import { readPolicy } from '../../rules/policy-file.ts';
import { expressionToJson, expressionToString, type Rule } from '../../rules/rules.ts';
import { resolveSettings } from '../../settings/resolve.ts';
import { visible } from '../../text/escape.ts';
import { utcDay } from '../../text/when.ts';
import { wrap } from '../../text/width.ts';
import { groupDigits } from '../../text/words.ts';
import { checksumFlag, formatFlags } from '../flags.ts';
import { type Effects, effectsOn } from './against.ts';

const CHECK_FORMATS = ['table', 'json'] as const;

const checkFlags = {
  against: text({
    value: 'RUN',
    help: 'judge the answers of RUN, a file of rows or a kept review (-: stdin)',
    once: 'name one run',
    completes: FILE,
  }),
  ...formatFlags(CHECK_FORMATS),
  checksum: checksumFlag,
};

export const policyCheckCommand = subcommand({
  name: 'check',
  summary: 'Judge a policy as a run would, and list its rules and exceptions',
  description: `Check a policy as strictly as a run does, and list its rules, and its exceptions
with the days left for each. What a run would refuse is reported with its line and
column (exit 2). Exceptions for a rule that the policy does not have are refused,
and listed as well.

--against RUN shows what a changed policy would do before a review uses it: for each
rule, how many wallets match, cannot be judged and are excused in the answers of RUN,
and how many alarms it would open and close compared with what RUN found, with the
first ten. Conditions on change cannot be judged. Nothing is sent.`,
  args: [{ name: 'file', help: 'the policy', completes: FILE }],
  flags: checkFlags,
  examples: {
    'riskcli policy check p.json': 'Before it is committed',
    'riskcli policy check p.json --against scored.jsonl': 'What it would match, open and close',
    "riskcli policy check p.json | awk -F'\\t' '$4 == \"ended\"'": 'Exceptions that can be removed',
  },
  excessHint: 'name one policy',
  run: checkPolicy,
});

async function checkPolicy(options: Options<typeof checkFlags>, context: Context): Promise<undefined> {
  const { args, checksum, color, against } = options;
  const [file = ''] = args;
  const format = chooseFormat(options, { choices: CHECK_FORMATS });
  const policy = await readPolicy(file, { wallets: { checksum }, allowsUnknownRules: true });
  const terminal = terminalOf({ color }, context);
  const listed = listedOf(policy, context.now());
  const scorePath = against === undefined ? undefined : resolveSettings(options, context).get('score').value;
  const effects = against === undefined ? undefined : await effectsOn(against, { policy, scorePath }, context);
  const printed =
    format === 'json'
      ? `${JSON.stringify({ ...listed, against: effects }, null, 2)}\n`
      : await tableText(policy, { ...listed, effects }, terminal);
  await writeAll(context.stdout, printed);
  if (policy.unknownRuleError) throw policy.unknownRuleError;
}

function listedOf({ rules, exceptions }: Policy, now: number) {
  return {
    rules: rules.map(({ name, level, when, note = null }) => ({ name, level, if: expressionToJson(when), note })),
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

/** Tables; on a pipe the first cell of a line says which one it is of. */
async function tableText(
  { rules }: Policy,
  listed: ReturnType<typeof listedOf> & { readonly effects: Effects | undefined },
  terminal: ReturnType<typeof terminalOf>,
): Promise<string> {
  const lines = rules.map(({ when }) => expressionToString(when));
  const ofRules = listed.rules.map(({ name, level, note }, i) => ({ rule: name, level, if: lines[i] ?? '', note }));
  const ofExceptions = listed.exceptions.map(({ wallet, rule, state, days_left, until, reason }) => {
    return { wallet, rule, days_left: state === 'in force' ? days_left : state, until, reason };
  });
  const effects = listed.effects?.rules ?? [];
  const table = (kind: string, records: readonly FlatRecord[]) =>
    renderRecords(terminal ? records : records.map((record) => ({ kind, ...record })), { format: 'table', terminal });
  const tables = [
    await table('rule', ofRules),
    await table('exception', ofExceptions),
    await table(
      'against',
      effects.map(({ open, close, ...counts }) => ({ ...counts, open: open.total, close: close.total })),
    ),
    ...(terminal
      ? [effects.flatMap((effect) => namedLines(effect, terminal.width)).join('')]
      : [await table('open', namedRecords(effects, 'open')), await table('close', namedRecords(effects, 'close'))]),
  ];
  return tables.filter(Boolean).join(terminal ? '\n' : '');
}

type RuleEffect = Effects['rules'][number];

const namedRecords = (effects: readonly RuleEffect[], how: 'open' | 'close'): readonly FlatRecord[] =>
  effects.flatMap(({ rule, [how]: { wallets } }) => wallets.map(({ wallet, label }) => ({ rule, wallet, label })));

/** `low would open 12: Acme, Initech and 2 more`. */
function namedLines({ rule, ...effect }: RuleEffect, width: number): readonly string[] {
  return (['open', 'close'] as const).flatMap((how) => {
    const { total, wallets } = effect[how];
    if (total === 0) return [];
    const names = wallets.map(({ label, wallet, line }) => visible(label ?? wallet ?? `line ${line}`)).join(', ');
    const more = total > wallets.length ? ` and ${groupDigits(total - wallets.length)} more` : '';
    return wrap(`${visible(rule)} would ${how} ${groupDigits(total)}: ${names}${more}`, width).map(
      (line) => `${line}\n`,
    );
  });
}

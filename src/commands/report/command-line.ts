/** The command line that a report names, so that it can be made again: without anything that may be a secret. */
import { conditionsOf, type Rule } from '../../row/rules.ts';
import { visibleName } from '../../secrets/withhold.ts';
import { shellWord } from '../../text/shell.ts';
import type { ReportFlags } from './options.ts';

export function commandLine(flags: ReportFlags, platform: string): string {
  const { args, env, walletFormat, score, format, output, title, baseline, policy, failIf, accept } = flags;
  const values = { env, 'wallet-format': walletFormat, score, format, output, title, baseline, policy };
  const words = [
    ...args,
    ...Object.entries(values).flatMap(([long, value]) => (value === undefined ? [] : [`--${long}`, value])),
    ...failIf.flatMap((rule) => ['--fail-if', ruleText(rule)]),
    ...(accept.size > 0 ? ['--accept', [...accept].join(',')] : []),
  ];
  return ['riskcli', 'report', ...words.map((word) => shellWord(visibleName(word), platform))].join(' ');
}

/** As parseRule reads it. */
function ruleText({ name, when }: Rule): string {
  const [condition] = conditionsOf(when);
  const text = condition?.text ?? '';
  return visibleName(text) === name ? text : `${name}: ${text}`;
}

import { expect, it } from 'vitest';
import { parseDocument } from '../../../src/document/parse.ts';
import { answeredRow } from '../../../src/row/make-row.ts';
import { findIn } from '../../../src/row/row-node.ts';
import { ruleNamesIn } from '../../../src/row/verdict.ts';
import { judgeRow } from '../../../src/rules/judge.ts';
import { parseRule, type Rule } from '../../../src/rules/rules.ts';
import { compareSeverity, severityOf } from '../../../src/rules/worst-first.ts';
import { wallet } from '../../fixtures/place/wallets.ts';

const RULES: readonly Rule[] = [
  'low: defi_score.score < 500',
  'big: total_collateral_usd > 1000',
  'marked: flag == true',
].map(parseRule);

/** The numbers of rows with these values, in their order. */
function ordered(rows: readonly (readonly [score: number, collateral: string, flag?: boolean])[], rules = RULES) {
  const judging = { rules, accept: new Set<string>() };
  const severities = rows.map(([score, collateral, flag = false], i) => {
    const text = `{"wallet_address":"0x","defi_score":{"score":${score}},"total_collateral_usd":${collateral},"flag":${flag}}`;
    const document = parseDocument(text);
    if (document.kind !== 'object') throw new TypeError('an object');
    const answer = answeredRow({ line: i, input: '' }, { wallet: wallet(i), document, answeredAt: 0 });
    const matched = ruleNamesIn({ verdicts: judgeRow(answer, judging) }, 'matched');
    return { i, severity: severityOf(matched, findIn(answer), rules) };
  });
  return severities.toSorted((a, b) => compareSeverity(a.severity, b.severity)).map(({ i }) => i);
}

it('sorts matches of a rule on low values from the lowest, and of one on high values from the highest', () => {
  expect(
    ordered([
      [450, '1'],
      [430, '1'],
      [499.5, '1'],
    ]),
  ).toEqual([1, 0, 2]);
  expect(
    ordered([
      [600, '1001'],
      [600, '1e9'],
      [600, '"2000.5"'],
    ]),
  ).toEqual([1, 2, 0]);
});

it('sorts matches of an earlier rule first, and keeps the order of the list for a rule without an order', () => {
  expect(
    ordered([
      [600, '5000'],
      [600, '1', true],
      [499, '1'],
      [600, '1', true],
      [400, '9999'],
    ]),
  ).toEqual([4, 2, 0, 1, 3]);
});

it('sorts matches by the condition that holds where a rule has several', () => {
  const [low, big] = RULES;
  const rules = [{ source: '--policy', name: 'any', when: { any: [low!.when, big!.when] }, level: 'alarm' } as const];
  expect(
    ordered(
      [
        [600, '2000'],
        [600, '3000'],
      ],
      rules,
    ),
  ).toEqual([1, 0]);
});

/** A page holds what the rows say, and nothing that they say is ever more than text. */

import { createHash } from 'node:crypto';
import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';
import { expect, it } from 'vitest';
import type { Node, ObjectNode } from '../../../../src/document/node.ts';
import { writeCompact } from '../../../../src/document/write.ts';
import { h, htmlOf, scriptJson } from '../../../../src/output/report/page/markup.ts';
import { pagePieces } from '../../../../src/output/report/page/page.ts';
import type { PageData } from '../../../../src/output/report/page-data.ts';
import type { Report } from '../../../../src/output/report/report.ts';
import { rowNode } from '../../../../src/row/row-node.ts';
import type { Verdict } from '../../../../src/row/verdict.ts';
import { visible } from '../../../../src/text/escape.ts';
import { anyText, fc, tries } from '../../../fixtures/properties.ts';
import { documents } from '../../document/documents.ts';
import { answered, reportOf } from './rows.ts';

type Element = DefaultTreeAdapterTypes.Element;

function* elementsIn(node: DefaultTreeAdapterTypes.Node): Generator<Element> {
  if ('tagName' in node) yield node;
  if ('childNodes' in node) for (const child of node.childNodes) yield* elementsIn(child);
}

const textIn = (node: DefaultTreeAdapterTypes.Node): string =>
  'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textIn).join('') : '';

const attribute = ({ attrs }: Element, name: string) => attrs.find((one) => one.name === name)?.value;

function pageOf(report: Report) {
  const html = [...pagePieces(report)].join('');
  const document = parse(html);
  const elements = [...elementsIn(document)];
  const named = (name: string) => elements.filter(({ tagName }) => tagName === name);
  const data: PageData = JSON.parse(textIn(elements.find((element) => attribute(element, 'id') === 'data') as Element));
  const cards = data.rows.map(({ card }) => card);
  return { html, elements, named, data, cards };
}

const HOSTILE = [
  '</script><script>alert(1)</script>',
  '<!--<script>',
  '<!--<script ',
  '</script x',
  '</SCRIPT\t/',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  ']]>\u2028\u2029\u202e',
  '</title></style><svg onload=alert(1)>',
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
  '__proto__',
];
const texts = fc.oneof(fc.constantFrom(...HOSTILE), anyText({ maxLength: 40 }));

/** A row of any answer: text of others in every place that has some. */
const rows = fc.array(
  fc.record({
    document: documents,
    text: texts,
    key: texts,
    rule: texts,
    score: fc.oneof(texts, fc.integer().map(String)),
  }),
  { maxLength: 8 },
);

function rowOf(
  line: number,
  { document, text, key, rule, score }: typeof rows extends fc.Arbitrary<(infer R)[]> ? R : never,
) {
  const string = (value: string): Node => ({ kind: 'string', value });
  const node: ObjectNode = {
    kind: 'object',
    members: [
      [key, string(text)],
      ['total_collateral_usd', string(score)],
      ['defi_score', { kind: 'object', members: [['defi_score', string(score)]] }],
      ['more', document],
      ['_meta', { kind: 'object', members: [['input', { kind: 'object', members: [[key, string(text)]] }]] }],
    ],
  };
  return {
    ...answered(line, node),
    warning: text,
    error: { code: 'x', message: key },
    verdicts: [matching(rule), { ...matching(rule), excused: { reason: text } }],
  };
}

const matching = (rule: string): Verdict => ({ rule, level: 'alarm', says: 'matches' });

/** Whatever the rows say, a page has no other elements and attributes than these. */
const ATTRIBUTES = new Set(
  (
    'lang charset http-equiv content name class id type role scope for tabindex title open width height viewBox x y d ' +
    'text-anchor preserveAspectRatio aria-label aria-labelledby aria-hidden data-filter data-label ' +
    'data-key data-title data-row'
  ).split(' '),
);

it('serialises elements with any texts and attributes', () => {
  fc.assert(
    fc.property(texts, texts, (inside, value) => {
      const [element] = parseFragment(
        htmlOf(h('p', { title: value, class: value }, inside, h('b', {}, inside))),
      ).childNodes;
      const shown = visible(inside);
      expect(textIn(element as Element)).toBe(shown + shown);
      expect((element as Element).attrs.map((one) => one.value)).toEqual([visible(value), visible(value)]);
      expect((element as Element).childNodes.at(-1)).toMatchObject({ tagName: 'b' });
    }),
  );
});

it('contains data that the script reads back unchanged', () => {
  fc.assert(
    fc.property(fc.array(texts), (data) => {
      const [script, ...rest] = parseFragment(
        `<script type="application/json">${scriptJson(data)}</script>`,
      ).childNodes;
      expect(rest).toEqual([]);
      expect(JSON.parse(textIn(script as Element))).toEqual(data);
    }),
  );
});

it('contains each row unchanged, runs only its own script, and never treats foreign text as markup', () => {
  fc.assert(
    fc.property(rows, texts, (made, title) => {
      const given = made.map((row, i) => rowOf(i + 1, row));
      const { elements, named, data, cards } = pageOf(reportOf(given, { title, source: title, command: title }));
      expect(cards).toEqual(given.map((row) => writeCompact(rowNode(row))));
      expect(data.rows.map(({ line }) => line)).toEqual(given.map(({ line }) => line));
      expect(named('script').map((script) => attribute(script, 'type'))).toEqual(['application/json', undefined]);
      expect(named('style')).toHaveLength(1);
      for (const name of ['img', 'iframe', 'object', 'a', 'link', 'form', 'base']) expect(named(name)).toEqual([]);
      const strange = elements
        .flatMap(({ attrs }) => attrs.map(({ name }) => name))
        .filter((name) => !ATTRIBUTES.has(name));
      expect(strange).toEqual([]);
    }),
    { numRuns: tries(10) },
  );
});

it('has a content security policy that allows only its own script and style, by hash', () => {
  const { named } = pageOf(reportOf([answered(1, '')]));
  const policy = named('meta').find((meta) => attribute(meta, 'http-equiv') === 'Content-Security-Policy');
  const hash = (element: Element | undefined) =>
    `'sha256-${createHash('sha256')
      .update(textIn(element as Element))
      .digest('base64')}'`;
  expect(attribute(policy as Element, 'content')).toBe(
    `default-src 'none'; script-src ${hash(named('script')[1])}; style-src ${hash(named('style')[0])}; base-uri 'none'; form-action 'none'`,
  );
});

it('shows figures, charts and the first rows without its script', () => {
  const scores = Array.from({ length: 80 }, (_, i) =>
    answered(i + 1, `"total_collateral_usd":${i}.10,"defi_score":{"score":${300 + i}}`),
  );
  const { html, named, data } = pageOf(reportOf(scores, { title: 'Week 47' }));
  expect(html).not.toMatch(/This page lists|of this page have a card/);
  expect(named('h1').map(textIn)).toEqual(['Week 47']);
  expect(named('h2').map(textIn)).toEqual(['Score', 'Collateral', 'Wallets']);
  expect(named('svg').filter((svg) => attribute(svg, 'class') === 'chart')).toHaveLength(2);
  const quantiles = named('section').find((one) => attribute(one, 'id') === 'score') as Element;
  expect(textIn(quantiles)).toContain(
    'lowest 300 · lower quartile 319 · median 339 · upper quartile 359 · highest 379',
  );
  expect(data.rows[1]).toMatchObject({ score: '301', collateral: '1.10' });
  const wallets = named('table').find((table) => attribute(table, 'id') === 'wallets') as Element;
  expect([...elementsIn(wallets)].filter(({ tagName }) => tagName === 'tr')).toHaveLength(51);
  expect(textIn(wallets)).toContain('$1.10');
});

/** A row that matched these rules, with a label from its list. */
const matched = (number: number, score: number, rules: readonly string[], level = 'High Risk') => {
  const input = { kind: 'object', members: [['customer', { kind: 'string', value: `Customer ${number}` }]] } as const;
  const members = `"total_collateral_usd":${number}000.129,"defi_score":{"defi_score":${score},"risk_level":"${level}"}`;
  return { ...answered(number, members), verdicts: rules.map(matching), input };
};

it('starts with key figures and matched rows, then charts and shares', () => {
  const rows = [9, 3, 7, 1, 8, 2, 6, 4].map((score, i) =>
    matched(i + 1, score * 10, score < 6 ? ['low'] : [], score > 5 ? 'Low Risk' : 'High Risk'),
  );
  const { elements, named } = pageOf(reportOf(rows));
  expect(named('h2').map(textIn)).toEqual([...['Matched: 4', 'Rules', 'Score', 'Collateral', 'Shares', 'Wallets']]);
  const tiles = elements.filter((element) => attribute(element, 'class') === 'tile').map(textIn);
  expect(tiles).toEqual(['matched450%', 'not judged00%', 'without a score00%']);
  const section = named('section').find((one) => attribute(one, 'id') === 'matched') as Element;
  const worst = [...elementsIn(section)].filter(({ tagName }) => tagName === 'tr').map(textIn);
  expect(worst[0]).toBe('customerWalletrisk levelScoreCollateralRules');
  expect(worst[1]).toMatch(/^Customer 80x0+8 High Risk40\$8,000.13low$/);
  expect(worst.map((row) => /^Customer (\d)/.exec(row)?.[1])).toEqual([undefined, '8', '6', '4', '2']);
});

it('redacts possible private keys everywhere', () => {
  const key = `${'c0ffee'.repeat(10)}beef`;
  const row = {
    ...answered(1, `"note":"${key}","${key}":1,"defi_score":{"score":"${key}"}`),
    warning: key,
    error: { code: 'x', message: key },
    verdicts: [matching(key)],
    input: { kind: 'object', members: [['customer', { kind: 'string', value: `Ann ${key}` }]] } as const,
  };
  const { html, cards } = pageOf(reportOf([row]));
  expect(html.includes(key) || cards.join('').includes(key)).toBe(false);
  expect(html).toContain('withheld');
});

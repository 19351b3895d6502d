/** The card of a wallet on a page: the whole answer, with every digit. */
import { expect, it } from 'vitest';
import type { ObjectNode } from '../../../../src/document/node.ts';
import { parseDocument } from '../../../../src/document/parse.ts';
import { cardBody } from '../../../../src/output/report/page/card.ts';
import { htmlOf } from '../../../../src/output/report/page/markup.ts';

const cardOf = (members: string) =>
  cardBody(
    { line: 1, wallet: '0x01', verdicts: [] },
    parseDocument(`{"wallet_address":"0x01",${members}}`) as ObjectNode,
  )
    .map(htmlOf)
    .join('');

it('shows every value of a long answer on its card, and rounds none', () => {
  const numbers = Array.from({ length: 2_000 }, (_, i) => i + 0.123456);
  const html = cardOf(`"all":[${numbers}],"total_collateral_usd":1.129,"text":"${'x'.repeat(5_000)}"`);
  expect(html.match(/<li>/g)).toHaveLength(numbers.length);
  for (const text of ['<li>1999.123456</li>', '<dd>1.129</dd>', 'x'.repeat(5_000)]) expect(html).toContain(text);
});

it('shows similar items in tables with every digit, and others in sections', () => {
  const html = cardOf(
    '"positions":[{"name":"Aave","usd":1.12345},{"name":"Lido"}],"parts":{"x":{"n":1},"y":{"n":2}},"a":{"b":{"c":{"d":1}}}',
  );
  expect(html).toContain('<h3>positions</h3><div class="scroll" role="region" aria-label="Table of positions"');
  expect(html).toMatch(/Aave<.*>1\.12345<.*Lido</);
  expect(html).toMatch(/>Name<\/th>.*>n<\/th>.*>x<\/th>.*>1<.*>y<\/th>.*>2</);
  expect(html.match(/>Name</g)).toHaveLength(1);
  expect(html).toMatch(/<h3>a\.b\.c<\/h3><dl><div><dt>d<\/dt><dd>1<\/dd>/);
});

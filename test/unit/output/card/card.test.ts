import { expect, it } from 'vitest';
import type { ObjectNode } from '../../../../src/document/node.ts';
import { parseDocument } from '../../../../src/document/parse.ts';
import { parsePath } from '../../../../src/document/parse-path.ts';
import { leaves } from '../../../../src/document/path.ts';
import { renderCard } from '../../../../src/output/card/card.ts';
import { sectionsOf } from '../../../../src/output/card/card-sections.ts';
import { roundedDollars } from '../../../../src/output/value-text.ts';
import { findScore } from '../../../../src/row/score.ts';
import { displayWidth } from '../../../../src/text/width.ts';
import { fc, tries } from '../../../fixtures/properties.ts';
import { document, WALLET } from '../rows.ts';

interface Look {
  readonly width?: number;
  readonly color?: 0 | 1;
  readonly scorePath?: string;
}

function card(text: string, { width = 80, color = 0, scorePath }: Look = {}) {
  const answer = document(text);
  const score = findScore(answer, scorePath ? parsePath(scorePath) : undefined);
  return renderCard(answer, { width, color, row: {}, score });
}

/** An answer with `more` members, as text. */
const answer = (more: string, score = '{"defi_score":474}') =>
  `{"wallet_address":"${WALLET}","total_collateral_usd":1234567.89,"defi_score":${score}${more && `,${more}`}}`;

const FULL = answer(
  `"health_factor":1.85,"protocols":["Aave V3","Lido"],"borrowed_usd":"50000.5","ens":"","closed":false,
   "history":{"first":"2020-01-01T00:00:00Z","chains":{"1":{"name":"Ethereum"}}},
   "positions":[{"protocol":"Aave V3","supplied_usd":120000.5,"health":1.85,"note":null},
                {"protocol":"Lido","supplied_usd":99,"health":null}],
   "errors":{"X:Ethereum":"could not get positions"}`,
  `{"components":{"leverage":{"component_score":74.6,"reasoning":"distance of the loans from liquidation, as seen over the last ninety days"},
    "spread":{"component_score":4,"reasoning":"one protocol only"}},
    "defi_score":474,"risk_level":"High Risk","recommendations":{"now":["Repay part of the loans, or add collateral","Review"],"later":[]}}`,
);

it('shows the score first, and once', async () => {
  const text = await card(answer('"a":1,"rating":{"grade":"B","value":"12.50"}', 'null'), {
    scorePath: 'rating.value',
  });
  expect(text).toContain('Score       12.50  (rating.value)  grade B\n\ndefi_score  null\na           1\n');
  expect(text.match(/12\.50/g)).toHaveLength(1);
});

it('never shows a missing score as a number', async () => {
  expect(await card(answer('', 'null'))).toContain('Score       no score\n\ndefi_score  null\n');
  expect(await card(answer('', '{"defi_score":null}'))).toContain('Score       no score  (defi_score.defi_score)\n');
  expect(await card(answer('', '{"a":1,"b":2}'))).toContain('Score       no score\n\ndefi_score\n  a  1\n  b  2\n');
});

it('shows both values of a key that comes twice, also in what could be a table', async () => {
  const text = await card(answer('"twice":1,"twice":2,"list":[{"a":3,"a":4},{"a":5}]'));
  for (const value of [1, 2, 3, 4, 5]) expect(text).toMatch(new RegExp(`(twice|a) +${value}\\n`));
});

it('keeps the digits of the service', async () => {
  const text = await card(
    answer('"n":[9007199254740993,1e400,-0,1.10],"m_usd":1e21', '{"score":0.1000000000000000055}'),
  );
  expect(text).toContain('Score       0.1000000000000000055');
  expect(text).toContain('9007199254740993, 1e400, -0, 1.10');
  expect(text).toContain('$1e21');
});

it('escapes control characters in values, names and headings', async () => {
  const hostile = '\\u001b]52;c;aGk=\\u0007\\u202e\\r\\u009b';
  const text = await card(
    answer(`"${hostile}":{"${hostile}":"${hostile}","b":["${hostile},x"]},"t":[{"${hostile}":"${hostile}"}]`),
  );
  expect(text).toContain('\\u001b]52;c;aGk=\\u0007\\u202e\\r\\u009b');
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

it('counts the values that a card leaves out', async () => {
  const items = (count: number, item: string) => Array.from({ length: count }, () => item).join(',');
  const text = await card(
    answer(
      `"rows":[${items(500, '{"name":"a","n":1}')}],"lines":[${items(500, '"a,b"')}],` +
        `"map":{${Array.from({ length: 500 }, (_, i) => `"k${i}":${i}`).join(',')}},"long":"${'x'.repeat(10_000)}"`,
    ),
  );
  expect(text.match(/… 480 more \(--json shows all\)/g)).toHaveLength(2);
  expect(text).toContain('… 440 more (--json shows all)');
  expect(text.replace(/\n +/g, ' ')).toContain('… 9,200 more characters (--json shows all)');
  expect(text.split('\n').length).toBeLessThan(160);
});

it('draws a document of many sections, and a deep one', async () => {
  const sections = Array.from({ length: 300 }, (_, i) => `"s${i}":{"a":{"b":1}}`).join(',');
  expect(await card(answer(sections))).toContain('… 240 more sections (--json shows all)\n');
  expect(await card(answer(`"deep":${'{"d":['.repeat(400)}1${']}'.repeat(400)}`))).toContain('deep.d[0].d[0]');
});

it('reads only the first of 200,000 containers, and says that there are more', async () => {
  const lists = Array.from({ length: 200_000 }, (_, i) => `[[${i}]]`).join(',');
  expect(await card(answer(`"lists":[${lists}]`))).toMatch(/… at least [\d,]+ more sections \(--json shows all\)\n$/);
  const numbers = await card(answer(`"numbers":[${'1,'.repeat(199_999)}1]`));
  expect(numbers).toContain('… 199,980 more (--json shows all)\n');
});

it.each([
  ['numbers', () => '1'],
  ['rows', (i: number) => `{"a":${i},"b":2}`],
  ['lists of rows', (i: number) => `[{"a":${i}},{"b":{"c":1}}]`],
  ['objects', (i: number) => `{"k${i}":{"a":[${i},{}]}}`],
])('makes at most 10,000 texts of an answer of 200,000 %s', (_, item) => {
  const document = parseDocument(`{"x":[${Array.from({ length: 200_000 }, (_, i) => item(i))}]}`) as ObjectNode;
  const texts: string[] = [];
  const textOf = (name: string) => `${texts.push(name)}`;
  const { sections } = sectionsOf(document, { maxValues: 10_000, textOf });
  expect(texts.length).toBeLessThanOrEqual(10_000);
  expect(sections.length).toBeGreaterThan(0);
});

it('draws items as a table only if they have similar keys', async () => {
  const alike = await card(answer('"a":{"x":{"n":1,"t":"u"},"y":{"n":22,"t":"v"}}'));
  expect(alike).toContain('a\n      n  t\n  x   1  u\n  y  22  v\n');
  const beside = await card(answer('"a":{"total":2,"x":{"n":1,"t":"u"},"y":{"n":22,"t":"v"},"last":null}'));
  expect(beside).toContain('a\n  total  2\n  last   null\n\n      n  t\n  x   1  u\n  y  22  v\n');
  expect(beside.match(/^a$/gm)).toHaveLength(1);
  const one = await card(answer('"a":{"total":2,"x":{"n":1,"t":"u"}}'));
  expect(one).toContain('a\n  total  2\n\na.x\n  n  1\n  t  u\n');
  const different = await card(answer('"a":{"x":{"n":1},"y":{"t":"v","u":2,"w":3}}'));
  expect(different).toContain('a.x\n  n  1\n\na.y\n  t  v\n');
  const mixed = await card(answer('"a":[1,{"b":2},[3,4],null]'));
  expect(mixed).toContain('a\n  [0]  1\n  [2]  3, 4\n  [3]  null\n\na[1]\n  b  2\n');
});

it.each([20, 40, 80, 200])('fits a card into %d columns', async (width) => {
  for (const line of (await card(FULL, { width })).split('\n').slice(3)) {
    expect(displayWidth(line)).toBeLessThanOrEqual(Math.min(width, 120));
  }
});

it('keeps the address whole at any width, so that it can be copied', async () => {
  expect(await card(FULL, { width: 20 })).toContain(`Wallet      ${WALLET}\n`);
  expect(await card(FULL, { width: 54 })).toContain(`Wallet      ${WALLET}\n`);
  expect(await card(FULL, { width: 53 })).toContain(`Wallet\n  ${WALLET}\n`);
});

it('uses only bold and dim, so that no score looks better than another', async () => {
  const colored = await card(FULL, { color: 1 });
  expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(await card(FULL));
  expect(new Set(colored.match(/\u001b\[\d+m/g))).toEqual(new Set(['\u001b[1m', '\u001b[2m', '\u001b[22m']));
});

it('shows every value of any small document', async () => {
  const scalar = fc.oneof(fc.stringMatching(/^[a-z]{1,12}$/), fc.integer(), fc.boolean(), fc.constant(null));
  const key = fc.stringMatching(/^[a-z_]{1,10}$/).filter((name) => !name.endsWith('usd'));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      scalar,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(tree, async (value) => {
      const text = answer(`"more":${JSON.stringify(value)}`);
      const words = new Set((await card(text, { width: 200 })).split(/[\s,]+/));
      for (const { node } of leaves(document(text))) {
        if (node.kind === 'string' && node.value !== '') expect(words).toContain(node.value);
        if (node.kind === 'number' && node.spelling !== '1234567.89') expect(words).toContain(node.spelling);
      }
    }),
    { numRuns: tries(50) },
  );
});

const number = (spelling: string) => ({ kind: 'number', spelling }) as const;
it.each([
  ['1234567.89', '$1,234,567.89'],
  ['1.125', '$1.13'],
  ['1.1249', '$1.12'],
  ['-1.125', '-$1.13'],
  ['-0.001', '$0.00'],
  ['-0', '$0.00'],
  ['99999999999999999999.999', '$100,000,000,000,000,000,000.00'],
  ['1234567890123456789012.5', '$1234567890123456789012.5'],
  ['1e400', '$1e400'],
  ['-1E5', '-$1E5'],
])('formats %s dollars as %s', (spelling, rounded) => expect(roundedDollars(number(spelling))).toBe(rounded));

it('formats decimals sent as text, and leaves other text alone', () => {
  expect(roundedDollars({ kind: 'string', value: '50000.5' })).toBe('$50,000.50');
  expect(roundedDollars({ kind: 'string', value: 'n/a\u001b' })).toBe('n/a\\u001b');
  expect(roundedDollars({ kind: 'literal', value: null })).toBe('null');
});

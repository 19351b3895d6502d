import { expect, it } from 'vitest';
import type { ObjectNode } from '../../../src/document/node.ts';
import { parseDocument } from '../../../src/document/parse.ts';
import { parsePath } from '../../../src/document/parse-path.ts';
import { lookup } from '../../../src/document/path.ts';
import { writeCompact } from '../../../src/document/write.ts';
import { classify, inputText, type Row, type RowInput } from '../../../src/row/row.ts';
import { findIn, rowNode, writeRow } from '../../../src/row/row-node.ts';

const document = (text: string) => parseDocument(text) as ObjectNode;

it('writes a row without an answer with the wallet and the error', () => {
  const failed: Row = {
    line: 1,
    input: [
      ['name', 'x'],
      ['__proto__', '0xab'],
    ],
    wallet: '0xab',
    status: 'failed',
    error: { code: 'refused', message: 'the service said no', httpStatus: 422 },
  };
  expect(writeRow(failed)).toBe(
    '{"wallet_address":"0xab","_meta":{"line":1,"input":{"name":"x","__proto__":"0xab"},"status":"failed","score":null,"answered_at":null,"error":{"code":"refused","message":"the service said no","http_status":422}}}',
  );
  const invalid: Row = { line: 2, input: 'nick.eth', status: 'invalid', error: { code: 'ens', message: 'a name' } };
  expect(writeRow(invalid)).toBe(
    '{"_meta":{"line":2,"input":"nick.eth","status":"invalid","score":null,"answered_at":null,"error":{"code":"ens","message":"a name"}}}',
  );
});

it('keeps a member _meta of the service under another name', () => {
  const node = rowNode({
    line: 1,
    input: 'a',
    status: 'no_score',
    document: document('{"_meta":{"status":"evil"},"a":1}'),
  });
  expect(lookup(node, ['_meta', 'status'])).toEqual({ kind: 'string', value: 'no_score' });
  expect(lookup(node, ['service._meta', 'status'])).toEqual({ kind: 'string', value: 'evil' });
  expect(node.members.map(([key]) => key)).toEqual(['service._meta', 'a', '_meta']);
});

const found = (row: Row, path: string) => {
  const node = findIn(row)(parsePath(path));
  return node === 'unknown' ? node : node && writeCompact(node);
};

it('finds only the wallet and _meta of a row without an answer', () => {
  const failed: Row = { line: 7, input: '0xab', wallet: '0xab', status: 'failed' };
  expect(found(failed, 'wallet_address')).toBe('"0xab"');
  expect(found(failed, '_meta.status')).toBe('"failed"');
  expect(found(failed, 'total_collateral_usd')).toBe('unknown');
  expect(found({ line: 7, input: 'x', status: 'invalid' }, 'wallet_address')).toBe('unknown');
});

const warningOf = (text: string) => classify(document(text)).warning;

it.each([
  ['{"errors":["a","b"]}', 'errors: a, b'],
  ['{"error":"down"}', 'error: down'],
  ['{"warnings":{"aave":"late","lido":[],"x":null}}', 'warnings: aave: late'],
  ['{"price_errors":[{"chain":1}],"rate_warnings":true}', 'price_errors: {"chain":1}; rate_warnings: true'],
  ['{"errors":{"aave":{"code":5}}}', 'errors: aave: {"code":5}'],
  ['{"errors":3}', 'errors: 3'],
  [`{"error":"${'x'.repeat(493)}"}`, `error: ${'x'.repeat(493)}`],
  [`{"error":"${'x'.repeat(494)}"}`, `error: ${'x'.repeat(490)}...`],
  [`{"error":"${'x'.repeat(489)}🦊🦊🦊"}`, `error: ${'x'.repeat(489)}...`],
])('warns of the answer %s: %s', (text, warning) => {
  expect(warningOf(text)).toBe(warning);
  expect(classify(document(`{"defi_score":{"score":1},${text.slice(1)}`))).toMatchObject({ status: 'scored', warning });
});

it.each([
  ...['{}', '{"errors":[]}', '{"errors":{}}', '{"errors":""}', '{"errors":{"aave":[],"lido":null,"x":{"y":""}}}'],
  ...['{"errors":[[],{}]}', '{"errors":false,"warnings":0,"price_errors":null}'],
  ...['{"price_error":"x","errors_seen":["x"],"warning":"x"}', '{"inside":{"errors":["a"]}}'],
])('warns of nothing in the answer %s', (text) => expect(warningOf(text)).toBeUndefined());

it.each<[string, RowInput, string]>([
  ['its text', '0xAb', '0xAb'],
  [
    'its cells',
    [
      ['name', 'x'],
      ['wallet', '0xAb'],
    ],
    'x 0xAb',
  ],
  ['the JSON that it was', parseDocument('{"a":[1]}'), '{"a":[1]}'],
  ['nothing for null', parseDocument('null'), ''],
  ['nothing for an empty object', parseDocument('{}'), ''],
])('writes an input as the text of a cell: %s', (_, input, text) => expect(inputText(input)).toBe(text));

import { expect, it } from 'vitest';
import { parseDocument } from '../../../src/document/parse.ts';
import { redactTree } from '../../../src/document/redact-tree.ts';
import { writeCompact } from '../../../src/document/write.ts';
import { PRIVATE_KEY_MARKER } from '../../../src/secrets/private-key.ts';

const KEY = 'c0ffee0123456789abcdef0123456789abcdef0123456789abcdef012345678d';
const shown = (text: string) => writeCompact(redactTree(parseDocument(text)));

it.each([
  [`"${KEY}"`, `"${PRIVATE_KEY_MARKER}"`],
  [`["a",["0x${KEY}"],"b"]`, `["a",["${PRIVATE_KEY_MARKER}"],"b"]`],
  [`{"x":{"y":"key ${KEY}"},"z":1.50}`, `{"x":{"y":"key ${PRIVATE_KEY_MARKER}"},"z":1.50}`],
  [`{"tx_hash":"x","memo":["${KEY}"]}`, `{"tx_hash":"x","memo":["${PRIVATE_KEY_MARKER}"]}`],
  [`{"a":"b","${KEY}":{"c":"d"}}`, `{"a":"b","${PRIVATE_KEY_MARKER}":{"c":"d"}}`],
])('redacts a possible private key in %s, and keeps the rest', (text, expected) => expect(shown(text)).toBe(expected));

it.each([
  `{"tx_hash":"0x${KEY}","of":{"transactions":["${KEY}",{"hash":"${KEY}"}]}}`,
  `${KEY.replace(/[a-f]/g, '1')}`,
  `[1,"a",null]`,
  `{"a":"0x${KEY.slice(0, 40)}"}`,
  'false',
  '{}',
])('returns a document without secrets itself: %s', (text) => expect(shown(text)).toBe(text));

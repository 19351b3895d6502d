import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../src/document/parse.ts';
import { withholdTree } from '../../../src/document/withhold-tree.ts';
import { writeCompact } from '../../../src/document/write.ts';
import { WITHHELD } from '../../../src/secrets/private-key.ts';

const KEY = 'c0ffee0123456789abcdef0123456789abcdef0123456789abcdef012345678d';
const shown = (text: string) => writeCompact(withholdTree(parseDocument(text)));

describe('withholdTree', () => {
  it.each([
    [`"${KEY}"`, `"${WITHHELD}"`],
    [`["a",["0x${KEY}"],"b"]`, `["a",["${WITHHELD}"],"b"]`],
    [`{"x":{"y":"key ${KEY}"},"z":1.50}`, `{"x":{"y":"key ${WITHHELD}"},"z":1.50}`],
    [`{"tx_hash":"x","memo":["${KEY}"]}`, `{"tx_hash":"x","memo":["${WITHHELD}"]}`],
    [`{"a":"b","${KEY}":{"c":"d"}}`, `{"a":"b","${WITHHELD}":{"c":"d"}}`],
  ])('takes what may be a private key out of %s, and leaves the rest where it was', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each([
    `{"tx_hash":"0x${KEY}","of":{"transactions":["${KEY}",{"hash":"${KEY}"}]}}`,
    `${KEY.replace(/[a-f]/g, '1')}`,
    `[1,"a",null]`,
    `{"a":"0x${KEY.slice(0, 40)}"}`,
    'false',
    '{}',
  ])('gives back what there was where there is none: %s', (text) => {
    expect(shown(text)).toBe(text);
  });
});

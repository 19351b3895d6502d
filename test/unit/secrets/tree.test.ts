import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../src/document/parse.ts';
import { writeCompact } from '../../../src/document/write.ts';
import { WITHHELD } from '../../../src/secrets/private-key.ts';
import { withholdTree } from '../../../src/secrets/tree.ts';

const KEY = 'c0ffee0123456789abcdef0123456789abcdef0123456789abcdef012345678d';
const PHRASE = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
const shown = (text: string, format: 'evm' | 'hex' = 'evm') =>
  writeCompact(withholdTree(parseDocument(text), format) as ReturnType<typeof parseDocument>);

describe('withholdTree', () => {
  it.each([
    [`"${KEY}"`, `"${WITHHELD}"`],
    [`["a",["${KEY}"],"b"]`, `["a",["${WITHHELD}"],"b"]`],
    [`{"x":{"y":"key ${KEY}"},"z":1.50}`, `{"x":{"y":"key ${WITHHELD}"},"z":1.50}`],
    [`{"a":"b","${KEY}":{"c":"d"}}`, `{"a":"b","${WITHHELD}":{"c":"d"}}`],
    [`{"a":"${KEY.slice(0, 32)}","n":[1,null,true],"b":"${KEY.slice(32)}"}`, undefined],
    [`[${PHRASE.split(' ').map((word) => `"${word}"`)},{"k":7}]`, undefined],
  ])('takes what may be a secret out of %s, and leaves the rest where it was', (text, expected) => {
    if (expected !== undefined) return expect(shown(text)).toBe(expected);
    expect(shown(text)).toContain(WITHHELD);
    expect(shown(text)).toBe(text.replaceAll(/"(?:[0-9a-f]{32}|abandon|about)"/g, `"${WITHHELD}"`));
  });

  it.each([
    `${KEY.replace(/[a-f]/g, '1')}`,
    `[1,"a",null]`,
    `["${'it is a text '.repeat(9)}"]`,
    `{"a":"0x${KEY.slice(0, 40)}"}`,
    'false',
    '"a"',
    '{}',
  ])('gives back the same node where there is none: %s', (text) => {
    const node = parseDocument(text);
    expect(withholdTree(node, 'evm')).toBe(node);
  });

  it('keeps 0x and 64 digits if wallets may be that long', () => {
    expect(shown(`["0x${KEY}"]`, 'hex')).toBe(`["0x${KEY}"]`);
    expect(shown(`["0x${KEY}"]`)).toBe(`["${WITHHELD}"]`);
  });
});

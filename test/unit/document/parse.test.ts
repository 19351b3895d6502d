import { expect, it } from 'vitest';
import type { Node } from '../../../src/document/node.ts';
import { MAX_DEPTH, parseDocument } from '../../../src/document/parse.ts';
import { DocumentSyntaxError, decodeUtf8 } from '../../../src/document/utf8.ts';
import { writeCompact, writePretty } from '../../../src/document/write.ts';
import { fc, tries } from '../../fixtures/properties.ts';
import { documents, toPlain } from './documents.ts';

function offsetOfError(read: () => unknown): number {
  try {
    read();
  } catch (error) {
    if (error instanceof DocumentSyntaxError) return error.offset;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** For JSON.parse: numbers beyond a double as toPlain gives them. */
const finite = (_: string, value: unknown) =>
  value === Infinity ? Number.MAX_VALUE : value === -Infinity ? -Number.MAX_VALUE : value;

it('reads back any document, compact or pretty', () => {
  fc.assert(
    fc.property(documents, (node) => {
      expect(parseDocument(writeCompact(node))).toEqual(node);
      expect(parseDocument(writePretty(node))).toEqual(node);
    }),
  );
});

it('accepts exactly what JSON.parse accepts, with the same result', () => {
  const almostJson = fc
    .tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', '"', '\\', ',', ':', '{', ']', '0', '-', '.', 'e', ' ', '\t', '\u00a0', 'u'),
    )
    .map(([text, at, change]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + change + text.slice(place + (at % 2));
    });
  fc.assert(
    fc.property(almostJson, (text) => {
      let expected: unknown;
      try {
        expected = JSON.parse(text, finite);
      } catch {
        expect(() => parseDocument(text)).toThrow(DocumentSyntaxError);
        return;
      }
      expect(JSON.stringify(toPlain(parseDocument(text)))).toBe(JSON.stringify(expected));
    }),
    { numRuns: tries(300) },
  );
});

it.each([
  ...['', ' ', 'nul', 'True', 'NaN', 'Infinity', "'a'", '"a', '"\\x"', '"\\u12g4"', '"a\nb"', '"a\u0000b"'],
  ...['+1', '01', '-', '-01', '.5', '1.', '1e', '1e+', '0x10', '1_000', '1 2', '{}{}', '// c\n1'],
  ...['{a:1}', '{"a"}', '{"a":}', '{"a":1,}', '{,}', '{"a":1 "b":2}', '[1,]', '[,1]', '[1 2]'],
  ...['[', ']', '{', '}', '[}', '{]', '\ufeff{}', '\u00a01', '\f1'],
])('refuses the text %j, which is not JSON', (text) => expect(() => parseDocument(text)).toThrow(DocumentSyntaxError));

it('accepts all white space of RFC 8259 around every token', () => {
  const w = ' \t\r\n';
  expect(
    writeCompact(parseDocument(`${w}{${w}"a"${w}:${w}[${w}1${w},${w}true${w}]${w},${w}"b"${w}:${w}null${w}}${w}`)),
  ).toBe('{"a":[1,true],"b":null}');
});

it('keeps the spelling of each number', () => {
  const text = '[1e400,-1E-400,9007199254740993,-0,0.1000000000000000000000000000001,1.10,1E+2]';
  expect(writeCompact(parseDocument(text))).toBe(text);
});

it('keeps the order of keys that look like integers, and duplicate keys', () => {
  const text = '{"b":1,"137":2,"1":3,"b":4,"":5}';
  expect(writeCompact(parseDocument(text))).toBe(text);
});

it('reads documents up to the limit of nesting, and refuses deeper ones', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const deepest = parseDocument(nested(MAX_DEPTH));
  expect(writeCompact(deepest)).toBe(nested(MAX_DEPTH));
  // 50 levels down and up again, and one line for all that is deeper.
  expect(writePretty(deepest).split('\n')).toHaveLength(2 * 50 + 1);
  expect(toPlain(deepest)).toHaveLength(1);
  expect(offsetOfError(() => parseDocument(nested(MAX_DEPTH + 1)))).toBe(MAX_DEPTH);
  expect(() => parseDocument(nested(200_000))).toThrow('nesting deeper than 1000');
  expect(() => parseDocument('{"a":'.repeat(200_000))).toThrow('nesting deeper than 1000');
  expect(() => parseDocument(`${'['.repeat(500)}${'{"a":['.repeat(300)}`)).toThrow('nesting deeper than 1000');
});

it('reads a megabyte of one string, of one number and of siblings', () => {
  const digits = '9'.repeat(1_000_000);
  expect(parseDocument(digits)).toEqual({ kind: 'number', spelling: digits });
  expect(parseDocument(`"${digits}"`)).toEqual({ kind: 'string', value: digits });
  const many = parseDocument(`[${'1,'.repeat(200_000)}1]`);
  expect(many.kind === 'array' && many.items).toHaveLength(200_001);
  for (const inner of [`"${digits}"`, digits, `1${',"a":1'.repeat(200_000)}`]) {
    const nested = `{"a":{"a":${inner}}}`;
    expect(writeCompact(parseDocument(nested))).toBe(nested);
    expect(offsetOfError(() => parseDocument(nested.slice(0, -2)))).toBe(nested.length - 2);
  }
});

it('distinguishes truncated text from invalid text by the offset', () => {
  const text = '{"a\\n":[1.5e3,-2,"\\ud83d\\ude00",true,{}],"b":null}';
  for (let end = 0; end < text.length; end++) {
    expect(offsetOfError(() => parseDocument(text.slice(0, end)))).toBe(end);
  }
  expect(offsetOfError(() => parseDocument('{"a":1,x'))).toBe(7);
  expect(offsetOfError(() => parseDocument('<html>'))).toBe(0);
});

it('never repeats the text of a document in an error', () => {
  for (const text of ['sk_live_canary', '{"sk_live_canary', '{"k":sk_live_canary}', '"\\xsk_live_canary"']) {
    expect(() => parseDocument(text)).toThrow(/^(?!.*canary)/s);
  }
});

it('decodes UTF-8 and drops only a byte order mark', () => {
  expect(decodeUtf8(Buffer.from('\ufeff{"a":"\u0000é😀\ufeff"}'))).toBe('{"a":"\u0000é😀\ufeff"}');
});

it.each([
  ['a lone continuation byte', [0x22, 0x80, 0x22], 1],
  ['an overlong form', [0x22, 0x22, 0xc0, 0xaf], 2],
  ['a surrogate', [0xed, 0xa0, 0x80], 1],
  ['a byte that is never used', [0x61, 0x61, 0x61, 0xff], 3],
  ['a character that broke off', [0x61, 0xf0, 0x9f, 0x98], 4],
])('refuses %s with the offset of the first invalid byte', (_, bytes, offset) => {
  expect(offsetOfError(() => decodeUtf8(Uint8Array.from(bytes)))).toBe(offset);
});

const compact = (value: string) => writeCompact({ kind: 'string', value });

it('escapes control characters and lone surrogates, so that the JSON may be printed', () => {
  expect(compact('\u001b]52;c;\u0007\u009b31m\u202e\u2028\ufeff\r\n\ud800')).toBe(
    '"\\u001b]52;c;\\u0007\\u009b31m\\u202e\\u2028\\ufeff\\r\\n\\ud800"',
  );
  expect(compact('é 漢字 😀 "quoted" \\')).toBe('"é 漢字 😀 \\"quoted\\" \\\\"');
});

it('indents JSON by two spaces, and keeps empty containers on their line', () => {
  const node: Node = parseDocument('{"a":[1,{"b":[]}],"c":{}}');
  expect(writePretty(node)).toBe(JSON.stringify(JSON.parse(writeCompact(node)), null, 2));
});

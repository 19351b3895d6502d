import { expect, it } from 'vitest';
import { isSecretHeader, maskKey, redactApiKeys, redactPartsOf } from '../../../src/secrets/api-key.ts';
import { fc } from '../../fixtures/properties.ts';

it.each([
  ['wrp_abcdefghijklmnop', 'wrp_****mnop'],
  ['wrp_ab-_cdefghijklmnop', 'wrp_****mnop'],
  ['wrp_abcdefghijklmno', 'wrp_****'],
  ['wrp_abcdefgh', 'wrp_****'],
  ['wrp_abcdefg', '****'],
  ['abcdefghijklmnopqrstuvwxyz', '****wxyz'],
  ['abcdefghijklmnop_qrstuvwxyz', '****wxyz'],
  ['x', '****'],
])('masks the key %s as %s', (key, masked) => expect(maskKey(key)).toBe(masked));

it('never shows six consecutive characters after the prefix', () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9_-]{1,60}$/);
  fc.assert(
    fc.property(secret, (random) => {
      const masked = maskKey(`wrp_${random}`).replace(/^wrp_/, '');
      for (let i = 0; i + 6 <= random.length; i++) expect(masked).not.toContain(random.slice(i, i + 6));
    }),
  );
});

const KEY = 'wrp_q7Zt-Xk_2Lm9Rv4Bn8';

it.each([
  ['plainsecret', 'a plainsecret, twice: plainsecret', 'a <withheld>, twice: <withheld>'],
  [undefined, `--key=${KEY} and ${KEY}.`, '--key=<withheld> and <withheld>.'],
  ['', 'nothing is known', 'nothing is known'],
  [undefined, 'sandbox_q7Zt-Xk_2Lm9Rv4Bn8', 'sandbox_q7Zt-Xk_2Lm9Rv4Bn8'],
  [undefined, 'wrp_0123456789abcde', 'wrp_0123456789abcde'],
  [undefined, 'wrp_abcdefghijklmnop', 'wrp_abcdefghijklmnop'],
  [undefined, 'wrp_01234567890123456789', 'wrp_01234567890123456789'],
  [undefined, 'wrp_abcdefghij0123456789', '<withheld>'],
  [undefined, 'wrp_abcdefghi-0123456789', 'wrp_abcdefghi-0123456789'],
  [undefined, `aave_0x${'D8a6'.repeat(10)}`, `aave_0x${'D8a6'.repeat(10)}`],
  [undefined, 'holders_2026-11-20T101010Z_v2.csv', 'holders_2026-11-20T101010Z_v2.csv'],
  [undefined, 'holders_20261120T101010Z_Q4_v2_final.csv', 'holders_20261120T101010Z_Q4_v2_final.csv'],
  [undefined, 'holders_2026-11-20T10-10-10Z_to_2026-11-21T10-10Z', 'holders_2026-11-20T10-10-10Z_to_2026-11-21T10-10Z'],
  [undefined, `wrp_2026-11-20_${KEY.slice(4)}.csv`, '<withheld>.csv'],
  [KEY, `holders_2026-11-20_${KEY}.csv`, 'holders_2026-11-20_<withheld>.csv'],
])('redacts, knowing %j, the text %j to %j', (known, text, expected) => {
  expect(redactApiKeys(text, [known])).toBe(expected);
});

it.each([
  ['the key ends in v4Bn8', 'the key ends in v4Bn8'],
  ['the key ends in Rv4Bn8', 'the key ends in <withheld>'],
  [`${KEY}${KEY}`, '<withheld><withheld>'],
  [`http://${KEY.toLowerCase()}.example`, 'http://<withheld>.example'],
  ['wrp_qwrp_q7', 'wrp_q<withheld>'],
  // Longer in lower case than they are.
  [`${'\u0130'.repeat(8)}${KEY}`, `${'\u0130'.repeat(8)}<withheld>`],
  // The sign of the unit Kelvin, which is a k in lower case, as hosts are written.
  ['the key has X\u212a_2Lm9 in it', 'the key has <withheld> in it'],
  ['x'.repeat(1_001), 'x'.repeat(1_000)],
  ['', ''],
])('redacts parts of the key from %j to %j', (text, expected) => expect(redactPartsOf(text, KEY)).toBe(expected));

const base64 = (text: string) => Buffer.from(text).toString('base64');
const spaced = (text: string, by: string) => [...text].join(by);
const hex = Buffer.from(KEY).toString('hex');
const asReferences = (reference: (code: number) => string) =>
  [...KEY].map((char) => reference(char.charCodeAt(0))).join('');
it.each([
  ['base 64', base64(KEY)],
  ['base 64 of user and key', base64(`a user:${KEY}`)],
  ['base 64 for URLs, without its beginning', Buffer.from(`:${KEY}`).toString('base64url').slice(2)],
  ['base 64 in lines', base64(`user:${KEY}`).replace(/(.{8})/g, '$1\r\n')],
  ['base 64 of UTF-16', Buffer.from(KEY, 'utf16le').toString('base64')],
  ['base 64, percent-encoded', encodeURIComponent(base64(`${KEY}!`))],
  ['percent-encoding', [...KEY].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')],
  ['decimal references of HTML', asReferences((code) => `&#${code};`)],
  ['references without their end', asReferences((code) => `&#${code}`)],
  ['references with zeros', asReferences((code) => `&#0000${code};`)],
  ['hexadecimal references', asReferences((code) => `&#x${code.toString(16)};`)],
  ['every other reference', [...KEY].map((char, i) => (i % 2 ? `&#x${hex.slice(2 * i, 2 * i + 2)};` : char)).join('')],
  ['references that a gateway has escaped again', asReferences((code) => `&amp;#${code};`)],
  ['named references', [...KEY].join('&ZeroWidthSpace;').replaceAll('_', '&lowbar;')],
  ['hex', hex],
  ['hex in capitals', hex.toUpperCase()],
  ['hex with 0x', hex.replace(/../g, ' 0x$&')],
  ['hex with \\x', hex.replace(/../g, '\\x$&')],
  ['hex with colons', hex.replace(/../g, '$&:')],
  ['spaces', spaced(KEY, ' ')],
  ['dots', spaced(KEY, '.')],
  ['the end in spaces', `it ends in ${spaced(KEY.slice(-6), ' ')}`],
])('leaves nothing of a text that has the key in %s', (_, spelled) => {
  expect(redactPartsOf(`bad key=${spelled}, sorry`, KEY)).toBe('<withheld>');
  expect(redactPartsOf(`bad key=${spelled}, sorry`, 'wrp_another-Secret_77Zz')).toContain(spelled);
});

it('leaves a text as it is without a key', () => expect(redactPartsOf('wrong key')).toBe('wrong key'));

it('leaves no six consecutive characters of the key anywhere', () => {
  const piece = fc.oneof(
    fc.constantFrom('\u0130', 'ß', '\ufb03', ' ', KEY, KEY.toUpperCase(), '\u212a'),
    fc.tuple(fc.nat(KEY.length), fc.nat(KEY.length)).map(([from, to]) => KEY.slice(from, to)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const shown = redactPartsOf(pieces.join(''), KEY).toLowerCase();
      for (let i = 0; i + 6 <= KEY.length; i++) expect(shown).not.toContain(KEY.slice(i, i + 6).toLowerCase());
    }),
  );
});

it.each([
  ['authorization', 'x', true],
  ['proxy-authorisation', 'x', true],
  ['set-cookie', 'x', true],
  ['x-auth-token', 'x', true],
  ['client-secret', 'x', true],
  ['x-password', 'x', true],
  ['session-id', 'x', true],
  ['x-api-key', 'x', true],
  ['apikey', 'x', true],
  ['x-key', 'x', false],
  ['content-type', 'application/json', false],
  ['x-echo', `key=${KEY};`, true],
  ['x-echo', KEY.replaceAll('_', '%5F'), true],
  ['x-echo', `a&${KEY.replaceAll('-', '')};`, true],
  ['x-echo', base64(`v user:${KEY}`), true],
  ['x-hint', 'key ending in Rv4Bn8', true],
  ['x-hint', 'key ending in v4Bn8', false],
  ['etag', `"${'0123456789abcdef'.repeat(8)}"`, false],
])('decides whether a header hides its value: %s: %s: %s', (name, value, isSecret) => {
  expect(isSecretHeader(name, value, KEY)).toBe(isSecret);
});

it('recognises a secret header by its name if there is no key', () => {
  expect(isSecretHeader('x-echo', KEY, undefined)).toBe(false);
  expect(isSecretHeader('cookie', '', undefined)).toBe(true);
});

import { expect, it } from 'vitest';
import { visible } from '../../../src/text/escape.ts';

it.each([
  ['a\u009b\u202e\n', 'a\\u009b\\u202e\\n'],
  ['Fund::Alpha ::add-mask::x', 'Fund\\u003a:Alpha \\u003a:add-mask\\u003a:x'],
  ['a ##[error] ##vso[b] ###[group]', 'a \\u0023#[error] \\u0023#vso[b] #\\u0023#[group]'],
  ['http://[2001:db8::beef]:80 # of [3] ## a', 'http://[2001:db8::beef]:80 # of [3] ## a'],
])('escapes foreign text only where a terminal or a CI runner would act on it: %j', (text, shown) => {
  expect(visible(text)).toBe(shown);
  expect(visible(shown)).toBe(shown);
});

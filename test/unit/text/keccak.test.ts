/** Both hashes against others' values: node's own SHA3, and hashes that every Ethereum tool agrees on. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { keccak256, sha3 } from '../../../src/text/keccak.ts';

it('sha3 is what node calls sha3-256, over one block and several, full or not', () => {
  for (let length = 0; length < 420; length++) {
    const text = 'é☃𝒳a'.slice(length % 5) + 'x'.repeat(length);
    expect([text, sha3(text)]).toEqual([text, createHash('sha3-256').update(text).digest('hex')]);
  }
});

it.each([
  ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
  ['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
  ['transfer(address,uint256)', 'a9059cbb2ab09eb219583f4a59a5d0623ade346d962bcd4e46b11da047c9049b'],
  ['Transfer(address,address,uint256)', 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'],
])('keccak256 of %j is the one that Ethereum has', (text, expected) => {
  expect(keccak256(text)).toBe(expected);
});

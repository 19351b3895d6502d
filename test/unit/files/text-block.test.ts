import { describe, expect, it } from 'vitest';
import { createTextBlock } from '../../../src/files/text-block.ts';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe('a block of text', () => {
  it('contains the added text as UTF-8, and counts bytes', () => {
    const block = createTextBlock();
    block.add('0xé');
    block.add('😀\n');
    expect(block.size).toBe(9);
    expect(text(block.take())).toBe('0xé😀\n');
  });

  it('starts anew after take, without changing what was taken', () => {
    const block = createTextBlock();
    block.add('first');
    const first = block.take();
    expect(block.size).toBe(0);
    block.add('other');
    expect([text(first), text(block.take()), text(block.take())]).toEqual(['first', 'other', '']);
  });
});

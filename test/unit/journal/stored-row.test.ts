import { expect, it } from 'vitest';
import { writeCompact } from '../../../src/document/write.ts';
import { storedDocument } from '../../../src/journal/stored-row.ts';

it('a stored answer has a document, and a refusal has none', () => {
  const document = storedDocument({ answeredAt: 1, text: '{"a":1}' });
  expect(document && writeCompact(document)).toBe('{"a":1}');
  expect(storedDocument({ answeredAt: 1, refusal: { code: 'refused', message: 'no' } })).toBeUndefined();
  expect(storedDocument(undefined)).toBeUndefined();
});

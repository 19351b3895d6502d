import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { MUTATIONS } from './mutations.ts';

const textOf = (file: string) => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');

// Whoever has changed the program there finds the new words for the same mistake in mutations.ts.
it.each(MUTATIONS)('finds one place in $file for the mutation "$name"', ({ file, find }) => {
  expect(textOf(file).match(new RegExp(find.source, 'g'))).toHaveLength(1);
});

/** Answers that grow in one direction each: what a parser or a view could be slow at. */
const string = (value: string) => JSON.stringify(value);
const repeat = (count: number, item: (i: number) => string, separator = ',') =>
  Array.from({ length: count }, (_, i) => item(i)).join(separator);

/** JSON for the member `x` of an answer, about `size` characters long. */
export const SHAPES: Readonly<Record<string, (size: number) => string>> = {
  digits: (size) => '1'.repeat(size),
  'a fraction': (size) => `0.${'1'.repeat(size)}`,
  'an exponent': (size) => `1e${'1'.repeat(size)}`,
  'digits in a string': (size) => string('1'.repeat(size)),
  'digits in a string that is no number': (size) => string(`${'1'.repeat(size)}x`),
  spaces: (size) => string(`${' '.repeat(size)}x`),
  'a long word': (size) => string('x'.repeat(size)),
  'short words': (size) => string('ab '.repeat(size / 3)),
  'wide characters': (size) => string('語'.repeat(size)),
  'control characters': (size) => string('\u001b'.repeat(size / 6)),
  'line separators': (size) => string('\u2028'.repeat(size)),
  newlines: (size) => string('\n'.repeat(size / 2)),
  'lone surrogates': (size) => `"${'\\ud800'.repeat(size / 6)}"`,
  quotes: (size) => string('"'.repeat(size / 2)),
  'hex digits': (size) =>
    string(
      'a'
        .repeat(63)
        .concat('-')
        .repeat(size / 64),
    ),
  underscores: (size) => string('a_'.repeat(size / 2)),
  dots: (size) => string('1.11'.repeat(size / 4)),
  'a key': (size) => `{${string('k'.repeat(size))}:1}`,
  'a key of words': (size) => `{${string('a_b '.repeat(size / 4))}:{"y":1}}`,
  'a key of table columns': (size) => `[{${string('a_'.repeat(size / 2))}:1,"b":2}]`,
  members: (size) => `{${repeat(size / 12, (i) => `"k${i}":${i}`)}}`,
  'equal members': (size) => `{${repeat(size / 6, () => '"k":1')}}`,
  'members with members': (size) => `{${repeat(size / 20, (i) => `"k${i}":{"a":1,"b":2}`)}}`,
  items: (size) => `[${repeat(size / 2, () => '1')}]`,
  'items of text': (size) => `[${repeat(size / 6, () => '"a,b"')}]`,
  'items that are tables': (size) => `[${repeat(size / 20, (i) => `{"name":"n${i}","v":${i}}`)}]`,
  'items that are alike in nothing': (size) => `[${repeat(size / 12, (i) => `{"k${i}":${i}}`)}]`,
  'arrays in arrays': (size) => `[${repeat(size / 8, () => '[[1],2]')}]`,
  nesting: (size) => `[${repeat(size / 1_600, () => `${'['.repeat(800)}1${']'.repeat(800)}`)}]`,
  'nested members': (size) => `[${repeat(size / 1_250, () => `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`)}]`,
};

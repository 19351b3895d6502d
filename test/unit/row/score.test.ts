import { expect, it } from 'vitest';
import type { ObjectNode } from '../../../src/document/node.ts';
import { parseDocument } from '../../../src/document/parse.ts';
import { parsePath } from '../../../src/document/parse-path.ts';
import { writeCompact } from '../../../src/document/write.ts';
import { classify } from '../../../src/row/row.ts';
import { findScore } from '../../../src/row/score.ts';

/** The outcome for a document with this `defi_score`, the score as JSON. */
function found(defiScore: string, setting?: string) {
  const document = parseDocument(`{"wallet_address":"0x","defi_score":${defiScore},"other":7}`) as ObjectNode;
  const { path, score, candidates } = findScore(document, setting === undefined ? undefined : parsePath(setting));
  return candidates ?? [path, score && writeCompact(score)];
}

it.each([
  ['the same name again', '{"score":1,"defi_score":474,"x":2}', ['defi_score.defi_score', '474']],
  ['score', '{"x":2,"score":1.50}', ['defi_score.score', '1.50']],
  ['the only number', '{"label":"A","points":88,"parts":{"x":1}}', ['defi_score.points', '88']],
  ['a decimal sent as a string', '{"score":"50000.5"}', ['defi_score.score', '"50000.5"']],
  ['a grade', '{"score":"AA+"}', ['defi_score.score', '"AA+"']],
  ['zero, which is a score', '{"score":0}', ['defi_score.score', '0']],
  ['1e400', '{"score":1e400}', ['defi_score.score', '1e400']],
  ['the last of two', '{"score":1,"score":2}', ['defi_score.score', '2']],
  ['the only number, given twice', '{"p":1,"p":2}', ['defi_score.p', '2']],
  ['score beside an object of the first name', '{"defi_score":{"a":1},"score":3}', ['defi_score.score', '3']],
  ['a key that needs quotes', '{"a.b":3}', ['defi_score["a.b"]', '3']],
])('finds the score %s', (_, defiScore, expected) => expect(found(defiScore)).toEqual(expected));

it.each([
  ['null', [undefined, undefined]],
  ['{}', [undefined, undefined]],
  ['{"label":"A"}', [undefined, undefined]],
  ['{"defi_score":null,"score":5,"x":6}', ['defi_score.defi_score', undefined]],
  ['{"score":""}', ['defi_score.score', undefined]],
  ['{"score":" "}', ['defi_score.score', undefined]],
])('finds no score in %s, and no other number in its place', (defiScore, expected) => {
  expect(found(defiScore)).toEqual(expected);
});

it('lists the candidates if several numbers could be the score', () => {
  expect(found('{"a":1,"b":"2","c":"x","d":3,"e":{"f":4}}')).toEqual(['defi_score.a', 'defi_score.b', 'defi_score.d']);
  expect(found('{"e":{"f":4},"g":[{"h":"5"}]}')).toEqual(['defi_score.e.f', 'defi_score.g[0].h']);
  expect(found(`{"n":[${'1,'.repeat(1_000)}1]}`)).toHaveLength(8);
});

it('reads the score only from the path in the setting', () => {
  expect(found('{"score":1,"e":{"f":4}}', 'defi_score.e.f')).toEqual(['defi_score.e.f', '4']);
  expect(found('{"score":1}', 'other')).toEqual(['other', '7']);
  expect(found('{"score":1,"e":{"f":null}}', 'defi_score.e.f')).toEqual(['defi_score.e.f', undefined]);
  expect(found('null', 'defi_score.e.f')).toEqual(['defi_score.e.f', undefined]);
  expect(found('{"score":1}', 'defi_score')).toEqual(['defi_score', undefined]);
});

it('lists the candidates if an answer does not have what the setting names', () => {
  expect(found('{"score":1}', 'defi_score.e.f')).toEqual(['defi_score.score']);
});

it('distinguishes rows with and without a score', () => {
  expect(classify(parseDocument('{"defi_score":{"score":0}}') as ObjectNode)).toEqual({
    status: 'scored',
    score: { kind: 'number', spelling: '0' },
  });
  expect(classify(parseDocument('{"defi_score":null}') as ObjectNode)).toEqual({ status: 'no_score' });
  expect(classify(parseDocument('{}') as ObjectNode)).toEqual({ status: 'no_score' });
});

/** What a wallet is compared with: its newest answer with a score by a time, whatever came after it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ObjectNode } from '../../../src/document/node.ts';
import { memberOf } from '../../../src/document/path.ts';
import { openJournal } from '../../../src/journal/journal.ts';
import { openLastGood } from '../../../src/journal/last-good.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { openFiles } from '../../fixtures/place/calls.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { address } from '../../fixtures/place/wallets.ts';

/** `x` is a refusal, `-` an answer without a score, `[` one that is no object, a digit one with that score; each a moment after the one before. */
async function goodOf(history: string, asOf: number) {
  const path = join(temporaryFolder(), 'j');
  const journal = await openJournal(path, { base: 'https://api.example', host: testHost() });
  const id = address(1);
  for (const [i, said] of [...history].entries()) {
    const answeredAt = i + 1;
    const text = said === '[' ? '[]' : `{"wallet_address":"${id}","score":${said === '-' ? null : said}}`;
    journal.append(
      id,
      said === 'x' ? { answeredAt, refusal: { code: 'refused', message: 'no' } } : { answeredAt, text },
    );
  }
  journal.close();
  const scoreOf = (document: ObjectNode) => {
    const found = memberOf(document, 'score');
    return found?.kind === 'number' ? found : undefined;
  };
  const known = await openLastGood({ path, asOf, scoreOf });
  const found = known.find(id);
  const first = [...known.first(5)].length;
  known.close();
  expect(first).toBe(found ? 1 : 0);
  return found && [JSON.stringify(found.score), found.answeredAt, found.isCurrent];
}

const number = (spelling: string) => JSON.stringify({ kind: 'number', spelling });

it.each([
  ['5', 9, ['5', 1, true]],
  ['56', 9, ['6', 2, true]],
  ['56', 1, ['5', 1, true]],
  ['56', 0, undefined],
  ['5-', 9, ['5', 1, false]],
  ['5x', 9, ['5', 1, false]],
  ['5x', 1, ['5', 1, true]],
  ['5-x-7', 9, ['7', 5, true]],
  ['5-x-7', 4, ['5', 1, false]],
  ['-', 9, undefined],
  ['--', 9, undefined],
  ['-x-6x', 9, ['6', 4, false]],
  ['x', 9, undefined],
  ['5[', 9, ['5', 1, false]],
  ['[', 9, undefined],
] as const)('of %s as of %i is %j', async (history, asOf, expected) => {
  expect(await goodOf(history, asOf)).toEqual(expected && [number(expected[0]), expected[1], expected[2]]);
});

it('fewer first answers are read if they are long', async () => {
  const path = join(temporaryFolder(), 'j');
  const journal = await openJournal(path, { base: 'https://api.example', host: testHost() });
  const filling = 'x'.repeat(2.5 * 1024 * 1024);
  for (let i = 0; i < 3; i++) {
    journal.append(address(i), { answeredAt: 1, text: `{"wallet_address":"${address(i)}","filling":"${filling}"}` });
  }
  journal.close();
  const scoreOf = () => ({ kind: 'number', spelling: '1' }) as const;
  const known = await openLastGood({ path, asOf: 9, scoreOf });
  expect([...known.first(1)]).toHaveLength(1);
  expect([...known.first(3)]).toHaveLength(2);
  known.close();
});

it('an answer damaged meanwhile by another program is not compared', async () => {
  const path = join(temporaryFolder(), 'j');
  const journal = await openJournal(path, { base: 'https://api.example', host: testHost() });
  journal.append(address(1), { answeredAt: 1, text: `{"wallet_address":"${address(1)}","score":5}` });
  journal.close();
  const known = await openLastGood({ path, asOf: 9, scoreOf: () => ({ kind: 'number', spelling: '5' }) });
  writeFileSync(path, readFileSync(path, 'utf8').replace('"score":5', '"score":6'));
  expect([known.find(address(1)), [...known.first(1)]]).toEqual([undefined, []]);
  known.close();
});

it('a refused journal is closed', async () => {
  const path = join(temporaryFolder(), 'j');
  writeFileSync(path, '{"riskcli_journal":"x"}\n', { mode: 0o600 });
  await expect(openLastGood({ path, asOf: 9, scoreOf: () => undefined })).rejects.toMatchObject({ exitCode: 8 });
  expect(openFiles(path)).toEqual([]);
});

import { expect, it, onTestFinished } from 'vitest';
import { TemporaryStore } from '../../../src/journal/store.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { ABSENT } from '../../fixtures/place/folder.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { document } from './journal-stage.ts';

function store() {
  const opened = new TemporaryStore(testHost());
  onTestFinished(() => opened.close());
  return opened;
}

it('returns each answer and refusal of a temporary store unchanged, and the latest of two', () => {
  const answers = store();
  const long = document(3, 'é'.repeat(300_000));
  answers.append(address(1), { answeredAt: 1_700_000_000_000, text: `\n${document(1, '!\u2028')}` });
  answers.append(address(2), { answeredAt: 1, refusal: { code: 'refused', message: 'no\nsuch', httpStatus: 404 } });
  answers.append(address(3), { answeredAt: 2, text: long });
  answers.append(address(1), { answeredAt: 1_700_000_000_003, text: document(1, 2) });
  expect(answers.get(address(1))).toMatchObject({ answeredAt: 1_700_000_000_003, text: document(1, 2) });
  expect(answers.get(address(2))).toMatchObject({
    answeredAt: 1,
    refusal: { code: 'refused', message: 'no\nsuch', httpStatus: 404 },
  });
  expect(answers.get(address(3))).toMatchObject({ answeredAt: 2, text: long });
  expect([answers.size, answers.isKept, answers.has(address(4))]).toEqual([3, false, false]);
  expect(answers.get(address(4))).toBeUndefined();
});

it('gives a hint if no temporary file can be made for a store', () => {
  expect(() => new TemporaryStore(testHost({ temporaryFolder: () => ABSENT }))).toThrow(
    expect.objectContaining({ exitCode: 8, hint: expect.stringContaining('--journal FILE') }),
  );
});

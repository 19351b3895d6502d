import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createAnswerRoom } from '../../../src/journal/answer-room.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { limitRoom } from '../../fixtures/place/calls.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

it('space is reserved for answers as long as the longest so far, and twice that after only a few', () => {
  const asked: number[] = [];
  const room = createAnswerRoom(join(temporaryFolder(), 'j'), testHost(), (bytes) => {
    asked.push(bytes);
    return bytes;
  });
  onTestFinished(room.close);
  const bytesFor = (answers: number) => {
    expect(room.refusal(answers, 0)).toBeUndefined();
    return asked.pop();
  };
  expect([bytesFor(1), bytesFor(3)]).toEqual([4_096, 3 * 16_384]);
  room.learn(1_000);
  expect([bytesFor(1), bytesFor(3)]).toEqual([1_000, 3 * 4_096]);
  room.learn(10_000);
  room.learn(5);
  expect([bytesFor(1), bytesFor(3)]).toEqual([10_000, 3 * 20_000]);
  for (let i = 3; i < 29; i++) room.learn(5);
  expect(bytesFor(3)).toBe(3 * 20_000);
  room.learn(5);
  expect([bytesFor(1), bytesFor(3)]).toEqual([10_000, 3 * 10_000]);
});

it('no space is reserved for an answer longer than any disk', () => {
  const room = createAnswerRoom(join(temporaryFolder(), 'j'), testHost());
  onTestFinished(room.close);
  room.learn(2 ** 60);
  expect(room.refusal(1, 0)).toMatchObject({ code: 'ENOSPC' });
});

it('[83] a single answer needs no extra space, and two include space for their rows', () => {
  limitRoom(16 * 1024);
  const room = createAnswerRoom(join(temporaryFolder(), 'j'), testHost());
  onTestFinished(room.close);
  for (let i = 0; i < 30; i++) room.learn(12_000);
  expect(room.refusal(1, 0)).toBeUndefined();
  expect(room.refusal(2, 0)).toMatchObject({ code: 'ENOSPC' });
});

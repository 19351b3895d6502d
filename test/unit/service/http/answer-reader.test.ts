import { expect, it } from 'vitest';
import { AnswerReader, type TransportAnswer } from '../../../../src/service/http/answer-reader.ts';
import { ByteBudget } from '../../../../src/service/http/byte-budget.ts';
import { turn } from '../../../fixtures/manual-clock.ts';

/** Reads one answer; what is told of it, and what was done to its connection. */
function read(budget = new ByteBudget()) {
  const told: { answer?: TransportAnswer; error?: unknown; aborted?: Error } = {};
  const steered: string[] = [];
  const reader = new AnswerReader({
    peer: 'HOST',
    maxBytes: 1_000_000,
    budget,
    pauseFor: (work) => work,
    onAnswer: (answer) => Object.assign(told, { answer }),
    onError: (error) => Object.assign(told, { error }),
    onTrailers: () => {},
  });
  const controller = {
    pause: () => void steered.push('pause'),
    resume: () => void steered.push('resume'),
    abort: (aborted: Error) => Object.assign(told, { aborted }),
  };
  reader.onRequestStart(controller);
  return { reader, controller, told, steered };
}

/** An answer that has arrived as far as its `body`, when nothing more of it is waited for. */
function givenUp(status: number, body?: string) {
  const { reader, controller, told } = read();
  if (body !== undefined) {
    reader.onResponseStart(controller, status, { 'transfer-encoding': 'chunked' });
    reader.onResponseData(controller, Buffer.from(body));
  }
  reader.giveUp(LATE);
  return told;
}

const LATE = new Error('late');

it('[84] the received part of an answer is passed on with the reason for giving up', () => {
  const { answer, error, aborted } = givenUp(200, '{}');
  expect({ error, aborted, body: String(answer?.body) }).toEqual({ error: undefined, aborted: LATE, body: '{}' });
  expect(answer).toMatchObject({ status: 200, complete: false, cutBy: LATE });
  expect(givenUp(503, '{').answer).toMatchObject({ status: 503, cutBy: LATE });
  expect(givenUp(200)).toEqual({ error: LATE, aborted: LATE });
});

it('an answer that waits for memory is read on when there is some, unless it was given up', async () => {
  for (const isGivenUp of [false, true]) {
    const budget = new ByteBudget(100);
    const [first, second] = [read(budget), read(budget)];
    for (const { reader, controller } of [first, second])
      reader.onResponseStart(controller, 200, { 'content-length': '80' });
    expect([first.steered, second.steered]).toEqual([[], ['pause']]);
    first.reader.giveUp(LATE);
    if (isGivenUp) second.reader.giveUp(LATE);
    await turn();
    expect(second.steered).toEqual(isGivenUp ? ['pause'] : ['pause', 'resume']);
  }
});

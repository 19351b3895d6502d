import { expect, it } from 'vitest';
import { AnswerReader, type TransportAnswer } from '../../../../src/service/http/answer-reader.ts';
import { ByteBudget } from '../../../../src/service/http/byte-budget.ts';

/** An answer that has arrived as far as its `body`, when nothing more of it is waited for. */
function givenUp(status: number, body?: string) {
  const told: { answer?: TransportAnswer; error?: unknown; aborted?: Error } = {};
  const reader = new AnswerReader({
    peer: 'HOST',
    maxBytes: 1_000_000,
    budget: new ByteBudget(),
    pauseFor: (work) => work,
    onAnswer: (answer) => Object.assign(told, { answer }),
    onError: (error) => Object.assign(told, { error }),
    onTrailers: () => {},
  });
  const controller = { pause() {}, resume() {}, abort: (aborted: Error) => Object.assign(told, { aborted }) };
  reader.onRequestStart(controller);
  if (body !== undefined) {
    reader.onResponseStart(controller, status, { 'transfer-encoding': 'chunked' });
    reader.onResponseData(controller, Buffer.from(body));
  }
  reader.giveUp(LATE);
  return told;
}

const LATE = new Error('late');

it('[84] what has come of an answer is handed on with the reason for which it is not waited for any longer', () => {
  const { answer, error, aborted } = givenUp(200, '{}');
  expect({ error, aborted, body: String(answer?.body) }).toEqual({ error: undefined, aborted: LATE, body: '{}' });
  expect(answer).toMatchObject({ status: 200, complete: false, cutBy: LATE });
  expect(givenUp(503, '{').answer).toMatchObject({ status: 503, cutBy: LATE });
  expect(givenUp(200)).toEqual({ error: LATE, aborted: LATE });
});

import { expect, it } from 'vitest';
import { AnswerReader, type TransportAnswer } from '../../../../src/service/http/answer-reader.ts';

/** Reads one answer; and what is told of it. */
function read() {
  const told: { answer?: TransportAnswer; error?: unknown; aborted?: Error } = {};
  const reader = new AnswerReader({
    peer: 'HOST',
    maxBytes: 1_000_000,
    onAnswer: (answer) => Object.assign(told, { answer }),
    onError: (error) => Object.assign(told, { error }),
  });
  const controller = {
    abort: (aborted: Error) => Object.assign(told, { aborted }),
  };
  reader.onRequestStart(controller);
  return { reader, controller, told };
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

import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { onAbort } from '../../../src/host/abort.ts';

it('calls who still listens, once, and adds no listener to the signal for each', () => {
  const controller = new AbortController();
  const called: string[] = [];
  onAbort(controller.signal, () => called.push('first'));
  const forget = onAbort(controller.signal, () => called.push('second'));
  onAbort(controller.signal, () => called.push('third'));
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
  forget();
  controller.abort();
  controller.abort();
  expect(called).toEqual(['first', 'third']);
});

it('calls at once for a signal that has aborted', () => {
  let calls = 0;
  onAbort(AbortSignal.abort(), () => calls++);
  expect(calls).toBe(1);
});

it('calls nobody who has left before it was his turn, however often he leaves', () => {
  const controller = new AbortController();
  const called: string[] = [];
  onAbort(controller.signal, () => {
    called.push('first');
    forgetSecond();
  });
  const forgetSecond = onAbort(controller.signal, () => called.push('second'));
  const forgetThird = onAbort(controller.signal, () => called.push('third'));
  onAbort(controller.signal, () => called.push('fourth'));
  forgetThird();
  forgetThird();
  controller.abort();
  expect(called).toEqual(['first', 'fourth']);
});

it('calls once who begins to listen while the others are called', () => {
  const controller = new AbortController();
  const { signal } = controller;
  const called: string[] = [];
  onAbort(signal, () => onAbort(signal, () => called.push('late')));
  controller.abort();
  expect(called).toEqual(['late']);
});

import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { onAbort } from '../../../src/host/abort.ts';

it('calls each listener once, and adds only one listener to the signal', () => {
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

it('calls at once for an aborted signal', () => {
  let calls = 0;
  onAbort(AbortSignal.abort(), () => calls++);
  expect(calls).toBe(1);
});

it('does not call a listener that was removed before its turn', () => {
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

it('calls a listener added during the calls once', () => {
  const controller = new AbortController();
  const { signal } = controller;
  const called: string[] = [];
  onAbort(signal, () => onAbort(signal, () => called.push('late')));
  controller.abort();
  expect(called).toEqual(['late']);
});

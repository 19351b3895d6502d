import { describe, expect, it } from 'vitest';
import { SignalError } from '../../../src/errors.ts';
import { createBudget } from '../../../src/list-run/budget.ts';

const thrownBy = (action: () => void): unknown => {
  try {
    action();
  } catch (error) {
    return error;
  }
};

describe('a budget', () => {
  it('without limits never ends', () => {
    const budget = createBudget();
    for (let i = 0; i < 1000; i++) budget.spend();
  });

  it('ends before the first request beyond --max-requests, every time', () => {
    const budget = createBudget(2);
    budget.spend();
    budget.spend();
    for (let i = 0; i < 2; i++)
      expect(thrownBy(() => budget.spend())).toMatchObject({ code: 'max_requests', exitCode: 7 });
  });

  it('keeps the first reason for which it was closed', () => {
    const budget = createBudget(0);
    const reason = new SignalError('SIGINT');
    budget.close(reason);
    budget.close(new Error('later'));
    expect(thrownBy(() => budget.spend())).toBe(reason);
  });
});

import { describe, expect, it } from 'vitest';
import { createBudget, nextMonth } from '../../../src/batch/budget.ts';
import { LimitError, SignalError } from '../../../src/errors.ts';

const now = () => Date.UTC(2025, 11, 31, 23, 59);
const thrownBy = (action: () => void): unknown => {
  try {
    action();
  } catch (error) {
    return error;
  }
};

describe('a budget', () => {
  it('without limits has no end', () => {
    const budget = createBudget({ now });
    for (let i = 0; i < 1000; i++) budget.spend();
  });

  it('ends before the request that --max-requests does not allow, every time it is asked', () => {
    const budget = createBudget({ maxRequests: 2, now });
    budget.spend();
    budget.spend();
    for (let i = 0; i < 2; i++)
      expect(thrownBy(() => budget.spend())).toMatchObject({ code: 'max_requests', exitCode: 7 });
  });

  it('ends with the month, counting what was sent before, and says when the next one begins', () => {
    const budget = createBudget({ monthly: { allowed: 10_000, sent: 9_999 }, now });
    budget.spend();
    const error = thrownBy(() => budget.spend());
    expect(error).toBeInstanceOf(LimitError);
    expect(error).toMatchObject({
      code: 'monthly_requests',
      resumeAt: Date.UTC(2026, 0, 1),
      hint: expect.stringContaining('2026-01-01T00:00:00.000Z'),
    });
  });

  it('allows nothing when more than the month allows was sent already', () => {
    expect(() => createBudget({ monthly: { allowed: 5, sent: 9 }, now }).spend()).toThrow(LimitError);
  });

  it('once closed says why it was closed first', () => {
    const budget = createBudget({ maxRequests: 0, now });
    const reason = new SignalError('SIGINT');
    budget.close(reason);
    budget.close(new Error('later'));
    expect(thrownBy(() => budget.spend())).toBe(reason);
  });
});

it('a month ends at midnight UTC of its last day', () => {
  expect(nextMonth(Date.UTC(2024, 1, 29, 23))).toBe(Date.UTC(2024, 2, 1));
  expect(nextMonth(Date.UTC(2024, 2, 1))).toBe(Date.UTC(2024, 3, 1));
});

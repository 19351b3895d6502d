import { expect, it } from 'vitest';
import { SignalError } from '../../../src/errors.ts';
import { createBudget } from '../../../src/list-run/budget.ts';

it('refuses every request beyond --max-requests', () => {
  const budget = createBudget(2);
  budget.spend();
  budget.spend();
  const spent = expect.objectContaining({ code: 'max_requests', exitCode: 7 });
  for (let i = 0; i < 2; i++) expect(() => budget.spend()).toThrow(spent);
});

it('keeps the first reason for which the budget was closed', () => {
  const budget = createBudget(0);
  budget.close(new SignalError('SIGINT'));
  budget.close(new Error('later'));
  expect(() => budget.spend()).toThrow(SignalError);
});

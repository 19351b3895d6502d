import { expect, it } from 'vitest';
import { month, nextMonth } from '../../../src/text/month.ts';

it('a month ends at midnight UTC of its last day', () => {
  expect(nextMonth(Date.UTC(2024, 1, 29, 23))).toBe(Date.UTC(2024, 2, 1));
  expect(nextMonth(Date.UTC(2024, 2, 1))).toBe(Date.UTC(2024, 3, 1));
  expect(nextMonth(Date.UTC(2025, 11, 31, 23, 59))).toBe(Date.UTC(2026, 0, 1));
  expect(month(Date.UTC(2025, 11, 31, 23, 59))).toBe('2025-12');
});

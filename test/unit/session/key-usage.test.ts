import { expect, it } from 'vitest';
import { monthSpentError } from '../../../src/session/key-usage.ts';

it('a month that is used up says from when the same command goes on, or what raises the limit', () => {
  expect(monthSpentError(500, Date.parse('2026-12-31T23:00:00Z'))).toMatchObject({
    exitCode: 7,
    code: 'monthly_requests',
    message: expect.stringMatching(/^the 500 requests allowed for December/),
    hint: expect.stringMatching(/after 2027-01-01T00:00:00Z, or raise .* riskcli config set monthly-requests N/),
    resumeAt: Date.parse('2027-01-01T00:00:00Z'),
    isResumable: true,
  });
});

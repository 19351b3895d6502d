import { expect, it } from 'vitest';
import { monthSpentError } from '../../../src/session/key-usage.ts';

it('a used up month says when the same command can resume, or how to raise the limit', () => {
  expect(monthSpentError(500, Date.parse('2026-12-31T23:00:00Z'))).toMatchObject({
    exitCode: 7,
    code: 'monthly_requests',
    message: expect.stringMatching(/^the 500 requests allowed for December/),
    hint: expect.stringMatching(/after 2027-01-01T00:00:00Z, or raise .* riskcli config set monthly-requests N/),
    resumeAt: Date.parse('2027-01-01T00:00:00Z'),
    isResumable: true,
  });
});

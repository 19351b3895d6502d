import { expect, it } from 'vitest';
import { monthlyUse, monthSpentError } from '../../../src/session/key-usage.ts';

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

it.each([
  ['no key is known', 100, {}, { allowed: 100, sent: 0 }],
  ['a command that nobody has run prints the key', 100, { source: { kind: 'command' } }, undefined],
  ['the setting is not there', undefined, {}, undefined],
])('what was sent this month, when %s', (_, value, key, expected) => {
  const settings = { monthlyRequests: { value }, text: () => undefined };
  expect(monthlyUse({ settings } as never, key as never)).toEqual(expected);
});

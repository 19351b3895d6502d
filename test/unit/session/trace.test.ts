import { expect, it } from 'vitest';
import type { Attempt } from '../../../src/service/client.ts';
import type { Gate } from '../../../src/service/pacing/gate.ts';
import { createTrace } from '../../../src/session/trace.ts';
import { testContext } from '../../fixtures/place/config-folder.ts';

/**
 * The lines for `attempts`, each of them made at its time in milliseconds, of which the gate said
 * `state`.
 */
function traced(attempts: readonly (readonly [at: number, Partial<Attempt>])[], state?: object, showsHeaders = false) {
  const lines: string[] = [];
  let now = 0;
  const host = testContext();
  const verbose = (line: string) => void lines.push(line);
  const gate = state && ({ state: () => state } as Gate);
  const context = { ...host, report: { ...host.report, verbose, showsHeaders }, monotonic: () => now };
  const trace = createTrace(context, { gate, key: undefined });
  for (const [at, attempt] of attempts) {
    now = at;
    trace({ path: '/v1/x', ms: 811.7, rateLimit: {}, ...attempt });
  }
  return lines;
}

it('reports a request with the limits, the time of the next attempt, and the request ID of the service', () => {
  const answered = {
    status: 429,
    rateLimit: { limit: 10, remaining: 0 },
    waitMs: 1_500,
    headers: { 'x-request-id': 'r\u0007' },
  };
  expect(
    traced([
      [0, { status: 200 }],
      [0, { code: 'timeout' }],
      [0, answered],
    ]),
  ).toEqual([
    'GET /v1/x 200 in 812 ms',
    'GET /v1/x timeout in 812 ms',
    'GET /v1/x 429 in 812 ms, limit 10/s, left 0, retrying in 1500 ms, request r\\u0007',
  ]);
});

it('reports the pace and each delay of a list once', () => {
  const state = { heldMs: 2_000, paceWords: '5/s', waiting: '3 waiting' };
  const request = 'GET /v1/x no answer in 812 ms, pace 5/s, 3 waiting';
  const held = 'rate limited: all requests wait for 2000 ms, then continue at 5/s';
  const at = (ms: number) => [ms, {}] as const;
  expect(traced([at(0), at(1_999), at(2_000)], state)).toEqual([request, held, request, request, held]);
});

it('shows a header up to 500 characters', () => {
  const headers = { a: 'x'.repeat(500), b: 'x'.repeat(501) };
  expect(traced([[0, { status: 200, headers }]], undefined, true).slice(1)).toEqual([
    `< a: ${'x'.repeat(500)}`,
    `< b: ${'x'.repeat(500)}...`,
  ]);
});

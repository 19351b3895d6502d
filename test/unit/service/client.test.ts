import { describe, expect, it } from 'vitest';
import { KEY, openClient, WALLET } from '../../helpers/client.ts';
import { startServer } from '../../helpers/server.ts';

describe('profile', () => {
  it('asks once and gives the document as it came', async () => {
    const body = `{"wallet_address":"${WALLET}", "total_collateral_usd":1e400,"1":-0,"defi_score":null}`;
    await using server = await startServer(() => ({ body, headers: { 'x-ratelimit-limit': '50' } }));
    await using bench = openClient(server.url);
    const answer = await bench.client.profile(WALLET);
    expect(answer).toMatchObject({ text: body, attempts: 1, rate: { limit: 50 }, answeredAt: Date.UTC(2025, 0, 1) });
    expect(answer.document.members.map(([key]) => key)).toEqual([
      'wallet_address',
      'total_collateral_usd',
      '1',
      'defi_score',
    ]);
    expect(server.requests).toMatchObject([
      {
        method: 'GET',
        path: `/v1/risk-profile/${WALLET}`,
        headers: { 'x-api-key': KEY, 'accept-encoding': 'identity' },
      },
    ]);
    expect(bench.attempts).toMatchObject([{ method: 'GET', path: `/v1/risk-profile/${WALLET}`, status: 200 }]);
    expect(JSON.stringify(bench.attempts)).not.toContain(KEY);
    expect(bench.gate.observed).toMatchObject([{ status: 200, rate: { limit: 50 } }]);
  });
});

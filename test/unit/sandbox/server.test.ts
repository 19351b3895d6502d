import { afterEach, describe, expect, it } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/server.ts';
import { testHost } from '../../helpers/run.ts';

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

let sandbox: Sandbox;
afterEach(() => sandbox.close());

async function start(options: Partial<SandboxOptions> = {}) {
  sandbox = await startSandbox({ clock: testHost(), ...options });
  return (path: string, init?: RequestInit) => fetch(`${sandbox.baseUrl}${path}`, init);
}

describe('sandbox over HTTP', () => {
  it('answers a profile with its key and counts requests', async () => {
    const get = await start();
    const answer = await get(`/v1/risk-profile/${WALLET}`, { headers: { 'X-API-Key': sandbox.keys.working } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('10');
    expect(await answer.json()).toMatchObject({ wallet_address: WALLET, total_collateral_usd: expect.any(Number) });
    expect((await get('/health')).status).toBe(200);
    expect(sandbox.requests()).toBe(2);
  });
});

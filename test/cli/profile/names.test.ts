/** Lists of names, for a service that looks them up: what a name may be, and that nothing else gets into a URL. */
import { describe, expect, it } from 'vitest';
import { address } from '../../fixtures/place/wallets.ts';
import { ONE_LINE, workplace } from '../../fixtures/place/workplace.ts';
import { KEY, PROFILE } from '../../fixtures/service/client.ts';
import { startServer } from '../../fixtures/service/server.ts';

async function startNameStage(answer: (name: string) => string) {
  const server = await startServer(({ path }) => ({
    body: { ...PROFILE, wallet_address: answer(decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))) },
    headers: { 'x-ratelimit-limit': '400', 'x-ratelimit-remaining': '400' },
  }));
  const env = { RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: KEY, RISKCLI_WALLET_FORMAT: 'name' };
  const place = workplace(env);
  return { ...place, server, [Symbol.asyncDispose]: () => server.close() };
}

describe('--wallet-format name', () => {
  it('requests each name once, like an address, and uses the address it resolves to', async () => {
    await using stage = await startNameStage((name) => (name.startsWith('0x') ? name : address(name.length)));
    // Of the length of an address, which an index of addresses might confuse.
    const long = ['a', 'b'].map((letter) => `${letter.repeat(38)}.eth`);
    stage.write(
      'list.csv',
      `who,name\n1,vitalik.eth\n2,Vitalik.ETH\n3,${address(7)}\n4,${long[0]}\n5,${long[1]}\n6,a_b.c-d.xyz\n`,
    );
    const first = await stage.cli(['profile', '-f', 'list.csv', '--journal', 'j', '--csv']);
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.stdout.split('\n').map((line) => line.split(',').slice(0, 4).join(','))).toEqual([
      'who,name,wallet_address,status',
      `1,vitalik.eth,${address(11)},scored`,
      `2,Vitalik.ETH,${address(11)},scored`,
      `3,${address(7)},${address(7)},scored`,
      `4,${long[0]},${address(42)},scored`,
      `5,${long[1]},${address(42)},scored`,
      `6,a_b.c-d.xyz,${address(11)},scored`,
      '',
    ]);
    // Each uses a separate connection, so the order varies.
    const asked = stage.server.requests.map(({ path }) => path.split('/').at(-1));
    expect(asked.sort()).toEqual(['vitalik.eth', address(7), ...long, 'a_b.c-d.xyz'].sort());
    const again = await stage.cli(['profile', '-f', 'list.csv', '--journal', 'j', '--csv']);
    expect(again).toMatchObject({ exitCode: 0, stdout: first.stdout });
    expect(stage.server.requests).toHaveLength(5);
    expect((await stage.cli(['profile', 'vitalik.eth', '--json'])).stdout).toContain(address(11));
  });

  it('sends only names', async () => {
    await using stage = await startNameStage((name) => name);
    const hostile = ['../health', 'a/b.eth', 'a.eth?x=1', 'a.eth#', 'a%2fb.eth', '.eth', 'a..eth', '-a.eth', 'a b.eth'];
    hostile.push(
      'a.eth\u0000',
      'a\u202e.eth',
      'аpple.eth',
      `${'a'.repeat(64)}.eth`,
      `${'a.'.repeat(130)}eth`,
      'eth',
      '1.2.3.4',
    );
    stage.write('list.json', JSON.stringify(hostile));
    const { stdout, exitCode } = await stage.cli(['profile', '-f', 'list.json', '--jsonl']);
    expect({ exitCode, rows: stdout.match(/"status":"invalid"/g)?.length }).toEqual({
      exitCode: 3,
      rows: hostile.length,
    });
    const file = await stage.cli(['profile', 'wallets.csv']);
    expect(file.exitCode).toBe(2);
    expect(file.stderr).toMatch(/looks like a file.*-f/);
    expect(stage.server.requests).toEqual([]);
  });

  it('rejects an answer about another wallet, and accepts names only with this option', async () => {
    await using stage = await startNameStage(() => 'other.eth');
    const other = await stage.cli(['profile', 'vitalik.eth']);
    expect(other.exitCode).toBe(6);
    expect(other.stderr).toMatch(ONE_LINE);
    const evm = await stage.cli(['profile', 'vitalik.eth', '--wallet-format', 'evm']);
    expect(evm.exitCode).toBe(2);
    expect(evm.stderr).toMatch(/--wallet-format name/);
  });
});

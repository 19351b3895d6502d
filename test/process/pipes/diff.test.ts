/**
 * `riskcli diff` through the built binary: pipes, packed files, a reader that leaves, a full disk.
 */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { address } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';

const HEADER = 'wallet_address,status,total_collateral_usd,score,answered_at,warning,error';
const csv = (score: (i: number) => number) =>
  `${[HEADER, ...Array.from({ length: 1_200 }, (_, i) => `${address(i)},scored,1.50,${score(i)},,,`)].join('\n')}\n`;

function stage() {
  const place = workplace();
  place.write(
    'old.csv',
    csv((i) => i),
  );
  place.write('new.csv.gz', gzipSync(csv((i) => i + 0.5)));
  return place;
}

describe('a diff of two runs', () => {
  it('reads both sides of a diff from pipes completely', async () => {
    const { sh } = stage();
    const { stdout, stderr, exitCode } = await sh(
      'r diff old.csv - < new.csv.gz > tabs && r diff <(cat old.csv) <(gzip -dc new.csv.gz) --jsonl > lines && wc -l < tabs && tail -n 1 lines',
    );
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const [count, last] = stdout.split('\n');
    expect(Number(count)).toBe(1_200);
    expect(JSON.parse(last ?? '')).toMatchObject({
      wallet_address: address(1_199),
      score: { old: 1199, new: 1199.5, delta: 0.5 },
    });
  });

  it('stops a diff silently if its reader leaves, and with an error on a full disk', async () => {
    const { sh } = stage();
    const left = await sh('r diff old.csv new.csv.gz | head -n 1 > first; echo "${PIPESTATUS[0]} $(wc -l < first)"');
    expect(left).toMatchObject({ stdout: '141 1\n', stderr: '' });
    const full = await sh('r diff old.csv new.csv.gz > /dev/full');
    expect(full).toMatchObject({ exitCode: 8, stderr: expect.stringMatching(/^riskcli: [^\n]+; [^\n]+\n$/) });
  });
});

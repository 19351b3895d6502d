/**
 * A gate or a filter on a value that no answer has: a note lists the values that there are,
 * wherever conditions are taken.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cli } from '../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { startAnswers } from '../../fixtures/service/answers.ts';

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);
const LEVELS = ['High Risk', 'Low Risk', 'High Risk'];

const { env, close } = await startAnswers((wallet) => {
  const level = LEVELS[Number.parseInt(wallet.slice(2), 16) - 1];
  return { total_collateral_usd: 1, defi_score: { score: 5, risk_level: level } };
});
beforeAll(async () => {
  writeFileSync(path('wallets.txt'), `${LEVELS.map((_, i) => address(i + 1)).join('\n')}\n`);
  await list('-o', path('scored.jsonl'));
  writeFileSync(path('old.jsonl'), readFileSync(path('scored.jsonl'), 'utf8').replaceAll('High Risk', 'Low Risk'));
});
afterAll(close);

const list = (...args: string[]) => cli(['profile', '-f', path('wallets.txt'), ...args], { env });

const GATE = ['--fail-if', 'risky: defi_score.risk_level == High'];
const seen = (high: number, low: number) =>
  `no row had 'High' at defi_score.risk_level, as --fail-if 'risky' asks; rows had: 'High Risk' ${high}${low ? `, 'Low Risk' ${low}` : ''}`;
const NEAR = seen(2, 1);

it('reports a value that no answer has, for one wallet, a diff, a policy and --where', async () => {
  const one = await cli(['profile', address(1), ...GATE], { env });
  expect(one).toMatchObject({ exitCode: 0, stderr: `riskcli: ${seen(1, 0)}\n` });
  writeFileSync(
    path('policy.json'),
    JSON.stringify({ rules: [{ name: 'risky', if: { all: ['defi_score.risk_level == High'] } }] }),
  );
  const policy = ['--policy', path('policy.json')];
  const stderr = `riskcli: ${NEAR.replace('--fail-if', '--policy')}\n`;
  expect(await list('--csv', ...policy)).toMatchObject({ exitCode: 0, stderr });
  const where = await list('--csv', '--where', 'defi_score.risk_level == high risk');
  expect(where.exitCode).toBe(0);
  expect(where.stderr).toContain("no row had 'high risk' at defi_score.risk_level, as --where");
  const changed = ['--fields', 'defi_score.risk_level', '--fail-if', 'defi_score.risk_level.new == high'];
  const diff = await cli(['diff', path('old.jsonl'), path('scored.jsonl'), '--csv', ...changed]);
  expect(diff.exitCode).toBe(0);
  expect(diff.stderr).toContain("rows had: 'High Risk' 2");
});

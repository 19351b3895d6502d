import { expect, it } from 'vitest';
import { leaves } from '../../../src/document/path.ts';
import { type OneOptions, renderOne } from '../../../src/output/one.ts';
import { parseFields } from '../../../src/paths/fields.ts';
import { whole } from '../../fixtures/whole.ts';
import { answered, SCORED, WALLET } from './rows.ts';

const one = (format: OneOptions['format'], options: Partial<OneOptions> = {}, row = SCORED) =>
  whole(renderOne(row, { format, ...options }));
const TERMINAL = { width: 80, color: 0 } as const;
const fields = parseFields('score=defi_score.defi_score,_meta.status,defi_score,gone?');

it('prints one wallet as json with every number and key unchanged', async () => {
  const text =
    '{"wallet_address":"x","total_collateral_usd":1e400,"defi_score":{"2":-0,"1":1.10,"1":9007199254740993}}';
  const json = await one('json', {}, answered(text));
  expect(json.replace(/\s/g, '')).toBe(text);
  expect(json.endsWith('}\n')).toBe(true);
});

it('prints one wallet as a card on a terminal', async () => {
  const card = await one('table', { terminal: TERMINAL });
  expect(card).toContain('Collateral  $1,234,567.89\n');
  expect(await one('table', { terminal: TERMINAL, isSandbox: true })).toBe(`Sandbox     synthetic data\n${card}`);
});

it('prints one wallet on a pipe with one value per line: not grouped, not cut, and escaped', async () => {
  expect(await one('table')).toBe(
    `wallet_address\t${WALLET}\ntotal_collateral_usd\t1234567.89\n` +
      'defi_score.defi_score\t474\ndefi_score.risk_level\tHigh Risk\n',
  );
  const row = answered(
    `{"wallet_address":"x","total_collateral_usd":null,"defi_score":{},"a.b":["${'y'.repeat(5_000)}",[]],"k\\t":"\\u001b\\n\\t|"}`,
  );
  const lines = (await one('table', {}, row)).split('\n');
  expect(lines).toHaveLength([...leaves(row.document ?? SCORED.document!)].length + 1);
  expect(lines[1]).toBe('total_collateral_usd\tnull');
  expect(lines[2]).toBe('defi_score\t{}');
  expect(lines[3]).toBe(`["a.b"][0]\t${'y'.repeat(5_000)}`);
  expect(lines[4]).toBe('["a.b"][1]\t[]');
  expect(lines[5]).toBe('["k\\t"]\t\\u001b\\n\\t|');
});

it('prints only the picked fields of one wallet', async () => {
  const picked = {
    score: 474,
    '_meta.status': 'scored',
    defi_score: { defi_score: 474, risk_level: 'High Risk' },
    gone: null,
  };
  expect(JSON.parse(await one('json', { fields }))).toEqual(picked);
  const nested = '{"defi_score":474,"risk_level":"High Risk"}';
  expect(await one('table', { fields })).toBe(`score\t474\n_meta.status\tscored\ndefi_score\t${nested}\ngone\t\n`);
  expect(await one('table', { fields, terminal: TERMINAL })).toBe(
    `score         474\n_meta.status  scored\ndefi_score    ${nested}\ngone          -\n`,
  );
  const long = answered(`{"wallet_address":"x","n":${'9'.repeat(100_000)}}`);
  const shown = await one('table', { fields: parseFields('n'), terminal: TERMINAL }, long);
  expect(shown).toMatch(/… 99,200 more characters \(--json shows all\)\n$/);
});

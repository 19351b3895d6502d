import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { indexRun } from '../../../src/runs/index-run.ts';
import { openRunFile, SILENT } from '../../../src/runs/open-run.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { address } from '../../fixtures/place/wallets.ts';

const rows = [1, 2]
  .map((n) => `{"wallet_address":"${address(n)}","_meta":{"status":"scored","score":${n}}}\n`)
  .join('');

it('reports a file that changes after it was indexed, and invents no row', async () => {
  const path = join(temporaryFolder(), 'rows.jsonl');
  writeFileSync(path, rows);
  const host = testHost();
  const file = await openRunFile(path, host);
  const { index, close } = await indexRun(file, { host, report: SILENT });
  writeFileSync(path, rows.replaceAll('"wallet_address"', '{wallet_address}'));
  expect(() => index.rowsOf(address(2))).toThrow(`'${path}' was changed while it was read`);
  close();
  file.close();
});

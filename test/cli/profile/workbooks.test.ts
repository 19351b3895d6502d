/** Lists in workbooks, from the file to the rows, and rows in workbooks. */
import { expect, it } from 'vitest';
import { startListStage } from '../../fixtures/place/list-stage.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { textRow, workbook } from '../../fixtures/place/workbooks.ts';

const TODAY = new Date().toISOString().slice(0, 10);
const [A, B] = [address(1), address(2)];
const CELL = `<c r="A3" t="inlineStr"><is><t>${B}</t></is></c><c r="B3"><v>1.50</v></c><c r="C3" s="1"><v>45292</v></c>`;
const list = () =>
  workbook({
    sheets: [
      { name: 'Q1', rows: textRow(1, [A]) },
      { name: 'Q2', rows: `${textRow(2, ['Holder', 'Amount', 'Since'])}<row r="3" hidden="1">${CELL}</row>` },
    ],
    formats: [14],
  });

it('writes the cells and line numbers of a sheet', async () => {
  await using stage = await startListStage();
  stage.write('list.xlsx', await list());
  const args = ['profile', '-f', 'list.xlsx', '--sheet', 'q2', '--fields', 'line,input.Amount,status'];
  const csv = await stage.cli([...args, '--csv', '--where', 'input.Amount < 2']);
  expect(csv).toMatchObject({ exitCode: 0, stderr: '' });
  expect(csv.stdout).toBe(`Holder,Amount,Since,line,input.Amount,status\n${B},1.50,2024-01-01,3,1.50,scored\n`);
  const { stdout } = await stage.cli(['profile', '-f', 'list.xlsx', '--sheet', 'Q2', '--jsonl']);
  expect(stdout).toContain(`"input":{"Holder":"${B}","Amount":1.50,"Since":"2024-01-01"}`);
  const first = await stage.cli(['profile', '-f', 'list.xlsx', '--csv', '--fields', 'wallet_address']);
  expect(first.stdout).toBe(`wallet_address\n${A}\n`);
  const review = await stage.cli(['review', 'list.xlsx', '--sheet', 'Q2', '-o', 'rows.csv']);
  expect(review.exitCode).toBe(0);
  expect(stage.read('rows.csv')).toContain(`${B},1.50,2024-01-01,${B},scored`);
});

it('reports a missing column or sheet before anything is sent', async () => {
  await using stage = await startListStage();
  stage.write('list.xlsx', await list());
  stage.write('list.csv', `${A}\n`);
  const run = (...args: string[]) => stage.cli(['profile', '--csv', ...args]);
  expect(await run('-f', 'list.xlsx', '--sheet', 'Q2', '--fields', 'input.Amuont')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('did you mean input.Amount'),
  });
  expect(await run('-f', 'list.xlsx', '--sheet', 'Q3')).toMatchObject({
    exitCode: 9,
    stderr: expect.stringContaining("it has no sheet 'Q3'; name one with --sheet: 'Q1', 'Q2'"),
  });
  expect(await run('-f', 'list.csv', '--sheet', 'Q2')).toMatchObject({ exitCode: 2 });
  expect(await run(A, '--sheet', 'Q2')).toMatchObject({ exitCode: 2 });
  expect(stage.server.requests).toHaveLength(0);
});

it('refuses to read a workbook back, and suggests csv', async () => {
  await using stage = await startListStage();
  stage.write('scored.xlsx', await list());
  for (const args of [
    ['diff', 'scored.xlsx', 'scored.xlsx'],
    ['report', 'scored.xlsx'],
  ]) {
    expect(await stage.cli(args)).toMatchObject({
      exitCode: 9,
      stderr: expect.stringMatching(/xlsx is not read back; give the run as .*\bcsv\b/),
    });
  }
});

it('writes rows into a workbook, which is a list again, and keeps numbers', async () => {
  await using stage = await startListStage();
  stage.write('list.xlsx', await list());
  const first = await stage.cli(['profile', '-f', 'list.xlsx', '--sheet', 'Q2', '-o', 'scored.xlsx']);
  expect(first).toMatchObject({ exitCode: 0, stderr: '', stdout: '' });
  const about = await stage.cli(['profile', '-f', 'scored.xlsx', '--sheet', 'Run', '--csv']);
  expect(about).toMatchObject({ exitCode: 9, stderr: expect.stringContaining("the sheet 'Run'") });
  const again = await stage.cli(['profile', '-f', 'scored.xlsx', '--column', 'Holder', '--jsonl']);
  expect(again.exitCode).toBe(0);
  expect(again.stdout).toMatch(
    new RegExp(
      `"line":2,"input":{"Holder":"${B}","Amount":1.5,"Since":"2024-01-01","wallet_address":"${B}","status":"scored","total_collateral_usd":[\\d.]+,"score":[\\d.]+,"answered_at":"20[-\\dT:.]+"`,
    ),
  );
  const review = await stage.cli(['review', 'list.xlsx', '--sheet', 'Q2', '-o', 'rows.xlsx']);
  expect(review.exitCode).toBe(0);
  const kept = await stage.cli(['review', 'list.xlsx', '--as-of', TODAY, '-o', 'then.xlsx']);
  expect(kept.exitCode).toBe(0);
  for (const name of ['rows.xlsx', 'then.xlsx']) {
    const { stdout } = await stage.cli(['profile', '-f', name, '--column', 'Holder', '--jsonl']);
    expect(stdout).toContain(`"input":{"Holder":"${B}","Amount":1.5,`);
  }
});

it('writes a diff into a workbook', async () => {
  await using stage = await startListStage();
  for (const [name, wallets] of [
    ['old', [A]],
    ['new', [A, B]],
  ] as const) {
    await stage.cli(['profile', ...wallets, address(3), '-o', `${name}.csv`]);
  }
  expect(await stage.cli(['diff', 'old.csv', 'new.csv', '-o', 'diff.xlsx'])).toMatchObject({ exitCode: 0 });
  const { stdout } = await stage.cli(['profile', '-f', 'diff.xlsx', '--csv', '--fields', 'line,input.change']);
  expect(stdout).toContain(`${B},added,`);
});

it('refuses a workbook as a stream or from a stream before anything is sent', async () => {
  await using stage = await startListStage();
  const stdout = await stage.cli(['profile', A, B, '--format', 'xlsx']);
  expect(stdout).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('-o FILE.xlsx') });
  const stream = await stage.cli(['profile', '-', '-o', 'scored.xlsx'], { stdin: `${A}\n` });
  expect(stream).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('write csv, or put the list into a file'),
  });
  expect(stage.server.requests).toHaveLength(0);
  const other = await stage.cli(['profile', A, B, '--csv', '-o', 'scored.xlsx']);
  expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('its name says xlsx') });
});

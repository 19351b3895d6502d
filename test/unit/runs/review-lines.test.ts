/**
 * The first and the last line of a kept review, as versions of riskcli wrote them, and as somebody
 * may have edited them.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRun, openRunFile } from '../../../src/runs/open-run.ts';
import { endLine, headerLine, type ReviewHeader } from '../../../src/runs/review-lines.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { address } from '../../fixtures/place/wallets.ts';

const AT = '2026-10-05T06:03:12.000Z';
const BEGUN = { riskcli_review: 1, begun: AT };
const ENDED = { riskcli_review_end: 1, ended: AT };
const ROW = `{"wallet_address":"${address(1)}","_meta":{"status":"failed"}}`;

/** What riskcli reads in a file of these lines, or its error. */
async function read(...lines: readonly (string | object)[]) {
  const path = join(temporaryFolder(), 'kept.jsonl');
  writeFileSync(path, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  const host = testHost();
  const file = await openRunFile(path, host);
  const told: string[] = [];
  const report = { info: (text: string) => told.push(text), warn: (text: string) => told.push(text) };
  try {
    const run = await openRun(file, { host, report });
    let rows = 0;
    for await (const _ of run.rows) rows += 1;
    return { header: run.review, end: run.end(), rows, told, error: '' };
  } catch (error) {
    expect(error).toMatchObject({ exitCode: 9 });
    return { error: String((error as Error).message).replace(`'${path}'`, 'FILE') };
  } finally {
    file.close();
  }
}

const rule = (more: object) => ({ ...BEGUN, rules: [{ name: 'low', if: 'score < 500', ...more }] });

describe('the first line of a kept review', () => {
  it('says what it was written from', async () => {
    const { header } = await read(
      {
        ...rule({
          source: '--policy',
          if: { all: ['score < 500', { any: ['a exists', 'b exists'] }] },
          level: 'watch',
        }),
        exceptions: [
          { wallet: address(1).toUpperCase().replace('X', 'x'), rule: 'low', reason: 'known', until: '2026-10-15' },
        ],
        label_column: 'name',
        base_url: 'https://api.example',
      },
      ROW,
      ENDED,
    );
    expect(header).toMatchObject({
      rules: [{ source: '--policy', name: 'low', level: 'watch' }],
      exceptions: [{ id: address(1), until: '2026-10-15', endsAt: Date.parse('2026-10-16') }],
      labelColumn: 'name',
      baseUrl: 'https://api.example',
      begun: Date.parse(AT),
    });
    const again = await read(headerLine(header as ReviewHeader), ROW, ENDED);
    expect(again.header).toEqual(header);
  });

  it('may lack what older versions did not write', async () => {
    const { header, error } = await read(rule({}), ROW, ENDED);
    expect(error).toBe('');
    expect(header).toMatchObject({
      list: { name: '' },
      accept: [],
      baseUrl: '',
      rules: [{ source: '--fail-if', level: 'alarm' }],
    });
    expect([header?.exceptions, header?.policy, header?.compared]).toEqual([undefined, undefined, undefined]);
  });

  it.each<[string, object, string]>([
    ['of a newer version', { ...BEGUN, riskcli_review: 2 }, 'FILE was written by a newer version of riskcli'],
    ['without a begin', { riskcli_review: 1 }, 'first line that cannot be read: begun'],
    ['that begins at no time', { ...BEGUN, begun: 'soon' }, 'first line that cannot be read: begun'],
    ['with rules that are no list', { ...BEGUN, rules: 'all' }, 'first line that cannot be read: rules'],
    ['with a rule that is null', { ...BEGUN, rules: [null] }, 'first line that cannot be read: rules[0]'],
    ['with a rule without a name', rule({ name: undefined }), 'first line that cannot be read: rules[0].name'],
    ['with a rule of an unknown form', rule({ if: { none: ['a'] } }), 'first line that cannot be read: rules[0].if'],
    ['with a rule that asks for nothing', rule({ if: { any: [] } }), 'first line that cannot be read: rules[0].if'],
    ['with a rule of an unknown level', rule({ level: 'urgent' }), 'first line that cannot be read: rules[0].level'],
    ['with a condition that cannot be parsed', rule({ if: 'a = 1' }), "the condition 'a = 1' uses '=' instead of '=='"],
    ['with a number for the score', { ...BEGUN, score: 7 }, 'first line that cannot be read: score'],
    ['with an exception for nobody', { ...BEGUN, exceptions: [{}] }, 'read: exceptions[0].wallet'],
  ])('%s is an error that names the file', async (_, header, told) => {
    const { error } = await read(header, ROW, ENDED);
    expect(error).toMatch(/^FILE /);
    expect(error).toContain(told);
  });

  it('may have members that nobody knows, __proto__ among them', async () => {
    const first = `{"riskcli_review":1,"__proto__":{"polluted":1},"begun":"${AT}","more":{"__proto__":1}}`;
    const { header, error } = await read(first, ROW, ENDED);
    expect(error).toBe('');
    expect([({} as { polluted?: number }).polluted, (header as { polluted?: number }).polluted]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('the last line of a kept review', () => {
  it('may lack what older versions did not write', async () => {
    const { rows, told, end } = await read(BEGUN, ROW, { ...ENDED, rows: 1 });
    expect([rows, told]).toEqual([1, []]);
    expect(end).toMatchObject({ ended: Date.parse(AT), rows: 1, counts: {}, exitCode: 0, valuesFrom: [] });
  });

  it('is read as it is written', async () => {
    const end = {
      ended: Date.parse(AT),
      rows: 1,
      counts: { failed: 1 },
      exitCode: 3,
      sha256: 'x',
      valuesFrom: [{ name: 'a' }],
    };
    const found = await read(BEGUN, ROW, endLine(end));
    expect(found.end).toMatchObject(end);
    expect(found.told).toEqual([expect.stringContaining('was edited since it was kept')]);
  });

  it.each([
    ['without an end', { ended: undefined }, 'FILE has a last line that cannot be read: ended'],
    ['with a text for a number', { exit_code: '10' }, 'FILE has a last line that cannot be read: exit_code'],
    ['with counts that are a list', { counts: [1] }, 'FILE has a last line that cannot be read: counts'],
    ['with a file without a name', { values_from: [{}] }, 'read: values_from[0].name'],
  ])('%s is an error that names the file', async (_, more, told) => {
    expect((await read(BEGUN, ROW, { ...ENDED, ...more })).error).toContain(told);
  });

  it('is missing of a torn one, which is told', async () => {
    const { rows, end, told } = await read(BEGUN, ROW);
    expect([rows, end]).toEqual([1, undefined]);
    expect(told).toEqual([expect.stringContaining('is torn: its last line is missing')]);
  });

  it('is the last one', async () => {
    expect((await read(BEGUN, ENDED, ROW)).error).toContain('line 3: rows follow the line that ends the review');
    expect((await read(BEGUN, ROW, ENDED, ENDED)).error).toContain('rows follow the line that ends the review');
  });
});

import { describe, expect, it } from 'vitest';
import { markdownPieces } from '../../../../src/output/report/markdown.ts';
import { fc } from '../../../fixtures/properties.ts';
import { answered, reportOf } from './rows.ts';

const markdown = (...report: Parameters<typeof reportOf>) => [...markdownPieces(reportOf(...report))].join('');

describe('a report in Markdown', () => {
  it('has the figures, the histograms and what matched', () => {
    const rows = [720, 310, 700, 300, 320, 330, 715, 725].map((score, i) => ({
      ...answered(
        i + 1,
        `"total_collateral_usd":${i * 1_000},"defi_score":{"score":${score},"level":"${score < 500 ? 'High' : 'Low'}"}`,
      ),
      matched: score < 315 ? ['too | low'] : [],
    }));
    const text = markdown(rows, { title: 'Week 47', source: 'scored.jsonl' });
    expect(text).toContain('# Week 47\n\n8 rows of `scored.jsonl`, answered 2026-01-02 03:04 UTC: 8 scored.\n');
    expect(text).toContain('| **2** (25%) | **0** (0%) | **330** (of 8 rows) |');
    expect(text).toContain('| `too \\| low` | 2 | 0 | 0 | 25% |');
    expect(text).toMatch(
      /4` \| `High` \| `too \\\| low` \| `300` \| `\$3,000.00` \|\n.*2` \| `High` \| `too \\\| low` \| `310` \|/,
    );
    expect(text).toContain('\n300 to 400  4  ████████████████████████████████████████\n400 to 500  0\n');
    expect(text).toContain('| 300 | 310 | 330 | 715 | 725 |');
    expect(text).toContain('| `defi_score.level` | rows | share |\n| --- | ---: | ---: |\n| `High` | 4 | 50% |');
    const heads = [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    expect(heads).toEqual(['What matched', 'Breakdown by field', 'Score', 'Collateral']);
  });

  it('names wallets by the labels of the list', () => {
    const rows = [1, 2].map((line) => {
      const input = { kind: 'object', members: [['customer', { kind: 'string', value: `Ann <${line}>` }]] } as const;
      return { ...answered(line, ''), matched: ['x'], input: () => input };
    });
    expect(markdown(rows)).toMatch(/\| `customer` \| wallet \| rules .*\n.*\n\| `Ann <1>` \| `0x/);
  });

  it('has no chart of fewer rows than eight', () => {
    const rows = [1, 2, 3, 4, 5, 6, 7].map((line) => answered(line, `"defi_score":{"defi_score":${line}}`));
    expect(markdown(rows)).not.toContain('## Score');
  });

  it('never treats foreign text as markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'`|<>@#*_[]()!\\\n :a') }), (hostile) => {
        const rows = [{ ...answered(1, ''), matched: [hostile] }];
        const [line = ''] = markdown(rows, { title: 'x' })
          .split('\n')
          .filter((one) => one.endsWith(' | 1 | 0 | 0 | 100% |'));
        const [, fence = '', inside = ''] = /^\| (`*)(.*)\1 \| 1 \| 0 \| 0 \| 100% \|$/.exec(line) ?? [];
        if (hostile.trim() === '') return;
        expect(fence).not.toBe('');
        // Neither the end of the code nor of the cell is inside.
        expect([...inside.matchAll(/`+/g)].some(([run]) => run === fence)).toBe(false);
        expect(/(?<!\\)\|/.test(inside)).toBe(false);
      }),
    );
    expect(markdown([], { title: '<img> [a](https://b) @team #1' })).toContain(
      '# \\<img\\> \\[a\\](https\\://b) \\@team \\#1\n',
    );
  });
});

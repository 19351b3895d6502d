import { describe, expect, it } from 'vitest';
import { markdownPieces } from '../../../../src/output/report/markdown.ts';
import { fc } from '../../../fixtures/properties.ts';
import { answered, reportOf } from './rows.ts';

const markdown = (...report: Parameters<typeof reportOf>) => [...markdownPieces(reportOf(...report))].join('');

describe('a report in Markdown', () => {
  it('has the figures, the histograms and what matched', () => {
    const rows = [300, 310, 700, 720].map((score, i) => ({
      ...answered(
        i + 1,
        `"total_collateral_usd":${i * 1_000},"defi_score":{"score":${score},"level":"${score < 500 ? 'High' : 'Low'}"}`,
      ),
      matched: score < 305 ? ['too | low'] : [],
    }));
    const text = markdown(rows, { title: 'Week 47', source: 'scored.jsonl' });
    expect(text).toContain('# Week 47\n\n4 rows of `scored.jsonl`, answered 2026-01-02 03:04 UTC: 4 scored.\n');
    expect(text).toContain('| `too \\| low` | 1 | 0 | 0 | 25% |');
    expect(text).toMatch(/\| `0x0+1` \| `300` \| `0` \| `too \\\| low` \|/);
    expect(text).toContain('\n300 to 400  2  ████████████████████████████████████████\n400 to 500  0\n');
    expect(text).toContain('| 300 | 300 | 310 | 700 | 720 |');
    expect(text).toContain('| `defi_score.level` | rows | share |\n| --- | ---: | ---: |\n| `High` | 2 | 50% |');
  });

  it('leaves no text of others to be read as markup', () => {
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

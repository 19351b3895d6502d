import { describe, expect, it } from 'vitest';
import { likelyMeant } from '../../../../src/row/paths/likely-typo.ts';
import { parseRowPath } from '../../../../src/row/paths/row-path.ts';

describe('a path that is probably mistyped', () => {
  it.each([
    ['scor.x', ['score']],
    ['Score', ['score']],
    ['statu', ['status']],
    ['defi_scor.defi_score', ['defi_score.defi_score']],
    ['total_colateral_usd', ['total_collateral_usd']],
    ['walet_address', ['wallet_address']],
    ['meta.score', ['score']],
  ])('%s is known by its neighbours', (path, meant) => {
    expect(likelyMeant(parseRowPath(path))).toEqual(meant);
  });

  it.each([
    'wallet_address',
    'score',
    'input.holder',
    '["status"]',
    'defi_score',
    'defi_score.anything.at[0].all',
    '_meta',
    '_meta.input.holder',
    '_meta.error.http_status',
    '_meta.matched',
    '_meta.excused[0].rule',
    'service._meta',
    'health_factor',
    'protocols[0]',
    'errors',
  ])('%s is none', (path) => {
    expect(likelyMeant(parseRowPath(path))).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { parsePath } from '../../../../src/document/path.ts';
import { likelyMeant } from '../../../../src/row/paths/likely-typo.ts';

describe('a path that is probably mistyped', () => {
  it.each([
    ['scor.x', ['_meta.score']],
    ['Score', ['_meta.score']],
    ['status', ['_meta.status']],
    ['defi_scor.defi_score', ['defi_score.defi_score']],
    ['total_colateral_usd', ['total_collateral_usd']],
    ['walet_address', ['wallet_address']],
    ['meta.score', ['_meta.score']],
    ['_meta.scor', ['_meta.score']],
    ['_meta.anwered_at', ['_meta.answered_at']],
  ])('%s is known by its neighbours', (path, meant) => {
    expect(likelyMeant(parsePath(path))).toEqual(meant);
  });

  it.each([
    'wallet_address',
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
    expect(likelyMeant(parsePath(path))).toEqual([]);
  });
});

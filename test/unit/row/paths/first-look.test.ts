import { describe, expect, it } from 'vitest';
import { parseFields } from '../../../../src/row/fields.ts';
import { createFirstLook } from '../../../../src/row/paths/first-look.ts';
import { isNearKey } from '../../../../src/row/paths/near-path.ts';
import type { RowInput } from '../../../../src/row/row.ts';
import { document } from '../../output/rows.ts';

const ANSWER =
  '{"wallet_address":"0x","total_collateral_usd":1,"defi_score":{"risk_level":"x","factors":[{"weight":1}]}}';

/** What is said of `spec` after so many answers; undefined when the list goes on. */
function verdict(spec: string, answer: string | ((i: number) => string) = ANSWER, { answers = 20 } = {}) {
  const look = createFirstLook(parseFields(spec).map((field) => ({ ...field, name: '--fields' })));
  try {
    for (let i = 0; i < answers; i++) {
      look.observeAnswer(`wallet ${i}`, document(typeof answer === 'string' ? answer : answer(i)));
    }
    return undefined;
  } catch (error) {
    const { message, hint } = error as Error & { hint: string };
    return [message, hint];
  }
}
const meant = (...args: Parameters<typeof verdict>) =>
  /did you mean (.*)\?(?= If)/.exec(verdict(...args)?.[1] ?? '')?.[1];

describe('a path missing in the first 20 answers', () => {
  it('stops the list if a key differs by two letters, or the path is the end of another', () => {
    expect(verdict('defi_scor.risk_level')).toEqual([
      "none of the first 20 answers had 'defi_scor.risk_level' of --fields",
      "did you mean defi_score.risk_level? If it may be absent, put '?' after the path",
    ]);
    expect(meant('total_colateral_us')).toBe('total_collateral_usd');
    expect(meant('defi_score.risk_levle')).toBe('defi_score.risk_level');
    expect(meant('Wallet_Address')).toBe('wallet_address');
    expect(meant('risk_level')).toBe('defi_score.risk_level');
    expect(meant('weight')).toBe('defi_score.factors[0].weight');
    expect(meant('scor')).toBe('score');
    expect(meant('wallet_address,risk_level')).toBe('defi_score.risk_level');
  });

  it('does not stop the list earlier, or if one answer had it', () => {
    expect(verdict('risk_level', ANSWER, { answers: 19 })).toBeUndefined();
    expect(verdict('risk_level', (i) => (i === 7 ? '{"risk_level":null}' : ANSWER))).toBeUndefined();
  });

  it.each(['total', 'rare', 'defi_score.scor', 'tokens.usdc', 'wallet_address.x', 'health'])(
    'stops nothing when no other is near: %s',
    (spec) => {
      expect(verdict(spec)).toBeUndefined();
    },
  );

  it.each(['risk_level?', 'defi_scor.factors[0]', 'defi_score.factors[9].weigth', '_meta.warning', 'score', 'status'])(
    'never stops a list when it may be absent or is the row’s own: %s',
    (spec) => {
      expect(verdict(spec)).toBeUndefined();
    },
  );

  it('may be of the row or of the document, which are not confused', () => {
    const answer = '{"meta":{"scores":1}}';
    expect(verdict('score', answer)).toBeUndefined();
    expect(verdict('["score"]', answer)).toBeUndefined();
    expect(verdict('["scor"]', answer)).toEqual([expect.any(String), expect.stringContaining('did you mean score?')]);
  });

  it('requires a parent that all of them had, even if null', () => {
    const some = (i: number) => (i % 2 ? '{}' : '{"debt":{"usd":1}}');
    const nulls = (i: number) => (i % 2 ? '{"debt":null}' : '{"debt":{"usd":1}}');
    expect(verdict('debt.udsd', some)).toBeUndefined();
    expect(meant('debt.udsd', nulls)).toBe('debt.usd');
    expect(verdict('debt.usd', (i) => (i < 19 ? '{"debt":null}' : '{"debt":{"usd":1}}'))).toBeUndefined();
  });

  it('is not a typo if keys differ only in digits', () => {
    expect(verdict('tier_3', '{"tier_1":1,"tier_2":1}')).toBeUndefined();
  });

  it('is also looked for in the columns of the list', () => {
    const input: RowInput = [['customer', 'x']];
    const look = createFirstLook([{ name: '--where', path: ['_meta', 'input', 'custmer'], optional: false }]);
    for (let i = 0; i < 19; i++) look.observeInput(input);
    expect(() => look.observeInput(input)).toThrow("none of the first 20 rows had 'input.custmer' of --where");
    const end = createFirstLook([
      { name: '--where', path: ['customer'], optional: false },
      { name: '--where', path: ['_meta', 'input', 'customer'], optional: false },
    ]);
    end.observeInput(input);
    const answers = () => {
      for (let i = 0; i < 20; i++) end.observeAnswer(`${i}`, document(ANSWER));
    };
    expect(answers).toThrow("none of the first 20 answers had 'customer'");
  });

  it('counts each wallet once, and stops when all paths were seen', () => {
    const look = createFirstLook([{ name: '--fields', path: ['risk_level'], optional: false }]);
    for (let i = 0; i < 40; i++) look.observeAnswer('the same', document(ANSWER));
    expect(look.isOver).toBe(false);
    look.observeAnswer('another', document('{"risk_level":1}'));
    expect(look.isOver).toBe(true);
  });

  it('stops after 20 wallets when no near path is found', () => {
    const look = createFirstLook([{ name: '--fields', path: ['rare'], optional: false }]);
    for (let i = 0; i < 19; i++) look.observeAnswer(`${i}`, document(ANSWER));
    expect(look.isOver).toBe(false);
    look.observeAnswer('the last', document(ANSWER));
    expect(look.isOver).toBe(true);
  });
});

describe('a key', () => {
  it.each([
    ['score', 'scores', true],
    ['Score', 'score', true],
    ['lvl', 'level', true],
    ['id', 'tx', false],
    ['a', 'ab', false],
    ['score', 'collateral', false],
    ['x1', 'x2', false],
  ])('%s is a slip for %s: %s', (typed, key, isNear) => {
    expect(isNearKey(typed, key)).toBe(isNear);
  });
});

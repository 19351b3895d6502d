import { describe, expect, it } from 'vitest';
import type { ObjectNode } from '../../../src/document/node.ts';
import { parseDocument } from '../../../src/document/parse.ts';
import { lookup } from '../../../src/document/path.ts';
import { writeCompact } from '../../../src/document/write.ts';
import { ExitCode, UsageError } from '../../../src/errors.ts';
import { createFieldWatch, missingFieldsError, parseFields } from '../../../src/row/fields.ts';
import { pick } from '../../../src/row/row.ts';

const object = (text: string) => parseDocument(text) as ObjectNode;

describe('parseFields', () => {
  it('reads paths, new names and the mark for optional fields', () => {
    expect(parseFields('a,b.c[0],score=defi_score.defi_score,opt? ,x=["a,b=c?"].d?, _meta.status ')).toEqual([
      { name: 'a', path: ['a'], optional: false },
      { name: 'b.c[0]', path: ['b', 'c', 0], optional: false },
      { name: 'score', path: ['defi_score', 'defi_score'], optional: false },
      { name: 'opt', path: ['opt'], optional: true },
      { name: 'x', path: ['a,b=c?', 'd'], optional: true },
      { name: '_meta.status', path: ['_meta', 'status'], optional: false },
    ]);
  });

  it.each([
    ['', 'empty item'],
    ['a,,b', 'empty item'],
    ['a,', 'empty item'],
    ['?', 'is not a field'],
    ['=a', 'is not a field'],
    ['a=', 'is not a path'],
    ['a=b=c', 'is not a field'],
    ['a..b', 'is not a path'],
    ['a,b,a', 'two fields'],
    ['a,a=b', 'two fields'],
  ])('refuses %j', (spec, problem) => {
    expect(() => parseFields(spec)).toThrow(UsageError);
    expect(() => parseFields(spec)).toThrow(problem);
  });

  it('says how fields are written and renamed', () => {
    const hintOf = (hint: string) => expect.objectContaining({ hint });
    expect(() => parseFields('a,a')).toThrow(hintOf('rename one of them like other_name=path'));
    expect(() => parseFields('a,,b')).toThrow(hintOf('separate paths by single commas: a,b.c'));
    expect(() => parseFields('a=b=c')).toThrow(
      hintOf('write name=path to rename a field, and ["..."] around a key that contains ='),
    );
  });
});

describe('pick', () => {
  it('orders and renames fields, and has undefined for absent ones', () => {
    const answer = object('{"a":1e400,"b":{"c":[null]}}');
    const picked = pick((path) => lookup(answer, path), parseFields('c=b.c[0],a,x?'));
    expect(picked.map(([name, node]) => [name, node && writeCompact(node)])).toEqual([
      ['c', 'null'],
      ['a', '1e400'],
      ['x', undefined],
    ]);
  });
});

describe('createFieldWatch', () => {
  function missing(spec: string, ...answers: readonly string[]) {
    const watch = createFieldWatch(parseFields(spec));
    for (const answer of answers) watch.observe(object(answer));
    return watch.missing().map(({ field, suggestions }) => [field.name, ...suggestions]);
  }

  it('accepts a field that one answer had, even if null', () => {
    expect(missing('a,b.c', '{"a":1}', '{"b":{"c":null}}')).toEqual([]);
  });

  it('names the nearest path that an answer had', () => {
    const answer =
      '{"wallet_address":"0x","total_collateral_usd":1,"defi_score":{"risk_level":"x","factors":[{"severity":1},{"severity":2}]}}';
    expect(missing('total_colateral_usd', answer)).toEqual([['total_colateral_usd', 'total_collateral_usd']]);
    expect(missing('risk_level', answer)).toEqual([['risk_level', 'defi_score.risk_level']]);
    expect(missing('Defi_Score.Risk_Level', answer)).toEqual([['Defi_Score.Risk_Level', 'defi_score.risk_level']]);
    expect(missing('defi_score.factors[7].severity', answer)).toEqual([
      ['defi_score.factors[7].severity', 'defi_score.factors[0].severity'],
    ]);
  });

  it('accepts absent optional fields, and _meta.error if nothing failed', () => {
    expect(missing('x?,_meta.error.code', '{"a":1}')).toEqual([]);
    expect(missing('stauts', '{"_meta":{"status":"scored","line":1}}')).toEqual([['stauts', 'status']]);
  });

  it('finds a misspelled key at any level', () => {
    const answer = '{"_meta":{"score":474},"defi_score":{"risk_level":"High"}}';
    expect(missing('scor', answer)).toEqual([['scor', 'score']]);
    expect(missing('risk_levle', answer)).toEqual([['risk_levle', 'defi_score.risk_level']]);
    const failed = '{"_meta":{"error":{"code":"network"}}}';
    expect(missing('error.cod', failed)).toEqual([['error.cod', '_meta.error.code']]);
  });

  it('suggests nothing if no name is similar', () => {
    expect(missing('rare', '{"errors":1,"wallet_address":"0x"}')).toEqual([['rare']]);
    expect(missing('t', '{"s":1}')).toEqual([['t']]);
  });

  it('does not treat a null parent as presence or absence of the path', () => {
    expect(missing('a.b', '{"a":null}')).toEqual([]);
    expect(missing('a.levle', '{"a":null}', '{"a":{"level":1}}')).toEqual([['a.levle', 'a.level']]);
  });

  it('reports nothing if there were no answers', () => {
    expect(missing('x')).toEqual([]);
  });

  it('finds a top-level name behind a map with more keys than it keeps', () => {
    const tokens = Array.from({ length: 5_000 }, (_, index) => `"0x${index}":{"amount":1}`).join(',');
    expect(missing('total', `{"tokens":{${tokens}},"totals":1}`, '{"late":1}')).toEqual([['total', 'totals']]);
  });
});

describe('missingFieldsError', () => {
  const hintOf = (spec: string, answer: string) => {
    const watch = createFieldWatch(parseFields(spec));
    watch.observe(object(answer));
    return missingFieldsError(watch.missing()).hint;
  };

  it('names all candidates for one field, and the nearest of each if several are missing', () => {
    const answer = '{"a":{"level":1},"b":{"level":2},"total":3}';
    const rest = "? If it may be absent, put '?' after the path";
    expect(hintOf('level', answer)).toBe(`did you mean a.level or b.level${rest}`);
    expect(hintOf('level,totl', answer)).toBe(`did you mean a.level or total${rest}`);
  });

  it('has exit code 2 and one line with the nearest name', () => {
    const watch = createFieldWatch(parseFields('risk_levle'));
    watch.observe(object('{"risk_level":1,"\\u001b[31m":2}'));
    const error = missingFieldsError(watch.missing());
    expect(error.exitCode).toBe(ExitCode.usage);
    expect(error.message).toBe("no answer had the field 'risk_levle'");
    expect(error.hint).toBe("did you mean risk_level? If it may be absent, put '?' after the path");
  });

  it('never repeats a control character', () => {
    const watch = createFieldWatch(parseFields('x,y'));
    watch.observe(object('{"\\u001b[31m":{"x":2}}'));
    const error = missingFieldsError(watch.missing());
    expect(error.message).toBe("no answer had the fields 'x', 'y'");
    expect(error.hint).toContain('["\\u001b[31m"]');
  });
});

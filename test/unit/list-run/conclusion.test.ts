import { expect, it } from 'vitest';
import {
  ExitCode,
  FindingError,
  IoError,
  KeyError,
  LimitError,
  ReaderGoneError,
  SignalError,
} from '../../../src/errors.ts';
import { concludeList } from '../../../src/list-run/conclusion.ts';
import type { ListEnd } from '../../../src/list-run/run-list.ts';
import { RowJudge } from '../../../src/rules/row-judge.ts';
import { testHost } from '../../fixtures/cli/here.ts';

const counts = { scored: 3, no_score: 0, invalid: 0, failed: 0, pending: 0 };
const disk = new IoError('out.csv cannot be written', { hint: 'make room' });

function conclude(
  end: Partial<ListEnd>,
  given: { readonly journal?: undefined; readonly maxAge?: number } = {},
): unknown {
  const whole = { counts, failures: { refused: 0, temporary: 0, untrusted: 0 }, faults: [], isKept: true, total: 5 };
  const options = {
    rules: [],
    accept: new Set<never>(),
    shape: {},
    selection: { fields: undefined, keepsDefaults: false },
  };
  const judged = new RowJudge(options, testHost() as never);
  const facts = { ...options, judged, context: testHost() as never, format: 'csv' as const, journal: 'j', ...given };
  return concludeList({ ...whole, reused: 0, ...end } as ListEnd, facts);
}

it('reports the most severe error first, then other errors of this machine, what to do, and the counts', () => {
  const key = new KeyError('no key', { hint: 'set one', httpStatus: 401, isResumable: true, resumeAt: 7 });
  expect(conclude({ stop: { reason: key }, faults: [disk] })).toMatchObject({
    exitCode: 4,
    code: 'key',
    message: 'no key, and out.csv cannot be written (scored 3, pending 2)',
    hint: 'set one; make room',
    httpStatus: 401,
    isResumable: true,
    resumeAt: 7,
    counts: { ...counts, pending: 2 },
  });
  expect(conclude({ stop: { reason: new SignalError('SIGINT'), also: disk } })).toMatchObject({
    exitCode: 130,
    message: 'stopped by Ctrl-C, and out.csv cannot be written (scored 3, pending 2)',
  });
  const again = new IoError(disk.message, { hint: 'make room' });
  expect(conclude({ stop: { reason: disk }, faults: [again, again] })).toMatchObject({
    message: 'out.csv cannot be written (scored 3, pending 2)',
  });
  const failures = { refused: 0, temporary: 1, untrusted: 0 };
  expect(conclude({ failures, reasons: { temporary: ['late'] } as never, faults: [disk] })).toMatchObject({
    exitCode: 8,
    message: 'out.csv cannot be written (scored 3)',
  });
});

it('says only once to run the same command again, also if answers are reused for a limited time', () => {
  const spent = new LimitError('spent', { hint: 'run the same command again after 14:00', isResumable: true });
  const end = { stop: { reason: spent }, newestAnsweredAt: 0 };
  expect(conclude(end, { maxAge: 1000 })).toMatchObject({
    hint: 'run the same command again after 14:00; answers are reused until 1970-01-01T00:00:01Z',
  });
  expect(conclude(end)).toMatchObject({ hint: 'run the same command again after 14:00' });
});

it('says how to ask only for rows that got no answer, where answers are kept and where not', () => {
  const failures = { refused: 0, temporary: 1, untrusted: 0 };
  const late = { failures, reasons: { temporary: ['late'] } as never };
  const again = 'run the same command again';
  expect(conclude(late)).toMatchObject({ exitCode: 5, hint: `${again} to ask only for these`, isResumable: true });
  const unkept = { hint: `${again}; with --journal FILE it would ask only for these` };
  expect(conclude({ ...late, isKept: false }, { journal: undefined })).toMatchObject(unkept);
});

it('reports one error alone when nobody reads messages, or riskcli has a fault', () => {
  const gone = new ReaderGoneError();
  expect(conclude({ stop: { reason: gone }, faults: [disk] })).toBe(gone);
  const fault = new TypeError('a fault');
  expect(conclude({ stop: { reason: fault }, faults: [disk] })).toBe(fault);
  expect(conclude({})).toBeUndefined();
  const failures = { refused: 1, temporary: 0, untrusted: 0 };
  const refused = conclude({ failures, counts: { ...counts, failed: 1 } });
  expect(refused).toBeInstanceOf(FindingError);
  expect(refused).toMatchObject({ exitCode: ExitCode.rows, hint: 'column `error` says why' });
});

/** The lines on standard error when json or jsonl is asked for. */
import { ERROR_CODES } from '../../error-codes.ts';
import { ExitCode } from '../../errors.ts';
import { count, object, oneOf, orNull, type Schema, said, text, time } from './parts.ts';

export const errorCode: Schema = oneOf(Object.keys(ERROR_CODES));
export const exitCode: Schema = oneOf(Object.values(ExitCode));

const error = object(
  {
    exit_code: exitCode,
    code: said(errorCode, 'stable: act on it'),
    message: said(text, 'what happened, for a person; the words may change'),
    environment: said(orNull(text), 'null when it could not be read'),
  },
  {
    optional: {
      hint: said(text, 'what to do next'),
      http_status: said({ type: 'integer' }, 'of the answer that the error is about'),
      retry_at: said(time, 'from when the same command can go on'),
      counts: said(
        object({ scored: count, no_score: count, invalid: count, failed: count, pending: count }),
        'rows of the list by status',
      ),
      url: said(text, 'the base URL of the service, once it is known'),
      stack: said(text, 'with --debug'),
    },
  },
);

export const message: Schema = { oneOf: [object({ error }), object({ note: text })] };

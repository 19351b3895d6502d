/** The JSON Schema of each output, by its name. The type OutputName makes sure that none is missing. */
import { OUTPUTS, type OutputName } from '../../cli/outputs.ts';
import { STATUSES } from '../../row/row.ts';
import {
  byStatus,
  count,
  errorCode,
  exitCode,
  figure,
  flag,
  listOf,
  object,
  oneOf,
  orNull,
  type Schema,
  said,
  scalar,
  text,
  time,
} from './parts.ts';
import { diffRow, row, wallet } from './rows.ts';

const keyAge = {
  stored_at: orNull(said(text, 'ISO 8601, as keys.json has it')),
  age_days: orNull(count),
  rotation_due: orNull(flag),
};

const rateLimit = {
  limit: said(orNull(figure), 'requests a second over time'),
  remaining: said(orNull(figure), 'as the newest answer told it; above the limit where bursts are allowed'),
  remaining_is_burst: said(orNull(flag), 'whether remaining is above the limit'),
};

const setting = object({ setting: text, value: orNull(text), source: orNull(text) });

const unseenValue = object({
  source: oneOf(['--fail-if', '--policy', '--where']),
  rule: said(orNull(text), 'null for --where'),
  condition: text,
  value: said(text, 'what the condition asks for'),
  near: said(listOf(text), 'values that may have been meant'),
  seen: said(listOf(object({ value: text, rows: count })), 'at most 100, the most frequent first'),
});

const levelChange = { field: said(text, 'its path'), old: text, new: text };
const named = { wallet_address: orNull(text), label: said(orNull(text), 'what the list calls it') };

const reviewRow = object({
  ...named,
  line: said(count, 'in the list'),
  status: oneOf(STATUSES),
  score: scalar,
  score_before: said(scalar, 'the last good one that it is compared with'),
  change: said(scalar, 'by how much the score rose, exactly'),
  answered_before: said(orNull(time), 'when score_before was answered'),
  total_collateral_usd: scalar,
  new: said(flag, 'whether it was not listed then'),
  levels: said(listOf(object(levelChange)), 'fields with few values that changed'),
  matched: said(listOf(text), 'names of rules'),
  newly_matched: said(listOf(text), 'those of them that it did not match then'),
  not_judged: said(orNull(text), 'why nothing can be said of it'),
  newly_not_judged: flag,
});
const firstRows = said(listOf(reviewRow), 'the first 1,000');

const quantiles = {
  rows: said(count, 'that have a number'),
  lowest: figure,
  lower_quartile: figure,
  median: figure,
  upper_quartile: figure,
  highest: figure,
};
const bin = object({ from: figure, to: figure, rows: count }, { optional: { rows_before: count } });
const distribution = said(orNull(object({ ...quantiles, bins: listOf(bin) })), 'null where no row has a number');
const ofGroup = {
  rows: count,
  matched: count,
  score: orNull(object(quantiles)),
  total_collateral_usd: orNull(object(quantiles)),
};
const fromTo = said(
  listOf(object({ from: text, to: text, wallets: count })),
  'the most frequent first; empty: no value',
);

const error = object(
  {
    exit_code: exitCode,
    code: said(errorCode, 'stable: act on it'),
    message: said(text, 'what happened, for a person; the words may change'),
    environment: said(orNull(text), 'null when it could not be read'),
    next: said(listOf(object({ command: text, when: text })), 'lines that can be run as they are, and cost nothing'),
  },
  {
    optional: {
      hint: said(text, 'what to do next'),
      http_status: said({ type: 'integer' }, 'of the answer that the error is about'),
      request_id: said(text, 'what the service calls the request that failed (x-request-id)'),
      retry_at: said(time, 'when the same command can continue'),
      counts: said(byStatus, 'rows of the list by status'),
      url: said(text, 'the base URL of the service, once it is known'),
      stack: said(text, 'with --debug'),
    },
  },
);

const SCHEMAS: Readonly<Record<OutputName, Schema>> = {
  wallet,
  row,
  rows: listOf(row),
  review: object({
    list: text,
    journal: text,
    reviewed_at: time,
    compared_with: said(orNull(time), 'as of when; null where there is nothing to compare with'),
    news: said(flag, 'whether anything newly matched, changed, came, went or could no longer be judged'),
    rows: count,
    wallets: said(count, 'each once, however many rows it has'),
    asked: said(count, 'wallets'),
    from_journal: said(count, 'wallets'),
    counts: byStatus,
    to_look_at: said(object({ count, new: count, rows: firstRows }), 'what matched, the worst first'),
    changed_most: object({ count, rows: said(listOf(reviewRow), 'ten, by the size of the change') }),
    levels: listOf(object({ ...levelChange, count, rows: said(listOf(object(named)), 'the first 1,000') })),
    new: object({ count, rows: firstRows }),
    no_longer_listed: object({ count, rows: said(listOf(object(named)), 'the first 1,000') }),
    not_judged: object({ count, new: count, reasons: listOf(object({ why: text, count })), rows: firstRows }),
  }),
  report: object(
    {
      title: text,
      source: text,
      made_at: time,
      rows: count,
      counts: said(object({}, { others: count }), 'rows by status; those that there are'),
      incomplete: said(count, 'answers with a warning'),
      oldest: said(orNull(time), 'when the first answer came'),
      newest: orNull(time),
      rules: listOf(object({ rule: text, matched: count, unjudged: count, excused: count })),
      score: distribution,
      total_collateral_usd: distribution,
      fields: said(
        listOf(object({ field: text, values: listOf(object({ value: text, rows: count })) })),
        'fields with few values',
      ),
    },
    {
      optional: {
        by: said(text, 'the field of --by'),
        groups: listOf(object({ value: orNull(text), ...ofGroup })),
        other_values: said(orNull(object(ofGroup)), 'the rows of all values beyond the first 1,000'),
        changes: object({
          baseline: text,
          added: said(count, 'wallets'),
          removed: count,
          changed: count,
          same: count,
          psi: said(orNull(figure), 'population stability index of the score, in ten ranges of the baseline'),
          status: fromTo,
          fields: listOf(object({ field: text, changes: fromTo })),
        }),
      },
    },
  ),
  'diff-row': diffRow,
  'diff-rows': listOf(diffRow),
  'config-list': listOf(setting),
  'config-get': setting,
  'keys-show': object({
    environment: text,
    environment_source: text,
    key: said(orNull(text), 'masked, unless --reveal is given; null when a command prints it'),
    key_source: text,
    key_for: orNull(text),
    base_url: orNull(text),
    base_url_source: orNull(text),
    ...keyAge,
  }),
  'keys-list': listOf(
    object({
      environment: text,
      key: orNull(text),
      base_url: text,
      ...keyAge,
      command: said(orNull(text), 'what prints the key, for one that a vault keeps'),
    }),
  ),
  'keys-check': object({
    environment: text,
    key: orNull(text),
    key_source: text,
    base_url: text,
    accepted: oneOf([true]),
    ...rateLimit,
  }),
  limits: object({
    environment: text,
    key: text,
    base_url: text,
    ...rateLimit,
    reset_at: orNull(time),
    learned_at: orNull(time),
    month: text,
    requests_this_month: said(count, 'from this machine'),
    monthly_requests: orNull(count),
    requests_left_this_month: orNull(count),
  }),
  'dry-run': object({
    rows: count,
    not_wallets: count,
    distinct_wallets: count,
    known_from_journal: count,
    requests_needed: count,
    requests_left_this_month: orNull(count),
    fits: said(orNull(flag), 'whether the requests fit in what is left of the month'),
    requests_per_second: figure,
    rate_is_assumed: flag,
    takes: said(text, 'a duration, such as 3m12s'),
  }),
  summary: object({
    exit_code: exitCode,
    error_code: orNull(errorCode),
    environment: orNull(text),
    base_url: orNull(text),
    started_at: time,
    ended_at: time,
    last_success_at: orNull(time),
    last_complete_at: orNull(time),
    duration_seconds: figure,
    rows: orNull(byStatus),
    matched: orNull(
      listOf(object({ rule: text, rows: count, unjudged: said(count, 'rows for which the rule could not be judged') })),
    ),
    unseen_values: said(orNull(listOf(unseenValue)), 'values of == that no row had'),
    requests: orNull(count),
    rate_limited_requests: orNull(count),
    monthly_requests_left: orNull(count),
    key_age_seconds: orNull(figure),
  }),
  health: object({
    status: said(
      oneOf(['ok', 'slow', 'down', 'unknown']),
      'slow: healthy, but slower than --critical; unknown: no check could be made',
    ),
    timestamp: said(orNull(text), 'as the service spelled it'),
    clock_offset_ms: orNull({ type: 'integer' }),
    latency_ms: orNull(count),
    base_url: orNull(text),
    error_code: orNull(errorCode),
    error: orNull(text),
  }),
  'journal-show': object({
    base_url: orNull(text),
    wallets: count,
    answers: count,
    superseded: count,
    refusals: count,
    oldest: orNull(time),
    newest: orNull(time),
    bytes: count,
    damaged_lines: count,
  }),
  'journal-history': listOf(
    object(
      {
        answered_at: time,
        status: oneOf(['scored', 'no_score', 'failed']),
        score: scalar,
        change: said(scalar, 'from the score before; null where there are not two numbers'),
        total_collateral_usd: scalar,
      },
      { others: true },
    ),
  ),
  'journal-removed': object({
    answers_removed: count,
    wallets_affected: count,
    answers_left: count,
    bytes_before: count,
    bytes_after: count,
  }),
  doctor: listOf(object({ check: text, status: oneOf(['ok', 'warn', 'fail']), finding: text, remedy: orNull(text) })),
  /** A line on standard error when json or jsonl is asked for. */
  message: { oneOf: [object({ error }), object({ note: text })] },
};

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** What `riskcli schema NAME` prints, by name. */
export function outputSchemas(): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    OUTPUTS.map(({ name, what }) => [name, { $schema: DIALECT, title: what, ...SCHEMAS[name] }]),
  );
}

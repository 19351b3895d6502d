/** A run of a list as one JSON document (`--summary`). Names are stable; unknown values are null. */
import type { Node } from '../../document/node.ts';
import { writePretty } from '../../document/write.ts';
import type { UnseenValue } from '../../row/unseen-values.ts';
import { withholdSecrets } from '../../secrets/withhold.ts';
import { isComplete, isSuccess, type ListReport } from './list-report.ts';
import { inSeconds } from './prometheus.ts';

/** The document for `report`; `previous` is the file written by an earlier run, or empty. */
export function listSummary(report: ListReport, previous: string): string {
  const { environment = null, baseUrl = null, errorCode = null } = report;
  const { rows = null, matched = null, unseen, requests = null, refusals = null } = report;
  const { startedAt, endedAt, durationMs, monthlyLeft = null, keyAgeMs } = report;
  const document = {
    exit_code: report.exitCode,
    error_code: errorCode,
    environment,
    base_url: baseUrl,
    started_at: isoTime(startedAt),
    ended_at: isoTime(endedAt),
    last_success_at: isSuccess(report) ? isoTime(endedAt) : earlier('last_success_at', previous, report),
    last_complete_at: isComplete(report) ? isoTime(endedAt) : earlier('last_complete_at', previous, report),
    duration_seconds: inSeconds(durationMs),
    rows,
    matched,
    unseen_values: unseen?.map(unseenRecord) ?? null,
    requests,
    rate_limited_requests: refusals,
    monthly_requests_left: monthlyLeft,
    key_age_seconds: keyAgeMs === undefined ? null : inSeconds(keyAgeMs),
  };
  return `${writePretty(nodeOf(document))}\n`;
}

/** A value that a condition asked for and no row had, and the values rows had instead. */
const unseenRecord = ({ source, rule, condition, value, near, seen }: UnseenValue) => ({
  source,
  rule: rule ?? null,
  condition: condition.text,
  value,
  near: near.map((one) => one.value),
  seen,
});

const isoTime = (ms: number) => new Date(ms).toISOString();

function nodeOf(value: unknown): Node {
  if (typeof value === 'string') return { kind: 'string', value: withholdSecrets(value) };
  if (typeof value === 'number') return { kind: 'number', spelling: JSON.stringify(value) };
  if (Array.isArray(value)) return { kind: 'array', items: value.map(nodeOf) };
  if (typeof value !== 'object' || value === null) return { kind: 'literal', value: null };
  return { kind: 'object', members: Object.entries(value).map(([name, member]) => [name, nodeOf(member)] as const) };
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The time `name` in `previous`, if it is of the same environment and not in the future; else null. */
function earlier(name: string, previous: string, { environment, endedAt }: ListReport): string | null {
  const { environment: whose, [name]: at } = parse(previous);
  if (environment === undefined || whose !== environment) return null;
  if (typeof at !== 'string' || !ISO_TIME.test(at)) return null;
  return Date.parse(at) <= endedAt ? at : null;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return {};
  }
}

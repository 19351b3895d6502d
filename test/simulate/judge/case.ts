/**
 * A history with the look-ups that the judges share: requests by run, incidents by time, and what
 * explains a failure.
 */
import type { History, Incident, RunRecord, SentRequest, Truth } from '../history.ts';
import { type Format, readList } from './readers.ts';

export interface Case extends History {
  /** The requests of a run, in the order in which they left. */
  readonly sent: (run: RunRecord) => readonly SentRequest[];
  readonly during: (kinds: RegExp, from: number, to: number) => readonly Incident[];
  readonly has: (kinds: RegExp) => boolean;
  /** What the machine's clock showed at a true time. */
  readonly wall: (at: number) => number;
  /**
   * Whether it belongs to a list that no run could finish, even without faults: it is empty, or its
   * journal of another service.
   */
  readonly isUnfinished: (path: string) => boolean;
  /** All that the service has said of a wallet up to the end of a run. */
  readonly truthsFor: (run: RunRecord, wallet: string) => readonly Truth[];
}

/**
 * Milliseconds: more than the second between two syncs and the time of a sync on a disk that is not
 * slow.
 */
const PATIENCE = 5_000;
const SLOW_PATIENCE = 60_000;

export function openCase(history: History): Case {
  const sent = new Map<string, SentRequest[]>();
  for (const request of history.requests) sent.set(request.run, [...(sent.get(request.run) ?? []), request]);
  const during = (kinds: RegExp, from: number, to: number) =>
    history.incidents.filter(({ kind, at }) => kinds.test(kind) && at >= from && at <= to);
  return {
    ...history,
    sent: ({ name }) => sent.get(name) ?? [],
    during,
    has: (kinds) => history.incidents.some(({ kind }) => kinds.test(kind)),
    wall: (at) =>
      history.incidents
        .filter((incident) => /^clock/.test(incident.kind) && incident.at <= at)
        .reduce((sum, { detail = '' }) => sum + Number.parseInt(detail, 10), Math.floor(at + history.clock)),
    isUnfinished: (path) =>
      history.runs.some((run) => {
        const { isPeaceful, exitCode, journal } = run;
        const isHindered = isPeaceful && (exitCode === 9 || isOfAnotherService(run));
        const ofJournal = journal === undefined ? [] : [nameOf(journal).slice(0, -'.journal'.length)];
        const names = [...ofJournal, ...(run.output === undefined ? [] : [nameOf(run.output)])];
        return isHindered && names.some((name) => path.includes(name));
      }),
    truthsFor: (run, wallet) => history.truths?.(wallet, run.endedAt ?? run.startedAt) ?? [history.truth(wallet)],
  };
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** How long after it got to a process an answer may be on its way to the disk. */
export const patienceOf = ({ has }: Case, { haltedMs }: RunRecord) =>
  haltedMs + (has(/^slow disk$|^failing call/) ? SLOW_PATIENCE : PATIENCE);

const FOR_GOOD = [400, 402, 403, 404, 410, 422];

/** An answer that the process got whole and can believe. */
export const isAnswer = ({ status, fault, deliveredAt }: SentRequest) =>
  status === 200 && fault === undefined && deliveredAt !== undefined;

/** An answer that the process may have taken: what is slow may still be in time. */
export const mayBeAnswer = ({ status, fault, deliveredAt }: SentRequest) =>
  status === 200 && (fault === undefined || fault === 'drip') && deliveredAt !== undefined;

/** The head of a refusal is enough, whatever became of its body. */
export const mayBeRefusal = ({ status = 0 }: SentRequest) => status >= 400 && status < 500;

/** The wallet was refused, and not because of when it was asked. */
export const isRefusal = ({ status = 0, deliveredAt }: SentRequest) =>
  FOR_GOOD.includes(status) && deliveredAt !== undefined;

export const isList = ({ list }: RunRecord) => list !== undefined;
export const isReview = ({ argv }: RunRecord) => argv[0] === 'review';

/** Whether its journal is its own and goes when the list has come to its end. */
export const hasOwnJournal = (run: RunRecord) => !run.argv.includes('--journal');

export const flagOf = ({ argv }: RunRecord, flag: string): string | undefined =>
  argv.includes(flag) ? argv[argv.indexOf(flag) + 1] : undefined;

export const endOf = ({ endedAt }: RunRecord) => endedAt ?? Number.POSITIVE_INFINITY;

/** Ended without a chance to put away what it had. */
export const wasCutShort = ({ how }: RunRecord) => how !== 'exit';

export function formatOf(run: RunRecord): Format {
  const named = /\.(csv|jsonl|json)$/.exec(run.output ?? '')?.[1];
  return (named ?? flagOf(run, '--format') ?? 'csv') as Format;
}

export function walletsOf({ lists }: Case, { list = '', listText }: RunRecord): readonly (string | undefined)[] {
  return readList(list, listText ?? String(lists.get(list) ?? ''));
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
/** A review asks again for answers that are older. */
const REVIEWED = '20h';

/** Milliseconds; undefined where answers of any age are taken. */
export function maxAgeOf(run: RunRecord): number | undefined {
  const text = flagOf(run, '--max-age') ?? (isReview(run) ? REVIEWED : '');
  const [, count, unit = 's'] = /^(\d+)([smh])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? 0);
}

/** Runs that have gone through their lists, and put in place what they wrote. */
const FINISHED = [0, 2, 3, 10];
export const hasFinished = (run: RunRecord) =>
  run.how === 'exit' &&
  FINISHED.includes(run.exitCode ?? 1) &&
  !isOfAnotherService(run) &&
  !(isReview(run) && run.exitCode === 2);

/** It was refused before anything was sent, since the journal is of another service. */
export const isOfAnotherService = ({ exitCode, stderr }: RunRecord) =>
  exitCode === 2 && /holds answers from/.test(stderr);

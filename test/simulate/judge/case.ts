/** A history as the judges look at it: who asked what and got what, and what may excuse whom. */
import type { History, Incident, RunRecord, SentRequest } from '../history.ts';
import { type Format, readList } from './readers.ts';

export interface Case extends History {
  /** The requests of a run, in the order in which they left. */
  readonly sent: (run: RunRecord) => readonly SentRequest[];
  readonly during: (kinds: RegExp, from: number, to: number) => readonly Incident[];
  readonly has: (kinds: RegExp) => boolean;
}

/** Longer than a sync a second, and what a disk takes for it when it is not slow; milliseconds. */
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
  };
}

/** How long after it got to a process an answer may be on its way to the disk. */
export const patienceOf = ({ has }: Case, { haltedMs }: RunRecord) =>
  haltedMs + (has(/^slow disk$|^failing call/) ? SLOW_PATIENCE : PATIENCE);

/** Faults that leave an answer as the service gave it. */
const HARMLESS = [undefined, 'interim', 'trailers'];
/** What is slow, too, may still be in time. */
const SLOW = ['drip'];
const FOR_GOOD = [400, 402, 403, 404, 410, 422];

/** An answer that the process got whole and can believe. */
export const isAnswer = ({ status, fault, deliveredAt }: SentRequest) =>
  status === 200 && HARMLESS.includes(fault) && deliveredAt !== undefined;

/** An answer that the process may have taken. */
export const mayBeAnswer = ({ status, fault, deliveredAt }: SentRequest) =>
  status === 200 && [...HARMLESS, ...SLOW].includes(fault) && deliveredAt !== undefined;

/** The head of a refusal is enough, whatever became of its body. */
export const mayBeRefusal = ({ status = 0 }: SentRequest) => status >= 400 && status < 500;

/** The wallet was refused, and not because of when it was asked. */
export const isRefusal = ({ status = 0, deliveredAt }: SentRequest) =>
  FOR_GOOD.includes(status) && deliveredAt !== undefined;

export const isList = ({ argv, list }: RunRecord) => argv[0] === 'profile' && list !== undefined;

/** Whether its journal is its own and goes when the list has come to its end. */
export const hasOwnJournal = ({ argv }: RunRecord) => !argv.includes('--journal');

export const flagOf = ({ argv }: RunRecord, flag: string): string | undefined =>
  argv.includes(flag) ? argv[argv.indexOf(flag) + 1] : undefined;

export const endOf = ({ endedAt }: RunRecord) => endedAt ?? Number.POSITIVE_INFINITY;

/** Ended without a chance to put away what it had. */
export const wasCutShort = ({ how }: RunRecord) => how !== 'exit';

export function formatOf(run: RunRecord): Format {
  const { output = '' } = run;
  const named = /\.(csv|jsonl|json)$/.exec(output)?.[1];
  return (named ?? flagOf(run, '--format') ?? 'csv') as Format;
}

export function walletsOf({ lists }: Case, { list = '' }: RunRecord): readonly (string | undefined)[] {
  return readList(list, lists.get(list) ?? '');
}

/** Runs that have gone through their lists, and put in place what they wrote. */
const FINISHED = [0, 2, 3, 10];
export const hasFinished = ({ how, exitCode = 1 }: RunRecord) => how === 'exit' && FINISHED.includes(exitCode);

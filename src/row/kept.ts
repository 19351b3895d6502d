/**
 * The members that a review adds to a row: the alarms that are open, and the earlier answer.
 * Days are UTC days, YYYY-MM-DD. The members of `_meta` are written and read here only.
 */
import { isScalar, type Node, NULL, type ObjectNode, type ScalarNode, textNode } from '../document/node.ts';
import { memberOf } from '../document/path.ts';
import { nodeOf, type PlainObject } from '../document/plain.ts';
import { cellText } from '../document/write.ts';
import { type Excuse, LEVELS, type Level } from './verdict.ts';

/** Why an alarm that was hidden, or was only a watch, is an alarm again. */
export const RETURNS = ['exception ended', 'exception removed', 'was watch'] as const;
/** Why an alarm closed. */
export const CAUSES = ['list', 'exception', 'rule', 'answer'] as const;

/** One rule that matches one wallet. */
export interface Alarm {
  readonly rule: string;
  readonly level: Level;
  /** The days of the reviews that opened it and that last saw it match. */
  readonly opened: string;
  readonly confirmed: string;
  readonly isNew?: boolean | undefined;
  /** The value that decided, as text. */
  readonly value?: string | undefined;
  readonly returned?: (typeof RETURNS)[number] | undefined;
  readonly excused?: Excuse | undefined;
}

export interface ClosedAlarm extends Pick<Alarm, 'rule' | 'level' | 'opened' | 'value'> {
  readonly cause: (typeof CAUSES)[number];
}

export interface NotJudged {
  /** The day of the first review of the unbroken row of reviews that could not judge it. */
  readonly since: string;
  readonly reason: string;
}

/** An answer of an earlier review. */
export interface LastAnswer {
  /** ISO 8601 UTC. */
  readonly answeredAt: string | undefined;
  readonly document: ObjectNode;
}

/** The side of the base with which a row is compared. */
export interface PreviousRow {
  readonly status: string;
  readonly answeredAt: string | undefined;
  readonly score: ScalarNode | undefined;
  readonly collateral: Node | undefined;
  readonly warning: string | undefined;
  readonly notJudged: NotJudged | undefined;
}

export interface KeptMeta {
  readonly alarms: readonly Alarm[];
  readonly notJudged?: NotJudged | undefined;
  readonly last?: LastAnswer | undefined;
  /** Null if the wallet was not on the list of the base; undefined without a base. */
  readonly previous?: PreviousRow | null | undefined;
  readonly closed: readonly ClosedAlarm[];
}

/** `value` without its undefined members. */
const defined = (value: PlainObject): Node =>
  nodeOf(Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)));

const excuseNode = (excuse: Excuse | undefined) => excuse && defined({ reason: excuse.reason, until: excuse.until });

const alarmNode = ({ rule, level, opened, confirmed, isNew, value, returned, excused }: Alarm): Node =>
  defined({ rule, level, opened, confirmed, new: isNew || undefined, value, returned, excused: excuseNode(excused) });

const closedNode = ({ rule, level, opened, cause, value }: ClosedAlarm): Node =>
  defined({ rule, level, opened, cause, value });

const notJudgedNode = (notJudged: NotJudged | undefined) =>
  notJudged && nodeOf({ since: notJudged.since, reason: notJudged.reason });

function previousNode({ status, answeredAt, score, collateral, warning, notJudged }: PreviousRow): Node {
  return defined({
    status,
    answered_at: answeredAt ?? NULL,
    score: score ?? NULL,
    total_collateral_usd: collateral ?? NULL,
    warning,
    not_judged: notJudgedNode(notJudged),
  });
}

/** The members of `_meta`; undefined for those that a row does not have. */
export const keptNode = {
  alarms: ({ alarms }: Pick<KeptMeta, 'alarms'>): Node => ({ kind: 'array', items: alarms.map(alarmNode) }),
  notJudged: ({ notJudged }: Pick<KeptMeta, 'notJudged'>) => notJudgedNode(notJudged),
  last: ({ last }: Pick<KeptMeta, 'last'>): Node | undefined =>
    last && {
      kind: 'object',
      members: [
        ['answered_at', last.answeredAt === undefined ? NULL : textNode(last.answeredAt)],
        ['document', last.document],
      ],
    },
  previous: ({ previous }: Pick<KeptMeta, 'previous'>): Node | undefined =>
    previous === null ? NULL : previous && previousNode(previous),
  closed: ({ closed }: Pick<KeptMeta, 'closed'>): Node => ({ kind: 'array', items: closed.map(closedNode) }),
};

const text = (node: Node | undefined, name: string): string | undefined =>
  (node?.kind === 'object' && cellText(memberOf(node, name))) || undefined;

const member = (node: Node | undefined, name: string): Node | undefined =>
  node?.kind === 'object' ? memberOf(node, name) : undefined;

const items = (node: Node | undefined): readonly Node[] => (node?.kind === 'array' ? node.items : []);

const oneOf = <Value extends string>(values: readonly Value[], found: string | undefined) =>
  values.find((value) => value === found);

function readAlarm(node: Node): Alarm {
  const opened = text(node, 'opened') ?? '';
  const excused = member(node, 'excused');
  return {
    rule: text(node, 'rule') ?? '',
    level: oneOf(LEVELS, text(node, 'level')) ?? 'alarm',
    opened,
    confirmed: text(node, 'confirmed') ?? opened,
    isNew: text(node, 'new') === 'true' || undefined,
    value: text(node, 'value'),
    returned: oneOf(RETURNS, text(node, 'returned')),
    excused: excused && { reason: text(excused, 'reason') ?? '', until: text(excused, 'until') },
  };
}

const readClosed = (node: Node): ClosedAlarm => ({
  rule: text(node, 'rule') ?? '',
  level: oneOf(LEVELS, text(node, 'level')) ?? 'alarm',
  opened: text(node, 'opened') ?? '',
  cause: oneOf(CAUSES, text(node, 'cause')) ?? 'answer',
  value: text(node, 'value'),
});

const readNotJudged = (node: Node | undefined): NotJudged | undefined =>
  node && { since: text(node, 'since') ?? '', reason: text(node, 'reason') ?? '' };

function readPrevious(node: Node | undefined): PreviousRow | null | undefined {
  if (node?.kind !== 'object') return node && null;
  const score = memberOf(node, 'score');
  return {
    status: text(node, 'status') ?? '',
    answeredAt: text(node, 'answered_at'),
    score: score && isScalar(score) && score !== NULL && cellText(score) !== '' ? score : undefined,
    collateral: memberOf(node, 'total_collateral_usd'),
    warning: text(node, 'warning'),
    notJudged: readNotJudged(memberOf(node, 'not_judged')),
  };
}

/** The members of a review in `_meta`; undefined for a row of another kind. */
export function readKept(meta: ObjectNode): KeptMeta | undefined {
  const alarms = memberOf(meta, 'alarms');
  if (alarms?.kind !== 'array') return undefined;
  const last = memberOf(meta, 'last');
  const document = member(last, 'document');
  return {
    alarms: alarms.items.map(readAlarm),
    notJudged: readNotJudged(memberOf(meta, 'not_judged')),
    last: document?.kind === 'object' ? { answeredAt: text(last, 'answered_at'), document } : undefined,
    previous: readPrevious(memberOf(meta, 'previous')),
    closed: items(memberOf(meta, 'closed')).map(readClosed),
  };
}

/** The members that a line for a wallet that left the list has. */
export const readRemoved = (node: ObjectNode): Pick<KeptMeta, 'previous' | 'closed'> => ({
  previous: readPrevious(memberOf(node, 'previous')),
  closed: items(memberOf(node, 'closed')).map(readClosed),
});

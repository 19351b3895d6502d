/** One wallet in the words of the letter and of the page. */
import { type Difference, deltaOf, percentOf } from '../../compare/compare.ts';
import {
  becameIncomplete,
  collateralDifference,
  daysUntil,
  endsSoon,
  hasCollateralChange,
  hasGainedValue,
  hasLostValue,
  hasScoreChange,
  isAdded,
  isJudgedAgain,
  isRemoved,
  type ReviewWallet,
  scoreDifference,
} from '../../review/wallet.ts';
import type { Alarm, ClosedAlarm } from '../../row/kept.ts';
import { visible } from '../../text/escape.ts';
import { monthName, timeIn } from '../../text/when.ts';
import { type Ellipsis, truncate } from '../../text/width.ts';
import { counted } from '../../text/words.ts';
import { fieldText } from '../value-text.ts';

/** The days of a review: its own, and that of its base, YYYY-MM-DD. */
export interface Days {
  readonly day: string;
  readonly base: string | undefined;
}

/** `5 Oct`, or with another year than that of the review `5 Oct 2025`. */
export function dayText(day: string, { day: today }: Pick<Days, 'day'>): string {
  const at = timeIn(day);
  if (Number.isNaN(at)) return day;
  const words = `${new Date(at).getUTCDate()} ${monthName(at).slice(0, 3)}`;
  return day.slice(0, 4) === today.slice(0, 4) ? words : `${words} ${day.slice(0, 4)}`;
}

/** Today's score, or why there is none; of a wallet that left the list, its last score. */
export function scoreText(wallet: ReviewWallet): string {
  const { status } = wallet;
  if (status !== undefined && status !== 'scored') return status.replace('_', ' ');
  return fieldText('score', isRemoved(wallet) ? wallet.previous?.score : wallet.score);
}

export const collateralText = (wallet: ReviewWallet): string =>
  fieldText('total_collateral_usd', isRemoved(wallet) ? wallet.previous?.collateral : wallet.collateral);

export function scoreChange(wallet: ReviewWallet): string {
  const delta = deltaOf(scoreDifference(wallet));
  if (delta === undefined || !hasScoreChange(wallet)) return '';
  return delta.startsWith('-') ? delta : `+${delta}`;
}

/** In per cent, or what it was if that was nothing. */
export function collateralChange(wallet: ReviewWallet): string {
  const difference = collateralDifference(wallet);
  const percent = percentOf(difference);
  if (percent !== undefined) return Number(percent) === 0 ? '' : `${percent.startsWith('-') ? '' : '+'}${percent}%`;
  return hasCollateralChange(wallet) ? `from ${fieldText('total_collateral_usd', difference.old)}` : '';
}

/** The list's own columns that say more than the label and the wallet. */
export const ownCells = ({ columns, label, wallet }: ReviewWallet): ReviewWallet['columns'] =>
  columns.filter(([, text]) => text !== '' && text !== label && text.toLowerCase() !== wallet?.toLowerCase());

const MAX_WARNING = 80;

/** Everything that applies to a wallet besides its figures, whatever its section. */
export function remarksOf(wallet: ReviewWallet, days: Days, ellipsis?: Ellipsis): readonly string[] {
  const { alarms, closed, notJudged, warning, also, previous } = wallet;
  const shown = [
    ...alarms.map((alarm) => alarmWords(alarm, wallet, days)),
    ...closed.map((alarm) => closedWords(alarm, days)),
    notJudged && `not judged since ${dayText(notJudged.since, days)}: ${visible(notJudged.reason)}`,
    (notJudged || alarms.some(({ confirmed }) => confirmed < days.day)) && lastScoreWords(wallet, days),
    isJudgedAgain(wallet) && 'judged again',
    isAdded(wallet) && 'added',
    isRemoved(wallet) && 'removed',
    (hasLostValue(wallet) || hasGainedValue(wallet)) && `before: ${beforeWords(wallet)}`,
    warning !== undefined && `incomplete: ${truncate(visible(warning), MAX_WARNING, ellipsis)}`,
    becameIncomplete(wallet) && 'complete before',
    isOlderThanBase(previous?.answeredAt, days) &&
      (scoreChange(wallet) !== '' || collateralChange(wallet) !== '') &&
      `compared with its answer of ${dayText(previous?.answeredAt?.slice(0, 10) ?? '', days)}`,
    also.length > 0 && `also ${also.map(visible).join(', ')}`,
  ];
  return shown.filter((text) => typeof text === 'string' && text !== '') as string[];
}

const isOlderThanBase = (answeredAt: string | undefined, { base }: Days): boolean =>
  answeredAt !== undefined && base !== undefined && answeredAt.slice(0, 10) < base;

/**
 * `low since 5 Oct: 550`, with the value that matched; or, with the reason, `low since 5 Oct, not
 * confirmed since 12 Oct: 503`.
 */
function alarmWords(alarm: Alarm, wallet: ReviewWallet, days: Days): string {
  const { rule, level, opened, confirmed, value, excused, isNew, returned } = alarm;
  const isConfirmed = confirmed === days.day;
  const words = [
    `${level === 'watch' ? 'watch: ' : ''}${rule} since ${dayText(opened, days)}`,
    !isConfirmed && `not confirmed since ${dayText(confirmed, days)}`,
    returned,
    isNew && !returned && 'new',
    excused && `excused${excused.until === undefined ? '' : ` until ${dayText(excused.until, days)}`}`,
    excused?.until !== undefined &&
      endsSoon(alarm, days.day) &&
      `${counted(daysUntil(excused.until, days.day), 'day')} left`,
  ].filter(Boolean);
  const detail = isConfirmed ? value : unconfirmedReason(wallet);
  return visible(
    `${words.join(', ')}${detail === undefined ? '' : `: ${detail}`}${excused ? ` (${excused.reason})` : ''}`,
  );
}

/** A warning has words of its own. */
const unconfirmedReason = ({ error, status }: ReviewWallet): string | undefined =>
  error ?? (status === 'no_score' ? 'no score' : undefined);

const CAUSE_WORDS: Readonly<Record<ClosedAlarm['cause'], string>> = {
  list: 'the wallet left the list',
  exception: 'an exception hides it',
  rule: 'the rule was removed or changed',
  answer: 'the answer no longer matches',
};

/** `low, open from 5 Oct, closed: the answer no longer matches`. */
function closedWords({ rule, level, opened, cause }: ClosedAlarm, days: Days): string {
  const name = `${level === 'watch' ? 'watch: ' : ''}${rule}`;
  return visible(`${name}, open from ${dayText(opened, days)}, closed: ${CAUSE_WORDS[cause]}`);
}

function lastScoreWords({ last, score }: ReviewWallet, days: Days): string | false {
  return !score && last !== undefined && `last score ${fieldText('score', last.score)} on ${dayText(last.day, days)}`;
}

function beforeWords(wallet: ReviewWallet): string {
  const words = (name: string, field: string, { old, new: now }: Difference): readonly string[] => {
    if (old && !now) return [`${name} ${fieldText(field, old)}`];
    return !old && now ? [`no ${name}`] : [];
  };
  return [
    ...words('score', 'score', scoreDifference(wallet)),
    ...words('collateral', 'total_collateral_usd', collateralDifference(wallet)),
  ].join(', ');
}

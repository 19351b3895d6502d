/**
 * What `riskcli review` has to show, worked out of its contract alone and with none of its code: a
 * history of reviews in, the figures of each `--json` out.
 */
import { decidingValue, isOnChange, isOnScore, judge, scoreOf } from './conditions.ts';
import type { Alarm, Closed, Document, Kept, Letter, Path, Previous, Review, Row, Status, Wallet } from './terms.ts';

export const SECTIONS = ['new', 'open', 'not_judged', 'closed', 'watch', 'excused', 'changed', 'added', 'removed'];

const isComplete = (document: Document | undefined, path: Path): document is Document =>
  document !== undefined && !document.warning && document.scores[path] !== null;
const lastDayOf = (exception: { readonly until?: number }) => exception.until ?? Infinity;

/** One review after `kept`, all earlier ones in order: what is kept and shown, or `stopped`. */
export function review(kept: readonly Kept[], today: Review): { kept: Kept; letter: Letter } | 'stopped' {
  const usable = kept.filter((one) => one.damage !== 'torn');
  const answers = answered(usable.at(-1), today);
  if (answers === 'stopped') return 'stopped';
  const earlier = kept.filter((one) => one.day < today.day);
  const state = usable.findLast((one) => one.day < today.day);
  const base = baseOf(earlier, today);
  const wallets = new Map<string, Wallet>();
  let unjudgedRule = false;
  for (const wallet of new Set(today.rows.map((row) => row.wallet))) {
    const rows = today.rows.filter((row) => row.wallet === wallet);
    const stepped = step({ rows, answer: answers.get(wallet), today, state, base });
    wallets.set(wallet, stepped.wallet);
    unjudgedRule ||= stepped.unjudgedRule;
  }
  const now = { day: today.day, scorePath: today.scorePath, rules: today.rules, wallets };
  return { kept: now, letter: letterOf({ now, today, state, base, unjudgedRule }) };
}

/**
 * Answers of the newest kept review are used again on their day; refusals and failures are not, nor
 * is anything of a modified file.
 */
function answered(newest: Kept | undefined, today: Review): Map<string, Document> | 'stopped' {
  const answers = new Map<string, Document>();
  const wallets = new Set(today.rows.filter((row) => row.valid).map((row) => row.wallet));
  let refused = false;
  for (const wallet of wallets) {
    const stored = newest?.damage ? undefined : newest?.wallets.get(wallet)?.answer;
    const answer = today.answers[wallet]!;
    refused ||= answer === 'refused';
    if (stored?.day === today.day) answers.set(wallet, stored);
    else if (typeof answer !== 'string') answers.set(wallet, { ...answer, day: today.day });
  }
  return answers.size === 0 && !refused ? 'stopped' : answers;
}

/**
 * "riskcli names each file that it cannot use (torn, ...) and continues with the next older one, as
 * state, as base". A review has no base only if none can be used, so that a younger one is better
 * than none.
 */
function baseOf(earlier: readonly Kept[], today: Review): Kept | undefined {
  const days = earlier.filter((one, i) => earlier[i + 1]?.day !== one.day);
  const best = bestBase(days, today);
  const isUsable = (one: Kept) => one.damage !== 'torn';
  const at = best ? earlier.indexOf(best) : 0;
  return earlier.slice(0, at + 1).findLast(isUsable) ?? earlier.find(isUsable);
}

/** The review nearest to `since` among those at least three quarters as old, else the oldest. */
function bestBase(days: readonly Kept[], today: Review): Kept | undefined {
  const { since } = today;
  if (typeof since === 'object') return days.findLast((one) => one.day <= since.day) ?? days[0];
  const distance = (one: Kept) => Math.abs(today.day - one.day - since);
  const oldEnough = days.filter((one) => today.day - one.day >= since * 0.75);
  const [nearest] = oldEnough.toSorted((a, b) => distance(a) - distance(b) || a.day - b.day);
  return nearest ?? days[0];
}

interface Step {
  readonly rows: readonly Row[];
  readonly answer: Document | undefined;
  readonly today: Review;
  readonly state: Kept | undefined;
  readonly base: Kept | undefined;
}

/** Both tables of the contract, for all rows of one wallet. */
function step({ rows, answer, today, state, base }: Step): { wallet: Wallet; unjudgedRule: boolean } {
  const { wallet, valid } = rows[0]!;
  const path = today.scorePath;
  const status: Status = !valid
    ? 'invalid'
    : !answer
      ? 'failed'
      : scoreOf(answer, path) === null
        ? 'no_score'
        : 'scored';
  const accepted = today.accept.includes(status);
  const [s, b] = [state?.wallets.get(wallet), base?.wallets.get(wallet)];
  const earlier = earlierAnswer(b, isComplete(answer, path), path);
  const alarms = new Map<string, Alarm>();
  let [unjudgedRule, notJudged] = [false, false];
  let firstMatch: number | undefined;
  for (const row of rows) {
    let anyAlarm = false;
    for (const rule of today.rules) {
      const then = s?.alarms.get(rule.name);
      const excuse = exceptionFor(today, wallet, rule.name);
      const facts = { row, status, answer, earlier, path };
      const says = judge(rule, facts);
      let open: Pick<Alarm, 'opened' | 'confirmed' | 'value'> | undefined;
      if (accepted) open = then;
      else if (says === 'matches') {
        const keeps = then && (!isOnChange(rule) || (earlier && earlier.day < then.opened));
        const opened = keeps ? then.opened : today.day;
        open = { opened, confirmed: today.day, value: decidingValue(rule, facts) };
        if (rule.level === 'alarm' && !excuse) firstMatch ??= today.rows.indexOf(row);
      } else if (then) open = !answer || answer.warning || says === 'unknown' ? then : undefined;
      else if (says === 'unknown' && rule.level === 'alarm' && !excuse) unjudgedRule = notJudged = true;
      if (!open) continue;
      anyAlarm = true;
      const same = alarms.get(rule.name);
      const opened = Math.min(open.opened, same?.opened ?? Infinity);
      const confirmed = Math.max(open.confirmed, same?.confirmed ?? 0);
      const value = rows.length > 1 ? undefined : open.value;
      const excused = excuse && { reason: excuse.reason, until: excuse.until };
      const alarm = { rule: rule.name, level: rule.level, opened, confirmed, value, excused };
      alarms.set(rule.name, { ...alarm, ...newness(alarm, { today, base, b, s }) });
    }
    if (!answer && !accepted && !anyAlarm) notJudged = true;
  }
  return {
    unjudgedRule,
    wallet: {
      status,
      score: scoreOf(answer, path),
      answer,
      last: isComplete(answer, path) ? undefined : lastKnown(s, path),
      alarms,
      closed: closings({ wallet, alarms, onList: true, today, state, base }),
      notJudged: notJudged ? (s?.notJudged ?? today.day) : undefined,
      firstMatch,
      previous: previousOf({ base, b, earlier, path }),
    },
  };
}

/** An exception of today that covers a wallet and a rule. */
const exceptionFor = (today: Review, wallet: string, rule: string) =>
  today.exceptions.find((one) => one.wallet === wallet && one.rule === rule && lastDayOf(one) >= today.day);

/** If today's answer is complete, the last complete one of B; else B's own, else its `last`. */
function earlierAnswer(b: Wallet | undefined, complete: boolean, path: Path): Document | undefined {
  const lastComplete = complete && [b?.answer, b?.last].find((document) => isComplete(document, path));
  return lastComplete || (b?.answer ?? b?.last);
}

/** What `last` holds: the last complete answer that S knows, else the last one. */
const lastKnown = (s: Wallet | undefined, path: Path): Document | undefined => earlierAnswer(s, true, path);

/** Whether an open alarm is new, and why one that was open before the base is. */
function newness(
  alarm: Alarm,
  { today, base, b, s }: Pick<Step, 'today' | 'base'> & { b?: Wallet; s?: Wallet },
): Pick<Alarm, 'new' | 'returned'> {
  if (alarm.excused || !base) return {};
  const then = [s, b].flatMap((one) => one?.alarms.get(alarm.rule) ?? []);
  const excused = then.find((one) => one.excused)?.excused;
  const wasWatch = alarm.level === 'alarm' && then.some((one) => one.level === 'watch');
  const ended = excused && lastDayOf(excused) < today.day;
  const returned = excused ? (ended ? 'exception ended' : 'exception removed') : wasWatch ? 'was watch' : undefined;
  if (returned) return { new: true, returned };
  return alarm.opened > base.day ? { new: true } : {};
}

/** The alarms of a wallet in B or S that today are gone, excused, or only watched. */
function closings({
  wallet,
  alarms,
  onList,
  today,
  state,
  base,
}: Pick<Step, 'today' | 'state' | 'base'> & {
  wallet: string;
  alarms: Wallet['alarms'];
  onList: boolean;
}): Closed[] {
  const closed = new Map<string, Closed>();
  for (const review of [base, state]) {
    for (const then of review?.wallets.get(wallet)?.alarms.values() ?? []) {
      const now = alarms.get(then.rule);
      const lowered = now?.level === 'watch' && then.level === 'alarm';
      if (then.excused || closed.has(then.rule) || (now && !now.excused && !lowered)) continue;
      const rule = today.rules.find((one) => one.name === then.rule);
      const ruleThen = review?.rules.find((one) => one.name === then.rule);
      const isOtherRule = !rule || (rule.level === 'watch' && then.level === 'alarm') || rule.text !== ruleThen?.text;
      const isOtherPath = base?.scorePath !== today.scorePath && rule?.conditions.some(({ path }) => isOnScore(path));
      const cause = !onList ? 'list' : now?.excused ? 'exception' : isOtherRule || isOtherPath ? 'rule' : 'answer';
      const { level, opened, value } = then;
      closed.set(then.rule, { rule: then.rule, level, opened, cause, value });
    }
  }
  return [...closed.values()];
}

function previousOf({
  base,
  b,
  earlier,
  path,
}: {
  base?: Kept;
  b?: Wallet;
  earlier?: Document;
  path: Path;
}): Previous | null | undefined {
  if (!b) return base && null;
  const unanswered = b.status === 'invalid' ? 'invalid' : 'failed';
  return {
    status: !earlier ? unanswered : scoreOf(earlier, path) === null ? 'no_score' : 'scored',
    answered: earlier?.day ?? null,
    score: scoreOf(earlier, path),
    collateral: earlier?.collateral ?? null,
    warning: earlier?.warning ?? false,
    notJudged: b.notJudged !== undefined,
  };
}

/**
 * What changed in a wallet since its earlier answer, and which of it is news. "A value lost or
 * gained" is one that the answer lacks and `previous` has, or the other way round; without an
 * answer today nothing is known to be lost.
 */
function changes({ score, answer, notJudged, previous }: Wallet) {
  if (!answer || !previous) return { any: false, news: false, judgedAgain: false };
  const judgedAgain = previous.notJudged && notJudged === undefined;
  const values: [number | null, number | null][] = [
    [previous.score, score],
    [previous.collateral, answer.collateral],
  ];
  const [scoreMoved, collateralMoved] = values.map(([old, value]) => shareOf(old, value)) as [number, number];
  const lost = values.some(([old, value]) => old !== null && value === null);
  const gained = values.some(([old, value]) => old === null && value !== null);
  const becameIncomplete = answer.warning && previous.answered !== null && !previous.warning;
  const always = judgedAgain || lost || becameIncomplete;
  return {
    any: always || gained || scoreMoved > 0 || collateralMoved >= 0.2,
    news: always || scoreMoved >= 0.1 || collateralMoved >= 0.5,
    judgedAgain,
  };
}

/** By which share of the earlier value a value moved: infinite from 0, and 0 without two values. */
function shareOf(old: number | null, value: number | null): number {
  if (old === null || value === null || old === value) return 0;
  return Math.abs(value - old) / Math.abs(old);
}

function letterOf({
  now,
  today,
  state,
  base,
  unjudgedRule,
}: Pick<Step, 'today' | 'state' | 'base'> & { now: Kept; unjudgedRule: boolean }): Letter {
  const path = today.scorePath;
  const wallets = new Map(now.wallets);
  const removed = new Set([...(base?.wallets.keys() ?? []), ...(state?.wallets.keys() ?? [])]);
  for (const wallet of now.wallets.keys()) removed.delete(wallet);
  for (const wallet of removed) {
    const b = base?.wallets.get(wallet);
    const alarms: Wallet['alarms'] = new Map();
    const closed = closings({ wallet, alarms, onList: false, today, state, base });
    const previous = previousOf({ base, b, earlier: earlierAnswer(b, false, path), path });
    wallets.set(wallet, { status: 'failed', score: null, alarms, closed, previous });
  }
  const isAdded = (wallet: string) => base !== undefined && !base.wallets.has(wallet);
  const sections: Record<string, string[]> = Object.fromEntries(SECTIONS.map((name) => [name, []]));
  for (const [name, wallet] of wallets) {
    const alarms = [...wallet.alarms.values()];
    const open = alarms.filter((one) => !one.excused && one.level === 'alarm');
    const section = [
      open.some((one) => one.new) && 'new',
      open.length && 'open',
      wallet.notJudged !== undefined && 'not_judged',
      wallet.closed.length && 'closed',
      alarms.some((one) => !one.excused && one.level === 'watch') && 'watch',
      alarms.some((one) => one.excused) && 'excused',
      changes(wallet).any && 'changed',
      !removed.has(name) && isAdded(name) && 'added',
      removed.has(name) && 'removed',
    ].find(Boolean);
    if (section) sections[section]!.push(name);
  }
  const all = [...wallets.values()];
  const onList = [...now.wallets.values()];
  const alarms = all.flatMap((wallet) => [...wallet.alarms.values()]);
  const closed = all.flatMap((wallet) => wallet.closed);
  const counted = (test: (wallet: Wallet) => boolean) => onList.filter(test).length;
  const counts = {
    wallets: onList.length,
    scored: counted((one) => one.status === 'scored'),
    no_score: counted((one) => one.status === 'no_score'),
    invalid: counted((one) => one.status === 'invalid'),
    failed: counted((one) => one.status === 'failed'),
    incomplete: counted((one) => one.answer?.warning === true),
    open: alarms.filter((one) => !one.excused && one.level === 'alarm').length,
    watch: alarms.filter((one) => !one.excused && one.level === 'watch').length,
    excused: alarms.filter((one) => one.excused).length,
    // "open (including new ones; watches and excused ones separately)"
    new: alarms.filter((one) => one.new && one.level === 'alarm').length,
    closed: closed.length,
    not_judged: counted((one) => one.notJudged !== undefined),
    judged_again: counted((one) => changes(one).judgedAgain),
    added: [...now.wallets.keys()].filter(isAdded).length,
    removed: removed.size,
  };
  const isEnding = ({ excused }: Alarm) =>
    excused?.until !== undefined && base && excused.until - today.day <= 7 && excused.until - base.day > 7;
  const news =
    !base ||
    alarms.some((one) => one.new || isEnding(one)) ||
    counts.closed + counts.added + counts.removed > 0 ||
    onList.some((one) => changes(one).news || (one.notJudged !== undefined && one.notJudged > base.day));
  const leftWithWallet = closed.some((one) => one.cause === 'list' && one.level === 'alarm');
  const unanswered = onList.some((one) => !one.answer && !today.accept.includes(one.status));
  return {
    exit: counts.open > 0 || unjudgedRule || leftWithWallet ? 10 : unanswered ? 3 : 0,
    news,
    base: base?.day ?? null,
    sections,
    wallets,
    counts,
    rules: today.rules.map(({ name, level, text }) => ({
      name,
      level,
      hasChanged: (base?.rules.find((one) => one.name === name)?.text ?? text) !== text,
      open: alarms.filter((one) => one.rule === name && !one.excused).length,
      new: alarms.filter((one) => one.rule === name && one.new).length,
      closed: closed.filter((one) => one.rule === name).length,
    })),
  };
}

/** Makes a history with a difference small, and describes it in words. */
import type { Driver } from './drivers.ts';
import type { History, Planned } from './histories.ts';
import { type Difference, play } from './play.ts';
import type { Answer } from './terms.ts';

/** A difference without its wallets, days and figures, so that two of a kind read the same. */
export const kindOf = ({ what }: Difference) =>
  what
    .split('; stderr')[0]!
    .slice(0, 300)
    .replace(/0x\w{40}|\d{4}-\d\d-\d\d\S*|\d+/g, '#');

/** The smallest history with the same kind of difference that so many plays find. */
export async function shrink(history: History, found: Difference, driver: Driver, plays = 150) {
  const kind = kindOf(found);
  let smallest: { history: History; found: Difference } = {
    history: { ...history, reviews: history.reviews.slice(0, found.review + 1) },
    found,
  };
  let left = plays;
  for (let progress = true; progress && left > 0; ) {
    progress = false;
    for (const candidate of candidates(smallest.history)) {
      if (left-- <= 0) break;
      const difference = await play(candidate, driver);
      if (!difference || kindOf(difference) !== kind) continue;
      smallest = { history: candidate, found: difference };
      progress = true;
      break;
    }
  }
  return smallest;
}

function* candidates(history: History): Iterable<History> {
  const { reviews } = history;
  const all = (change: (review: Planned) => Planned): History => ({ ...history, reviews: reviews.map(change) });
  const unique = <T>(of: (review: Planned) => readonly T[]) => [...new Set(reviews.flatMap(of))];
  for (const i of reviews.keys()) if (reviews.length > 1) yield { ...history, reviews: reviews.toSpliced(i, 1) };
  for (const wallet of unique((review) => review.rows.map((row) => row.wallet))) {
    const without = all((review) => ({ ...review, rows: review.rows.filter((row) => row.wallet !== wallet) }));
    if (without.reviews.every(({ rows }) => rows.some((row) => row.valid))) yield without;
  }
  for (const name of unique((review) => review.rules.map((rule) => rule.name)))
    yield all((review) => ({
      ...review,
      rules: review.rules.filter((rule) => rule.name !== name),
      exceptions: review.exceptions.filter((exception) => exception.rule !== name),
    }));
  for (const { wallet, rule } of unique((review) => review.exceptions))
    yield all((review) => ({
      ...review,
      exceptions: review.exceptions.filter((exception) => exception.wallet !== wallet || exception.rule !== rule),
    }));
  for (const plain of [
    { accept: [] },
    { since: 7 },
    { scorePath: 'first' },
    { forgets: undefined },
    { damages: undefined },
    { onlyNews: false },
  ] as const) {
    const [name] = Object.keys(plain) as [keyof Planned];
    if (reviews.some((review) => JSON.stringify(review[name]) !== JSON.stringify((plain as Partial<Planned>)[name])))
      yield all((review) => ({ ...review, ...plain }));
  }
  for (const [i, review] of reviews.entries()) {
    const before = reviews[i - 1];
    if (!before) continue;
    for (const wallet of new Set(review.rows.map((row) => row.wallet))) {
      const answer = before.answers[wallet];
      if (answer === undefined || JSON.stringify(answer) === JSON.stringify(review.answers[wallet])) continue;
      const answers = { ...review.answers, [wallet]: answer };
      yield { ...history, reviews: reviews.with(i, { ...review, answers }) };
    }
  }
}

const dateOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
const short = (wallet: string) => (wallet.startsWith('0x') ? wallet.slice(2, 3) : wallet);

export function describe({ reviews }: History): string {
  return reviews.map(describeReview).join('\n');
}

function describeReview(review: Planned): string {
  const { since, accept, scorePath, forgets, damages, onlyNews } = review;
  const rows = review.rows.map(({ wallet, columns, valid }) =>
    [short(wallet), columns.limit, columns.tier, ...(valid ? [answerText(review.answers[wallet]!)] : [])].join(' '),
  );
  const exceptions = review.exceptions.map(
    ({ wallet, rule, until }) => `${short(wallet)} from ${rule}${until === undefined ? '' : ` until ${dateOf(until)}`}`,
  );
  return [
    `${dateOf(review.day)} ${review.hour}h since ${typeof since === 'object' ? dateOf(since.day) : `${since}d`}`,
    ...(accept.length > 0 ? [`accept ${accept}`] : []),
    ...(scorePath === 'second' ? ['score at second.score'] : []),
    ...(onlyNews ? ['--only-news'] : []),
    ...(damages ? [`kept file ${damages.number} from the newest ${damages.damage} before`] : []),
    ...(forgets === undefined ? [] : [`kept file ${forgets} from the newest deleted before`]),
    `rules ${review.rules.map(({ name, level, text }) => `${name} (${level}): ${text}`).join('; ')}`,
    ...(exceptions.length > 0 ? [`exceptions ${exceptions.join('; ')}`] : []),
    `rows ${rows.join(' | ')}`,
  ].join('\n    ');
}

function answerText(answer: Answer): string {
  if (typeof answer === 'string') return answer;
  const { scores, collateral, warning } = answer;
  return `[score ${scores.first}, second ${scores.second}, collateral ${collateral}${warning ? ', errors' : ''}]`;
}

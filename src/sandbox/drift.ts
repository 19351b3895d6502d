/**
 * Profiles that move from day to day, so that what people do every week can be rehearsed: most
 * wallets hardly move, some rise or fall for weeks and cross a level of risk, some lose half of
 * their collateral, some have no score for some days. All is a function of the wallet and the UTC
 * day.
 */
import { DAY_MS } from '../text/when.ts';
import { type Movement, profileOf } from './profile.ts';
import { hashIgnoringCase, seededRandom } from './random.ts';

/** The shares of wallets whose score, collateral and being scored change by much. */
const SHARE_OF_SCORES = 0.2;
const SHARE_OF_COLLATERALS = 0.15;
const SHARE_UNSCORED = 0.08;

/** The profile of `wallet` at `now` (milliseconds since 1970), as `profileOf` has it. */
export function driftingProfile(wallet: string, now: number): string {
  return profileOf(wallet, movementOf(wallet, Math.floor(now / DAY_MS)));
}

/** @param day days since 1970 */
function movementOf(wallet: string, day: number): Movement {
  const random = seededRandom(hashIgnoringCase(wallet) ^ 0x5eed);
  const [scoreMoves, collateralMoves, isLost] = [random(), random(), random()];
  const wave = createWave(random, day);
  const score = (scoreMoves < SHARE_OF_SCORES ? 20 : 0.3) * wave();
  // From its whole to a quarter, or by a hundredth.
  const fallen = (1 - wave()) / 2;
  const collateral = 1 - (collateralMoves < SHARE_OF_COLLATERALS ? 0.75 : 0.01) * fallen;
  return { score, collateral, isUnscored: isLost < SHARE_UNSCORED && wave() > 0.8 };
}

const SHORTEST_WAVE_DAYS = 20;
const LONGEST_WAVE_DAYS = 70;

/** A swing between -1 and 1 that takes some weeks, with a beginning of its own. */
function createWave(random: () => number, day: number): () => number {
  return () => {
    const days = SHORTEST_WAVE_DAYS + random() * (LONGEST_WAVE_DAYS - SHORTEST_WAVE_DAYS);
    return Math.sin(2 * Math.PI * (day / days + random()));
  };
}

/**
 * Made-up risk profiles. Everything is a function of the address, so the same wallet has the same
 * profile in every sandbox; drift.ts moves it from day to day. Profiles vary as real answers do:
 * some wallets have no positions and no score, some were computed from part of the sources only,
 * amounts have cents or 15 decimals. Documents are composed as text: JSON.stringify would lose the
 * spelling of numbers, and is slower.
 */
import { hashIgnoringCase, type Random, seededRandom } from './random.ts';

const SHARE_WITH_POSITIONS = 0.92;
const SHARE_PARTIAL = 0.08;
const SHARE_WITHOUT_DEBT = 0.25;
const SHARE_OF_LONG_DECIMALS = 0.2;

/** The change of a profile since its first day. */
export interface Movement {
  /** Added to each component of the score, which is 0 to 100. */
  readonly score: number;
  /** The share of the collateral that is left. */
  readonly collateral: number;
  readonly isUnscored: boolean;
}

const UNMOVED: Movement = { score: 0, collateral: 1, isUnscored: false };

/**
 * The risk profile of `wallet` (0x and hex digits) as JSON text; `wallet_address` is spelled as
 * asked for.
 */
export function profileOf(wallet: string, moved = UNMOVED): string {
  const random = seededRandom(hashIgnoringCase(wallet));
  return random() < SHARE_WITH_POSITIONS ? fullProfile(wallet, random, moved) : emptyProfile(wallet);
}

function emptyProfile(wallet: string): string {
  return (
    `{"wallet_address":"${wallet}","total_collateral_usd":0,"total_borrowed_usd":0,"health_factor":null,` +
    `"defi_score":null,"protocols":[],"first_activity":null,"last_activity":null,"errors":{}}`
  );
}

function fullProfile(wallet: string, random: Random, moved: Movement): string {
  const loanToValue = random() < SHARE_WITHOUT_DEBT ? 0 : random() * 0.8;
  const protocols = pickProtocols(random);
  // Three draws make a bell around 10^4 dollars: from dust to 10^12.
  const drawn = 10 ** Math.max(0, 4 + (16 / 3) * (random() + random() + random() - 1.5));
  const collateral = drawn * moved.collateral;
  const firstActivity = EARLIEST + random() * (LATEST - EARLIEST);
  const lastActivity = firstActivity + random() * (LATEST - firstActivity);
  const amount = formatAmount(collateral, random);
  const score = scoreOf(random, { loanToValue, protocols: protocols.length, moved: moved.score });
  return (
    `{"wallet_address":"${wallet}","total_collateral_usd":${amount},` +
    `"total_borrowed_usd":${(collateral * loanToValue).toFixed(2)},` +
    `"health_factor":${loanToValue === 0 ? null : (0.85 / loanToValue).toFixed(2)},` +
    `"defi_score":${moved.isUnscored ? null : score},` +
    `"protocols":[${protocols.map((name) => `"${name}"`).join(',')}],` +
    `"first_activity":"${new Date(firstActivity).toISOString()}",` +
    `"last_activity":"${new Date(lastActivity).toISOString()}",` +
    `"errors":${random() < SHARE_PARTIAL ? UPSTREAM_ERRORS : '{}'}}`
  );
}

const EARLIEST = Date.UTC(2019, 0);
const LATEST = Date.UTC(2025, 6);
const UPSTREAM_ERRORS = '{"Aave V3:Arbitrum":"could not get positions: upstream timed out"}';
const PROTOCOLS = ['Aave V3', 'Compound V3', 'Lido', 'Maker', 'Morpho', 'Spark', 'Curve', 'Uniswap V3'] as const;

function pickProtocols(random: Random): readonly string[] {
  const count = 1 + Math.floor(random() * 4);
  const first = Math.floor(random() * PROTOCOLS.length);
  return [...PROTOCOLS, ...PROTOCOLS].slice(first, first + count);
}

/** With cents, or with 15 decimals: more digits than a double holds. */
function formatAmount(amount: number, random: Random): string {
  if (random() >= SHARE_OF_LONG_DECIMALS) return amount.toFixed(2);
  const digits = (count: number) =>
    Math.floor(random() * 10 ** count)
      .toString()
      .padStart(count, '0');
  return `${Math.floor(amount)}.${digits(7)}${digits(8)}`;
}

interface Component {
  readonly name: string;
  readonly weight: number;
  readonly reasoning: string;
  /** The factor named, and the advice for soon and for later, when the component is weak. */
  readonly weakness: { readonly factor: string; readonly soon: string; readonly later: string };
}

const COMPONENTS: readonly [Component, Component, Component] = [
  {
    name: 'collateral_quality',
    weight: 0.4,
    reasoning: 'share of the collateral in liquid, established assets',
    weakness: {
      factor: 'Volatile collateral',
      soon: 'Move part of the collateral to stable assets',
      later: 'Keep at least half of the collateral in established assets',
    },
  },
  {
    name: 'leverage',
    weight: 0.35,
    reasoning: 'distance of the loans from liquidation',
    weakness: {
      factor: 'High leverage',
      soon: 'Repay part of the loans or add collateral',
      later: 'Keep loans below half of the collateral',
    },
  },
  {
    name: 'diversification',
    weight: 0.25,
    reasoning: 'spread of the positions over protocols',
    weakness: {
      factor: 'Concentrated positions',
      soon: 'Review the largest position',
      later: 'Spread positions over more protocols',
    },
  },
];

interface Rated {
  readonly component: Component;
  /** 0 to 100. */
  readonly score: number;
}

interface Scored {
  readonly loanToValue: number;
  readonly protocols: number;
  /** Added to each component. */
  readonly moved: number;
}

function scoreOf(random: Random, wallet: Scored): string {
  const [quality, leverage, diversification] = COMPONENTS;
  const within = (score: number) => Math.min(100, Math.max(0, score + wallet.moved));
  const rated: readonly Rated[] = [
    { component: quality, score: within(20 + random() * 80) },
    { component: leverage, score: within(100 - 120 * wallet.loanToValue) },
    { component: diversification, score: within(wallet.protocols * 20 + random() * 20) },
  ];
  const weighted = rated.reduce((sum, { component, score }) => sum + component.weight * score, 0);
  const headline = Math.round(300 + 5.5 * weighted);
  const level = riskLevel(headline);
  const weak = rated.filter(({ score }) => score < 50);
  return (
    `{"defi_score":${headline},"risk_level":"${level}","risk_category":"${level.toUpperCase().replaceAll(' ', '_')}",` +
    `"components":{${rated.map(componentJson).join(',')}},` +
    `"factors":[${weak.map(factorJson).join(',')}],` +
    `"recommendations":{"short_term":[${weak.map(({ component }) => `"${component.weakness.soon}"`).join(',')}],` +
    `"long_term":[${weak.map(({ component }) => `"${component.weakness.later}"`).join(',')}]},` +
    `"scenarios":[${[20, 50].map((drop) => scenarioJson(drop, { headline, ...wallet })).join(',')}]}`
  );
}

function riskLevel(headline: number): string {
  if (headline < 500) return 'High Risk';
  return headline < 650 ? 'Medium Risk' : 'Low Risk';
}

function componentJson({ component, score }: Rated): string {
  const { name, weight, reasoning } = component;
  return (
    `"${name}":{"component_score":${score.toFixed(1)},"weight":${weight},` +
    `"weighted_contribution":${(score * weight).toFixed(2)},"reasoning":"${reasoning}"}`
  );
}

function factorJson({ component, score }: Rated): string {
  const impact = Math.round(5.5 * component.weight * (score - 50));
  return (
    `{"severity":"${score < 30 ? 'high' : 'medium'}","factor":"${component.weakness.factor}",` +
    `"description":"${component.reasoning}: ${score.toFixed(0)} of 100","impact_on_score":${impact}}`
  );
}

function scenarioJson(drop: number, wallet: { readonly headline: number; readonly loanToValue: number }): string {
  const liquidated = wallet.loanToValue / (1 - drop / 100) >= 0.85;
  const score = Math.max(300, wallet.headline - Math.round(drop * (liquidated ? 4 : 1)));
  return `{"scenario":"collateral falls ${drop}%","defi_score":${score},"liquidation":${liquidated}}`;
}

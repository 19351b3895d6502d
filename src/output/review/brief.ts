/** A review for a chat: the counts, then one line for each section, by label. */
import type { Review } from '../../review/read-review.ts';
import { alarmsOfSection, type Section } from '../../review/sections.ts';
import type { ReviewWallet } from '../../review/wallet.ts';
import { visible } from '../../text/escape.ts';
import { truncate } from '../../text/width.ts';
import { groupDigits } from '../../text/words.ts';
import { headLines, SHOWN, sectionTitle } from './letter.ts';

const BRIEF_WIDTH = 200;

export function briefLines(review: Review): readonly string[] {
  const sections = review.sections.filter(({ total }) => total > 0);
  return [...headLines(review), ...sections.map(briefLine)].map((text) => truncate(text, BRIEF_WIDTH, '...'));
}

/** `new alarms 2: Acme (low), Initech (low, thin)`. */
function briefLine({ name, total, wallets }: Section): string {
  const names = wallets.slice(0, SHOWN).map((wallet) => shortName(wallet) + rulesOf(name, wallet));
  return `${sectionTitle(name)} ${groupDigits(total)}: ${names.join(', ')}`;
}

const shortName = ({ label, wallet, line }: ReviewWallet): string => visible(label ?? wallet ?? `line ${line}`);

/** The rules of the alarms that put the wallet into its section. */
function rulesOf(name: Section['name'], wallet: ReviewWallet): string {
  const shown = alarmsOfSection(name, wallet).filter((alarm) => name !== 'new' || ('isNew' in alarm && alarm.isNew));
  return shown.length > 0 ? ` (${shown.map(({ rule }) => visible(rule)).join(', ')})` : '';
}

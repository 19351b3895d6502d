/** A review for a chat: the counts, then one line for each section, by label. */
import type { Review } from '../../review/read-review.ts';
import type { Section } from '../../review/sections.ts';
import type { ReviewWallet } from '../../review/wallet.ts';
import { visible } from '../../text/escape.ts';
import { truncate } from '../../text/width.ts';
import { groupDigits } from '../../text/words.ts';
import { headLines, SECTION_TITLES, SHOWN } from './letter.ts';

const BRIEF_WIDTH = 200;

export function briefLines(review: Review): readonly string[] {
  const sections = review.sections.filter(({ total }) => total > 0);
  return [...headLines(review), ...sections.map(briefLine)].map((text) => truncate(text, BRIEF_WIDTH, '...'));
}

/** `new alarms 2: Acme (low), Initech (low, thin)`. */
function briefLine({ name, total, wallets }: Section): string {
  const names = wallets.slice(0, SHOWN).map((wallet) => shortName(wallet) + rulesOf(name, wallet));
  return `${SECTION_TITLES[name]} ${groupDigits(total)}: ${names.join(', ')}`;
}

const shortName = ({ label, wallet, line }: ReviewWallet): string => visible(label ?? wallet ?? `line ${line}`);

/** The rules of the alarms that put the wallet into its section. */
function rulesOf(name: Section['name'], { alarms, closed }: ReviewWallet): string {
  const shown = {
    new: alarms.filter(({ level, excused, isNew }) => level === 'alarm' && !excused && isNew),
    open: alarms.filter(({ level, excused }) => level === 'alarm' && !excused),
    watch: alarms.filter(({ excused }) => !excused),
    excused: alarms,
    closed,
    ...{ not_judged: [], changed: [], added: [], removed: [] },
  }[name];
  return shown.length > 0 ? ` (${shown.map(({ rule }) => visible(rule)).join(', ')})` : '';
}

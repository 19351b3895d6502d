/**
 * A row's own values have the names of the csv header (`score`, `status`, `input.customer`), short
 * for members of `_meta`; a member of the document with such a name is written `["score"]`. `score`
 * alone is the row's, but `score.value` is the document's: the row's score has no members.
 */

import { formatPath, type Path } from '../document/path.ts';
import { META_MEMBERS, type MetaMember } from '../row/meta.ts';
import { META } from '../row/row.ts';

const namesOf = (kind: MetaMember['shortName']) =>
  META_MEMBERS.filter(({ shortName }) => shortName === kind).map(({ name }) => name);

/** Scalars: the row's only when nothing follows. */
const VALUES = namesOf('scalar');
/** Objects and arrays. */
const CONTAINERS = namesOf('container');
/** All members of `_meta`. */
export const OWN_MEMBERS: readonly unknown[] = META_MEMBERS.map(({ name }) => name);

/** The row's own names, as suggestions for a path. */
export const OWN_NAMES: readonly string[] = [...VALUES, ...CONTAINERS];

/** Paths that every row has: those of each profile (docs/service.md) and of `_meta`. */
export const FIELD_PATHS: readonly string[] = [
  ...['wallet_address', 'total_collateral_usd', 'defi_score.defi_score'],
  ...['line', 'input', 'status', 'score', 'answered_at', 'warning', 'error.code', 'error.message'].map(
    (path) => `${META}.${path}`,
  ),
];

/** Whether `path`, as it was typed, begins with one of the row's own names. */
export const isOwn = ([first, ...inside]: Path) =>
  CONTAINERS.some((name) => name === first) || (inside.length === 0 && VALUES.some((name) => name === first));

/** The shortest text of `path`, which parseRowPath reads back. */
export function formatRowPath(path: Path): string {
  if (path[0] === META && isOwn(path.slice(1))) return formatPath(path.slice(1));
  return documentPathText(formatPath(path));
}

const OWN_TEXT = new RegExp(`^(?:(${VALUES.join('|')})$|(${CONTAINERS.join('|')})(?=$|[.[]))`);

/** The text in a row of the document's path `text`: the row's own names are put in brackets. */
export const documentPathText = (text: string): string =>
  text.replace(OWN_TEXT, (_, value?: string, container?: string) => `["${value ?? container}"]`);

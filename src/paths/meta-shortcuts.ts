/**
 * Members of `_meta` can be written without it, by the names of the csv header: `score` for
 * `_meta.score`, `input.customer` for `_meta.input.customer`. A member of the document with such a
 * name is written `["score"]`. A scalar has no members, so `score.value` is the document's.
 */

import { formatPath, type Path } from '../document/path.ts';
import { META_MEMBERS, type MetaMember } from '../row/meta.ts';
import { META } from '../row/row.ts';

const namesOf = (kind: MetaMember['shortName']) =>
  META_MEMBERS.filter(({ shortName }) => shortName === kind).map(({ name }) => name);

/** Scalars: shortcuts only when nothing follows. */
const SCALARS = namesOf('scalar');
/** Objects and arrays. */
const CONTAINERS = namesOf('container');
/** All members of `_meta`. */
export const META_NAMES: readonly unknown[] = META_MEMBERS.map(({ name }) => name);

/** The first keys of shortcuts, also as suggestions for a path. */
export const META_SHORTCUTS: readonly string[] = [...SCALARS, ...CONTAINERS];

/** Paths that every row has: those of each profile (docs/service.md) and of `_meta`. */
export const FIELD_PATHS: readonly string[] = [
  'wallet_address',
  'total_collateral_usd',
  'defi_score.defi_score',
  `${META}.line`,
  `${META}.input`,
  `${META}.status`,
  `${META}.score`,
  `${META}.answered_at`,
  `${META}.warning`,
  `${META}.error.code`,
  `${META}.error.message`,
];

/** Whether `path`, as it was typed, stands for one that begins with `_meta`. */
export const isMetaShortcut = ([first, ...inside]: Path) =>
  CONTAINERS.some((name) => name === first) || (inside.length === 0 && SCALARS.some((name) => name === first));

/** The shortest text of `path`, which parseRowPath reads back. */
export function formatRowPath(path: Path): string {
  if (path[0] === META && isMetaShortcut(path.slice(1))) return formatPath(path.slice(1));
  return documentPathText(formatPath(path));
}

const SHORTCUT_TEXT = new RegExp(`^(?:(${SCALARS.join('|')})$|(${CONTAINERS.join('|')})(?=$|[.[]))`);

/** The text in a row of the document's path `text`: what would be a shortcut is put in brackets. */
export const documentPathText = (text: string): string =>
  text.replace(SHORTCUT_TEXT, (_, value?: string, container?: string) => `["${value ?? container}"]`);

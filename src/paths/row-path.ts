/**
 * Parses paths into a row, as somebody types them: into the service's document, and to the row's
 * own values.
 */

import { parsePath } from '../document/parse-path.ts';
import { formatPath, type Path } from '../document/path.ts';
import { UsageError } from '../errors.ts';
import { META } from '../row/row.ts';
import { quoted } from '../secrets/redact.ts';
import { didYouMean, nearestFirst } from '../text/nearest.ts';
import { isOwn, OWN_MEMBERS, OWN_NAMES } from './own-names.ts';

/** A path that somebody typed. */
export interface TypedPath {
  readonly path: Path;
  /** Whether answers may lack it: `path?`. */
  readonly optional: boolean;
  /** Whether it was typed as `["a"]`, which means the document and never a column of the list. */
  readonly isBracketed?: boolean;
}

/** `PATH`, or `PATH?` for one that answers may lack. @throws UsageError as parseRowPath does */
export function parseTypedPath(text: string): TypedPath {
  const optional = text.endsWith('?');
  const path = optional ? text.slice(0, -1).trimEnd() : text;
  return { path: parseRowPath(path), optional, isBracketed: path.startsWith('[') };
}

/**
 * The path in `text`, with `score` as `_meta.score`.
 * @throws UsageError when it is not a path, or names a member that `_meta` never has
 */
export function parseRowPath(text: string): Path {
  const path = parsePath(text);
  const [home, member] = path;
  if (home === META && member !== undefined && !OWN_MEMBERS.includes(member)) throw unknownMember(path);
  return isOwn(path) && !text.startsWith('[') ? [META, ...path] : path;
}

function unknownMember(path: Path): UsageError {
  const typed = String(path[1]).toLowerCase();
  const known = [...OWN_NAMES, `${META}.error`].join(', ');
  return new UsageError(`no row has ${quoted(formatPath(path))}`, {
    code: 'missing_field',
    hint: `${didYouMean(nearestFirst(typed, OWN_NAMES).slice(0, 1))} There are ${known}`,
  });
}

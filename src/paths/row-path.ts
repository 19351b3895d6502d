/**
 * Parses the paths of flags, settings and policies: paths into the service's document, and
 * shortcuts for members of `_meta`.
 */

import { parsePath } from '../document/parse-path.ts';
import { formatPath, type Path } from '../document/path.ts';
import { UsageError } from '../errors.ts';
import { META } from '../row/row.ts';
import { quoted } from '../secrets/redact.ts';
import { didYouMean, nearestFirst } from '../text/nearest.ts';
import { isMetaShortcut, META_NAMES, META_SHORTCUTS } from './meta-shortcuts.ts';

/** A path as a flag, a setting or a policy has it. */
export interface PathSpec {
  readonly path: Path;
  /** Whether answers may lack it: `path?`. */
  readonly isOptional: boolean;
  /** Whether it was typed as `["a"]`, which means the document and never a column of the list. */
  readonly isBracketed?: boolean;
}

/** `PATH`, or `PATH?` for one that answers may lack. @throws UsageError as parseRowPath does */
export function parsePathSpec(text: string): PathSpec {
  const isOptional = text.endsWith('?');
  const path = isOptional ? text.slice(0, -1).trimEnd() : text;
  return { path: parseRowPath(path), isOptional, isBracketed: path.startsWith('[') };
}

/**
 * The path in `text`, with `score` as `_meta.score`.
 * @throws UsageError when it is not a path, or names a member that `_meta` never has
 */
export function parseRowPath(text: string): Path {
  const path = parsePath(text);
  const [root, member] = path;
  if (root === META && member !== undefined && !META_NAMES.includes(member)) throw unknownMember(path);
  return isMetaShortcut(path) && !text.startsWith('[') ? [META, ...path] : path;
}

function unknownMember(path: Path): UsageError {
  const typed = String(path[1]).toLowerCase();
  const known = [...META_SHORTCUTS, `${META}.error`].join(', ');
  return new UsageError(`no row has ${quoted(formatPath(path))}`, {
    code: 'missing_field',
    hint: `${didYouMean(nearestFirst(typed, META_SHORTCUTS).slice(0, 1))} There are ${known}`,
  });
}

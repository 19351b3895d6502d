/**
 * What a row says of itself has the names of the csv head (`score`, `status`, `input.customer`), which are short for members of
 * `_meta`; a member of the document with such a name is written `["score"]`. What is inside of the row's own names decides no
 * more than it must: `score` alone is the row's, and `score.value` the document's, since a score has nothing inside.
 */
import { formatPath, type Path } from '../../document/path.ts';

export const META = '_meta';

/** Values, which are the row's only when nothing follows. */
const VALUES = ['score', 'status', 'answered_at', 'warning', 'line'];
/** What has something inside. */
const CONTAINERS = ['input', 'matched', 'unjudged', 'excused'];
/** What a row can have in `_meta`: the rest has no short name. */
export const MEMBERS: readonly unknown[] = [...VALUES, ...CONTAINERS, 'file', 'error'];

/** The names that a path from the document's root may have been meant as. */
export const OWN_NAMES: readonly string[] = [...VALUES, ...CONTAINERS];

/** What every row has, whatever the service adds to its documents: of the contract (section 2.2), and of `_meta`. */
export const FIELD_PATHS: readonly string[] = [
  ...['wallet_address', 'total_collateral_usd', 'defi_score.defi_score'],
  ...['line', 'input', 'status', 'score', 'answered_at', 'warning', 'error.code', 'error.message'].map(
    (path) => `${META}.${path}`,
  ),
];

/** Whether `path`, as it was typed, begins with a name of the row's own. */
export const isOwn = ([first, ...inside]: Path) =>
  CONTAINERS.some((name) => name === first) || (inside.length === 0 && VALUES.some((name) => name === first));

/** The shortest text of `path`, which parseRowPath reads back. */
export function formatRowPath(path: Path): string {
  if (path[0] === META && isOwn(path.slice(1))) return formatPath(path.slice(1));
  return documentPathText(formatPath(path));
}

const OWN_TEXT = new RegExp(`^(?:(${VALUES.join('|')})$|(${CONTAINERS.join('|')})(?=$|[.[]))`);

/** The text of a path into the document, of which `text` is the text there: with a name of the row's own in brackets. */
export const documentPathText = (text: string): string =>
  text.replace(OWN_TEXT, (_, value?: string, container?: string) => `["${value ?? container}"]`);

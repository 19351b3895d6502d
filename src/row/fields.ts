/** --fields: which values of an answer are shown, in what order and under what names, and which of them never came. */
import { distance } from 'fastest-levenshtein';
import type { Node, ObjectNode } from '../document/node.ts';
import { childrenOf, formatPath, type Located, lookup, type Path, parsePath } from '../document/path.ts';
import { UsageError } from '../errors.ts';
import { quoted } from '../text/escape.ts';
import type { Find } from './conditions.ts';

/** Every field there is, instead of a selection. */
export const ALL_FIELDS = '*';

export interface Field {
  /** What the column or member is called: the path's text unless renamed. */
  readonly name: string;
  readonly path: Path;
  /** Whether an answer may do without it. */
  readonly optional: boolean;
}

export interface MissingField {
  readonly field: Field;
  /** The nearest paths that answers did have, best first, at most three. */
  readonly suggestions: readonly string[];
}

export interface FieldWatch {
  /** Whether an answer may still say something new: a field has not come yet. */
  readonly isWaiting: boolean;
  /** Takes note of what one answer had: its document, or its row with `_meta` when fields may ask for that. */
  saw(answer: ObjectNode): void;
  /** The fields that were not optional and that no answer had; none when there was no answer to tell from. */
  missing(): readonly MissingField[];
}

/**
 * The fields of `a,b.c[0],score=defi_score.defi_score,opt?`.
 * @throws UsageError when an item is no path, or two have one name.
 */
export function parseFields(spec: string): readonly Field[] {
  const fields = splitUnquoted(spec, ',').map((item) => parseField(item.trim()));
  const names = new Set<string>();
  for (const { name } of fields) {
    if (names.has(name)) {
      throw new UsageError(`two fields are called ${quoted(name)}`, {
        hint: 'rename one of them like other_name=path',
      });
    }
    names.add(name);
  }
  return fields;
}

/** The values of `fields` that `find` finds, under their names; undefined where there is none. */
export function pick(find: Find, fields: readonly Field[]): readonly (readonly [string, Node | undefined])[] {
  return fields.map(({ name, path }) => {
    const found = find(path);
    return [name, found === 'unknown' ? undefined : found] as const;
  });
}

/** Paths remembered for suggestions: enough for any real answer, and a bound for maps keyed by token or wallet. */
const MAX_SEEN_PATHS = 1_000;
/** A path longer than this is no use as a suggestion. */
const MAX_PATH_LENGTH = 200;
const MAX_SUGGESTIONS = 3;

/** Watches the answers of a run, in memory that does not grow with the list. */
export function createFieldWatch(fields: readonly Field[]): FieldWatch {
  const awaited = new Set(fields.filter((field) => !field.optional && !isOfTrouble(field.path)));
  const seen = new Set<string>();
  let answers = 0;
  return {
    get isWaiting() {
      return answers === 0 || awaited.size > 0;
    },
    saw(answer) {
      answers++;
      for (const field of awaited) if (hasPlaceFor(field.path, answer)) awaited.delete(field);
      if (awaited.size > 0) collectPaths(answer, seen);
    },
    missing() {
      if (answers === 0) return [];
      return [...awaited].map((field) => ({ field, suggestions: nearest(field.path, seen) }));
    },
  };
}

/** The error of a run in which fields were missing: its output stands, its exit code says that something was mistyped. */
export function missingFieldsError(missing: readonly MissingField[]): UsageError {
  const names = missing.map(({ field }) => quoted(formatPath(field.path)));
  const near = missing.flatMap(({ suggestions }) => suggestions.slice(0, missing.length > 1 ? 1 : MAX_SUGGESTIONS));
  const optional = "put '?' after a field that may be absent";
  return new UsageError(`no answer had the field${names.length > 1 ? 's' : ''} ${names.join(', ')}`, {
    code: 'missing_field',
    hint: near.length > 0 ? `did you mean ${near.join(', ')}? ${optional}` : optional,
  });
}

/** Rows have `_meta.error` and `_meta.warning` only when something went wrong: that nothing did is no mistyped path. */
const isOfTrouble = (path: Path) => path[0] === '_meta' && (path[1] === 'error' || path[1] === 'warning');

/** Whether `path` leads to something in `answer`, or to a null on the way: a score inside of a `defi_score` that is null. */
function hasPlaceFor(path: Path, answer: ObjectNode): boolean {
  for (let length = 1; length <= path.length; length++) {
    const found = lookup(answer, path.slice(0, length));
    if (!found) return false;
    if (found.kind === 'literal' && found.value === null) return true;
  }
  return true;
}

function parseField(item: string): Field {
  if (item === '')
    throw new UsageError('--fields has an empty item', { hint: 'separate paths by single commas: a,b.c' });
  if (item === ALL_FIELDS) {
    throw new UsageError("--fields '*' means every field and cannot be combined", {
      hint: "leave the '*' or the others out",
    });
  }
  const optional = item.endsWith('?');
  const parts = splitUnquoted(optional ? item.slice(0, -1) : item, '=').map((part) => part.trim());
  const [name = '', text = name, ...more] = parts;
  if (name === '' || more.length > 0) {
    throw new UsageError(`${quoted(item)} is not a field`, {
      hint: 'write name=path to rename a field, and ["..."] around a key that contains =',
    });
  }
  return { name, path: parsePath(text), optional };
}

/** `text` cut at each `separator` that stands outside of double quotes. */
function splitUnquoted(text: string, separator: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|./gs)) {
    if (token !== separator) {
      part += token;
      continue;
    }
    parts.push(part);
    part = '';
  }
  return [...parts, part];
}

/**
 * Adds the paths of `answer` to `seen`, outer ones first so that a large part cannot crowd out the rest. The first item of
 * an array stands for all, since the others differ in the index alone.
 */
function collectPaths(answer: ObjectNode, seen: Set<string>): void {
  const queue: Located[] = [{ path: '', node: answer }];
  for (const located of queue) {
    if (seen.size >= MAX_SEEN_PATHS) return;
    if (located.path !== '') seen.add(located.path);
    const inner = childrenOf(located);
    for (const child of located.node.kind === 'array' ? inner.slice(0, 1) : inner) {
      if (child.path.length <= MAX_PATH_LENGTH) queue.push(child);
    }
  }
}

/** Paths that end in the same key come first: people leave out where a value is more often than they misspell it. */
function nearest(path: Path, seen: Iterable<string>): readonly string[] {
  const wanted = formatPath(path).toLowerCase();
  const lastKey = formatPath(path.slice(-1)).toLowerCase();
  const ranked = [...seen].map((text) => {
    const candidate = text.toLowerCase();
    const sameKey = candidate.endsWith(`.${lastKey}`);
    const key = candidate.slice(candidate.lastIndexOf('.') + 1);
    const whole = distance(candidate, wanted);
    return { text, sameKey, whole, steps: Math.min(whole, distance(key, lastKey)) };
  });
  ranked.sort((a, b) => Number(b.sameKey) - Number(a.sameKey) || a.steps - b.steps || a.whole - b.whole);
  const [best] = ranked;
  return ranked
    .filter(({ sameKey, steps }) => sameKey || (!best?.sameKey && steps === best?.steps))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ text }) => text);
}

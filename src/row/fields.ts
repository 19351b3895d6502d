/** --fields: which values of an answer are shown, in what order, under what names; and which of them no answer had. */

import type { ObjectNode } from '../document/node.ts';
import { lookup, type Path } from '../document/path.ts';
import { UsageError } from '../errors.ts';
import { quoted } from '../secrets/withhold.ts';
import { didYouMeanPath } from '../text/nearest.ts';
import { collectPaths, nearestPaths } from './paths/near-path.ts';
import { formatRowPath, META } from './paths/own-names.ts';
import { parseRowPath } from './paths/row-path.ts';

/** All fields, instead of a selection. */

export interface Field {
  /** The name of the column or member: the path's text unless renamed. */
  readonly name: string;
  readonly path: Path;
  /** Whether an answer may lack it. */
  readonly optional: boolean;
}

export interface MissingField {
  readonly field: Field;
  /** The nearest paths that answers did have, best first, at most three. */
  readonly suggestions: readonly string[];
}

export interface FieldWatch {
  /** Whether more answers have to be observed: a field has not come yet. */
  readonly isWaiting: boolean;
  /** Observes an answer: its document, or its row with `_meta` if fields may refer to that. */
  observe(answer: ObjectNode): void;
  /** The fields that are not optional and that no answer had; none if there was no answer. */
  missing(): readonly MissingField[];
}

/**
 * The fields of `a,b.c[0],score=defi_score.defi_score,opt?`.
 * @throws UsageError when an item is not a path, or two have the same name
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

/** The value of --fields, for a list or one wallet. */
export interface FieldSelection {
  /** Undefined for the usual fields. */
  readonly fields: readonly Field[] | undefined;
  /** Whether `fields` are added to the usual ones: `+a.b`. */
  readonly keepsDefaults: boolean;
}

/** @throws UsageError as parseFields does */
export function parseFieldSelection(texts: readonly string[]): FieldSelection {
  const specs = texts.map((text) => text.trim());
  return {
    fields: specs.length === 0 ? undefined : parseFieldList(specs),
    keepsDefaults: specs.some((spec) => spec.startsWith('+')),
  };
}

/** The fields of several texts, each with or without a `+` in front. @throws UsageError as parseFields does */
export function parseFieldList(texts: readonly string[]): readonly Field[] {
  return texts.length === 0 ? [] : parseFields(texts.map((text) => text.trim().replace(/^\+/, '')).join(','));
}

/** Watches the answers of a run, in memory that does not grow with the list. */
export function createFieldWatch(fields: readonly Field[]): FieldWatch {
  const awaited = new Set(fields.filter((field) => !field.optional && !isErrorField(field.path)));
  /** Fields that an answer could have had, but did not. */
  const lacked = new Set<Field>();
  const seen = new Set<string>();
  let answers = 0;
  return {
    get isWaiting() {
      return answers === 0 || awaited.size > 0;
    },
    observe(answer) {
      answers++;
      for (const field of awaited) {
        const has = hasPath(field.path, answer);
        if (has) awaited.delete(field);
        else if (has === false) lacked.add(field);
      }
      if (awaited.size > 0) collectPaths(answer, seen);
    },
    missing: () =>
      [...awaited]
        .filter((field) => lacked.has(field))
        .map((field) => ({ field, suggestions: nearestPaths(field.path, seen) })),
  };
}

/** The error of a run in which fields were missing: its output is written, its exit code says that something is mistyped. */
export function missingFieldsError(missing: readonly MissingField[]): UsageError {
  const names = missing.map(({ field }) => quoted(formatRowPath(field.path)));
  const near = missing.flatMap(({ suggestions }) => (missing.length > 1 ? suggestions.slice(0, 1) : suggestions));
  return new UsageError(`no answer had the field${names.length > 1 ? 's' : ''} ${names.join(', ')}`, {
    code: 'missing_field',
    hint: near.length > 0 ? didYouMeanPath(near) : "put '?' after a path that may be absent",
  });
}

/** Rows have `_meta.error` and `_meta.warning` only when something went wrong: otherwise the path is not mistyped. */
const isErrorField = (path: Path) => path[0] === META && (path[1] === 'error' || path[1] === 'warning');

/** Whether `answer` has a value at `path`; undefined if there is a null on the way, as when a score is null. */
function hasPath(path: Path, answer: ObjectNode): boolean | undefined {
  for (let length = 1; length <= path.length; length++) {
    const found = lookup(answer, path.slice(0, length));
    if (!found) return false;
    if (found.kind === 'literal' && found.value === null && length < path.length) return undefined;
  }
  return true;
}

function parseField(item: string): Field {
  if (item === '')
    throw new UsageError('--fields has an empty item', { hint: 'separate paths by single commas: a,b.c' });
  const optional = item.endsWith('?');
  const parts = splitUnquoted(optional ? item.slice(0, -1) : item, '=').map((part) => part.trim());
  const [name = '', text = name, ...more] = parts;
  if (name === '' || more.length > 0) {
    throw new UsageError(`${quoted(item)} is not a field`, {
      hint: 'write name=path to rename a field, and ["..."] around a key that contains =',
    });
  }
  return { name, path: parseRowPath(text), optional };
}

/** `text` split at each `separator` outside double quotes. */
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

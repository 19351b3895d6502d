/** --fields: which values of an answer are shown, in what order, under what names. */

import { UsageError } from '../errors.ts';
import { quoted, redactSecrets } from '../secrets/redact.ts';
import { type PathSpec, parsePathSpec } from './row-path.ts';

export interface Field extends PathSpec {
  /** The name of the column or member: the path's text unless renamed. */
  readonly name: string;
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

/** What --fields selects, for a list or one wallet. */
export interface FieldSelection {
  /** Undefined for the default fields. */
  readonly fields: readonly Field[] | undefined;
  /** Whether `fields` are added to the default ones: `+a.b`. */
  readonly keepsDefaults: boolean;
}

/**
 * @param texts the values of --fields, each with or without a `+` in front
 * @throws UsageError as parseFields does
 */
export function parseFieldsFlag(texts: readonly string[]): FieldSelection {
  const specs = texts.map((text) => text.trim());
  return {
    fields: specs.length === 0 ? undefined : parseFields(specs.map((spec) => spec.replace(/^\+/, '')).join(',')),
    keepsDefaults: specs.some((spec) => spec.startsWith('+')),
  };
}

function parseField(item: string): Field {
  if (item === '')
    throw new UsageError('--fields has an empty item', { hint: 'separate paths by single commas: a,b.c' });
  const [left = '', right, ...more] = splitUnquoted(item, '=').map((part) => part.trim());
  const name = right === undefined ? left.replace(/\s*\?$/, '') : left;
  if (name === '' || more.length > 0) {
    throw new UsageError(`${quoted(item)} is not a field`, {
      hint: 'write name=path to rename a field, and ["..."] around a key that contains =',
    });
  }
  return { name: redactSecrets(name), ...parsePathSpec(right ?? left) };
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

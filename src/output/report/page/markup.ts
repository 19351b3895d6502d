/**
 * Elements of a page as data: serialised to HTML here, turned into DOM nodes by the page's script.
 * Strings are always text, and are escaped in `htmlOf`.
 */
import { visible } from '../../../text/escape.ts';

export interface Element {
  readonly name: string;
  readonly attributes: Attributes;
  readonly children: readonly Markup[];
}
export type Markup = Element | string;

/** `true` is an attribute without a value; undefined and false are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A child of `h`; lists are flattened, undefined and false are left out. */
export type Child = Markup | readonly Child[] | undefined | false;

export function h(name: string, attributes: Attributes = {}, ...children: readonly Child[]): Element {
  return { name, attributes, children: children.flatMap(flat) };
}

function flat(child: Child): readonly Markup[] {
  if (child === undefined || child === false) return [];
  return isList(child) ? child.flatMap(flat) : [child];
}

const isList = (child: Markup | readonly Child[]): child is readonly Child[] => Array.isArray(child);

/** Void elements of HTML. */
const VOID: ReadonlySet<string> = new Set(['meta', 'input', 'br', 'link']);

export function htmlOf(markup: Markup): string {
  if (typeof markup === 'string') return escapeHtml(visible(markup));
  const { name, attributes, children } = markup;
  const start = `<${name}${Object.entries(attributes).map(attributeText).join('')}>`;
  return VOID.has(name) ? start : `${start}${children.map(htmlOf).join('')}</${name}>`;
}

function attributeText([name, value]: readonly [string, Attributes[string]]): string {
  if (value === undefined || value === false) return '';
  return value === true ? ` ${name}` : ` ${name}="${escapeHtml(visible(String(value)))}"`;
}

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (found) => HTML_ENTITIES[found] ?? '');

/**
 * `value` as JSON for a script element: without `<`, which could end the element or start a
 * comment, and without U+2028 and U+2029, which JavaScript treats as line ends.
 */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>\u2028\u2029]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

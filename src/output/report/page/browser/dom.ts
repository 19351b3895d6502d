/** Turns markup into DOM nodes. Strings always become text nodes. */
import { visible } from '../../../../text/escape.ts';
import { type Attributes, type Element as Described, h, type Markup } from '../markup.ts';

export function domOf(markup: Markup): Node {
  if (typeof markup === 'string') return document.createTextNode(visible(markup));
  return elementOf(markup);
}

export function elementOf({ name, attributes, children }: Described): HTMLElement {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : visible(String(value)));
  }
  element.append(...children.map(domOf));
  return element;
}

/** The element with this id; it must exist. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

export function buttonOf(attributes: Attributes, ...content: readonly (Node | string)[]): HTMLElement {
  const button = elementOf(h('button', { type: 'button', ...attributes }));
  button.append(...content);
  return button;
}

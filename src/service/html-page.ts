/**
 * A page for people where an answer of the service should be: of a captive portal, a login, a proxy. Its title tells the user
 * whose it is; it is text of others and may hold anything.
 */
import type { TransportAnswer } from './http/answer-reader.ts';

export interface HtmlPage {
  /** Undefined where it has none. */
  readonly title: string | undefined;
}

/** A title stands near the beginning, and a page may have 16 MB. */
const MAX_READ_BYTES = 64 * 1024;
const MAX_TITLE = 1_000;
const HTML_TYPE = /^(?:text\/html|application\/xhtml\+xml)(?:;|\s|$)/i;
const BEGINNING = /^<(?:!doctype html|html|head|title|!--)/i;
const TITLE_TAG = /<title(?:\s[^<>]{0,200})?>/i;

/** The page that an answer consists of; undefined for one that is none. */
export function readHtmlPage({ headers, body }: Pick<TransportAnswer, 'headers' | 'body'>): HtmlPage | undefined {
  const text = new TextDecoder().decode(body.subarray(0, MAX_READ_BYTES)).trimStart();
  if (!HTML_TYPE.test(headers['content-type'] ?? '') && !BEGINNING.test(text)) return undefined;
  const tag = TITLE_TAG.exec(text);
  if (!tag) return { title: undefined };
  const [written = ''] = text
    .slice(tag.index + tag[0].length)
    .slice(0, MAX_TITLE)
    .split('</', 1);
  return { title: withoutEntities(written).replace(/\s+/g, ' ').trim() || undefined };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The few that titles have; any other stays as it is written. */
function withoutEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,4}));/g, (entity, decimal, hex, name) => {
    if (name) return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? entity) : entity;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : entity;
  });
}

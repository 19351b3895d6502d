/**
 * The XML of a part of a workbook. Nothing outside the part is read, and nothing in it is expanded:
 * a document type declaration, which no spreadsheet program writes, is refused.
 */
import sax from 'sax';
import { tooLarge, torn } from './archive.ts';

/** Names are without prefixes: programs differ in these. */
export interface XmlReader {
  open(name: string, attributes: XmlAttributes): void;
  text?(text: string): void;
  close?(name: string): void;
}
export type XmlAttributes = Readonly<Record<string, string>>;

/** A sheet has about ten; more would fill the memory. */
const MAX_XML_DEPTH = 256;
const MAX_ATTRIBUTES = 1024;

/** Hands the XML in `bytes` to `reader`; yields after each block of it. @throws ListSyntaxError */
export async function* parseXml(bytes: AsyncIterable<Uint8Array>, reader: XmlReader): AsyncGenerator<void> {
  const parser = createParser(reader);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const block of bytes) {
    parser.write(decodedXml(() => decoder.decode(block, { stream: true })));
    yield;
  }
  parser.write(decodedXml(() => decoder.decode()));
  parser.close();
}

function decodedXml(decoding: () => string): string {
  try {
    return decoding();
  } catch {
    throw notXml();
  }
}

const notXml = () => torn('a part of it is not XML');

/** The whole of a part. @throws ListSyntaxError */
export async function parseWhole(bytes: AsyncIterable<Uint8Array>, reader: XmlReader): Promise<void> {
  for await (const _ of parseXml(bytes, reader));
}

function createParser(reader: XmlReader): sax.SAXParser {
  // sax passes on a long text in pieces and refuses other long tokens, so that its own buffers stay
  // small.
  const parser = sax.parser(true);
  let depth = 0;
  let attributes = 0;
  parser.onerror = () => {
    throw notXml();
  };
  parser.ondoctype = () => {
    throw torn('it has a document type declaration');
  };
  parser.onattribute = () => {
    if (++attributes > MAX_ATTRIBUTES) throw tooLarge();
  };
  parser.onopentag = ({ name, attributes: given }) => {
    attributes = 0;
    if (++depth > MAX_XML_DEPTH) throw tooLarge();
    reader.open(local(name), given as XmlAttributes);
  };
  parser.onclosetag = (name) => {
    depth--;
    reader.close?.(local(name));
  };
  if (reader.text) {
    parser.ontext = (text) => reader.text?.(text);
    parser.oncdata = (text) => reader.text?.(text);
  }
  return parser;
}

const local = (name: string) => name.slice(name.indexOf(':') + 1);

/** The value of the attribute whose name ends in `:name`, whatever its prefix. */
export const prefixed = (attributes: XmlAttributes, name: string): string | undefined =>
  Object.entries(attributes).find(([key]) => key.endsWith(`:${name}`))?.[1];

/** XML Schema's boolean. */
export const isTrue = (value: string | undefined) => value === '1' || value === 'true';

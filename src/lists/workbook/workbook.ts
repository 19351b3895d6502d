/**
 * What the parts of a workbook say of its sheets: their names and order, the shared texts, which
 * formats are dates (ECMA-376, part 1, 18).
 */
import { posix } from 'node:path';
import { foreignError } from '../container.ts';
import { checkLength } from '../lines.ts';
import { type Archive, AS_CSV, MB, tooLarge, torn } from './archive.ts';
import { type DateFormat, dateFormat } from './dates.ts';
import { createTexts, type Texts } from './texts.ts';
import { parseWhole, prefixed, type XmlAttributes } from './xml.ts';

export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** The name of its part in the archive. */
  readonly part: string;
}

export interface Workbook {
  readonly sheets: readonly Sheet[];
  /** Whether days are counted from 1904, as Excel once did on the Mac. */
  readonly is1904: boolean;
  /** The names of other parts; undefined when the workbook lacks them. */
  readonly stylesPart: string | undefined;
  readonly textsPart: string | undefined;
}

/** @throws ListSyntaxError when the archive is no workbook that is read */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const part =
    (await relationsOf('', archive)).find(({ type }) => type === 'officeDocument')?.part ?? 'xl/workbook.xml';
  const bytes = archive.read(part);
  if (!bytes || /\.bin$/i.test(part)) throw notWorkbook(archive, part);
  const relations = await relationsOf(part, archive);
  const partOf = (type: string) => relations.find((relation) => relation.type === type)?.part;
  const sheets: Sheet[] = [];
  let isWorkbook: boolean | undefined;
  let is1904 = false;
  await parseWhole(bytes, {
    open(name, attributes) {
      isWorkbook ??= name === 'workbook';
      if (name === 'workbookPr') is1904 = isTrue(attributes.date1904);
      if (name !== 'sheet') return;
      const id = prefixed(attributes, 'id');
      const sheet = relations.find((relation) => relation.id === id);
      // Charts and macros are sheets as well.
      if (sheet?.type !== 'worksheet') return;
      const isHidden = (attributes.state ?? 'visible') !== 'visible';
      sheets.push({ name: attributes.name ?? '', isHidden, part: sheet.part });
    },
  });
  if (!isWorkbook) throw notWorkbook(archive, part);
  return { sheets, is1904, stylesPart: partOf('styles'), textsPart: partOf('sharedStrings') };
}

interface Relation {
  readonly id: string;
  /** The last word of its type: what is before it depends on the edition of the standard. */
  readonly type: string;
  readonly part: string;
}

/**
 * What the part `from` refers to; '' is the archive itself. What is outside the file is left out.
 */
async function relationsOf(from: string, archive: Archive): Promise<readonly Relation[]> {
  const folder = posix.dirname(from);
  const found: Relation[] = [];
  const bytes = archive.read(posix.join(folder, '_rels', `${posix.basename(from)}.rels`));
  if (!bytes) return found;
  await parseWhole(bytes, {
    open(name, { Id = '', Type = '', Target = '', TargetMode }) {
      if (name !== 'Relationship' || TargetMode === 'External') return;
      const part = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target);
      found.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), part });
    },
  });
  return found;
}

/** XML Schema's boolean. */
export const isTrue = (value: string | undefined) => value === '1' || value === 'true';

/** Archives by a name in them, lower-case, and what they are. */
const OTHER_ARCHIVES: readonly (readonly [name: RegExp, what: string])[] = [
  [/^xl\/workbook\.bin$/, 'an Excel binary workbook (.xlsb)'],
  [/^content\.xml$/, 'a LibreOffice spreadsheet (.ods)'],
  [/^index\/.*\.iwa$|^index\.zip$/, 'an Apple Numbers spreadsheet'],
  [/^word\//, 'a Word document (.docx)'],
  [/^ppt\//, 'a PowerPoint presentation (.pptx)'],
];

function notWorkbook({ names }: Archive, part: string) {
  const [, what] = OTHER_ARCHIVES.find(([name]) => names.some((one) => name.test(one))) ?? [];
  if (what !== undefined) return foreignError(what, `save it as .xlsx, or ${AS_CSV}`);
  if (names.some((name) => name.startsWith('xl/'))) return torn(`it has no part ${part}`);
  return foreignError('a zip archive', 'unpack it first: unzip -p FILE | riskcli profile -');
}

/** Of the unpacked part of the texts, which are held in memory: a million addresses take 58 MB. */
const MAX_TEXT_BYTES = 192 * MB;
const MAX_TEXTS = 10_000_000;

/** The texts that cells refer to by their number. */
export async function readTexts(part: string | undefined, archive: Archive): Promise<Texts> {
  const texts = createTexts();
  const bytes = part === undefined ? undefined : archive.read(part, MAX_TEXT_BYTES);
  if (!bytes) return texts;
  const reader = createTextReader();
  await parseWhole(bytes, {
    open(name) {
      if (name === 'si') reader.begin();
      else reader.open(name);
    },
    text: reader.text,
    close(name) {
      reader.close(name);
      if (name !== 'si') return;
      if (texts.size() === MAX_TEXTS) throw tooLarge();
      texts.add(reader.take());
    },
  });
  return texts;
}

/**
 * The text of an `si` or `is` element: its runs, whatever their looks, without the reading aids of
 * Japanese.
 */
export function createTextReader() {
  let text = '';
  let isText = false;
  let isAid = false;
  return {
    begin() {
      text = '';
      isText = false;
      isAid = false;
    },
    open(name: string) {
      if (name === 'rPh') isAid = true;
      isText = name === 't' && !isAid;
    },
    text(part: string) {
      if (!isText) return;
      checkLength(text.length + part.length);
      text += part;
    },
    close(name: string) {
      if (name === 'rPh') isAid = false;
      isText = false;
    },
    take: () => unescapeText(text),
  };
}

/** Characters that XML cannot hold are written as `_x000D_` (ECMA-376, part 1, 22.9.2.19). */
export const unescapeText = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;

/** For each style of cells, the kind of date that its numbers mean; undefined for plain numbers. */
export async function readDateStyles(
  part: string | undefined,
  archive: Archive,
): Promise<readonly (DateFormat | undefined)[]> {
  const codes = new Map<number, string>();
  const styles: number[] = [];
  const bytes = part === undefined ? undefined : archive.read(part);
  if (!bytes) return [];
  let isCellStyle = false;
  const reader = {
    open(name: string, { numFmtId = '0', formatCode = '' }: XmlAttributes) {
      if (name === 'cellXfs') isCellStyle = true;
      if (name === 'numFmt') codes.set(Number(numFmtId), formatCode);
      if (name === 'xf' && isCellStyle) styles.push(Number(numFmtId));
    },
    close(name: string) {
      if (name === 'cellXfs') isCellStyle = false;
    },
  };
  await parseWhole(bytes, reader);
  return styles.map((id) => dateFormat(id, codes.get(id)));
}

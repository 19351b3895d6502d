/**
 * The sheets of a workbook, from its parts: their names and order, and which formats are
 * dates (ECMA-376, part 1, 18).
 */
import { posix } from 'node:path';
import { foreignError } from '../container.ts';
import { type Archive, AS_CSV, torn } from './archive.ts';
import { builtInFormat, type DateFormat, declaredFormat } from './dates.ts';
import { isTrue, parseWhole, prefixed, type XmlAttributes } from './xml.ts';

export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** The name of its part in the archive. */
  readonly part: string;
}

/** @throws ListSyntaxError when the archive is no workbook that is read */
export async function readWorkbook(archive: Archive) {
  const part =
    (await relationsOf('', archive)).find(({ type }) => type === 'officeDocument')?.part ?? 'xl/workbook.xml';
  if (!archive.has(part) || /\.bin$/i.test(part)) throw notWorkbook(archive, part);
  const relations = await relationsOf(part, archive);
  const byId = new Map(relations.map((relation) => [relation.id, relation]));
  const partOf = (type: string) => relations.find((relation) => relation.type === type)?.part;
  const sheets: Sheet[] = [];
  let isWorkbook: boolean | undefined;
  let is1904 = false;
  await parseWhole(archive.read(part), {
    open(name, attributes) {
      isWorkbook ??= name === 'workbook';
      if (name === 'workbookPr') is1904 = isTrue(attributes.date1904);
      if (name !== 'sheet') return;
      const sheet = byId.get(prefixed(attributes, 'id') ?? '');
      // Charts and macros are sheets as well.
      if (sheet?.type !== 'worksheet') return;
      const isHidden = (attributes.state ?? 'visible') !== 'visible';
      sheets.push({ name: attributes.name ?? '', isHidden, part: sheet.part });
    },
  });
  if (!isWorkbook) throw notWorkbook(archive, part);
  // Days are counted from 1904 as Excel once did on the Mac; a workbook may lack the other parts.
  return { sheets, is1904, stylesPart: partOf('styles'), stringsPart: partOf('sharedStrings') };
}

interface Relation {
  readonly id: string;
  /** The last word of its type: what is before it depends on the edition of the standard. */
  readonly type: string;
  readonly part: string;
}

/**
 * The parts that the part `from` refers to; '' is the archive itself. Links to other files are left
 * out.
 */
async function relationsOf(from: string, archive: Archive): Promise<readonly Relation[]> {
  const folder = posix.dirname(from);
  const found: Relation[] = [];
  const part = posix.join(folder, '_rels', `${posix.basename(from)}.rels`);
  if (!archive.has(part)) return found;
  await parseWhole(archive.read(part), {
    open(name, { Id = '', Type = '', Target = '', TargetMode }) {
      if (name !== 'Relationship' || TargetMode === 'External') return;
      // Some programs write the backslashes of Windows.
      const target = Target.replaceAll('\\', '/');
      const part = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
      found.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), part });
    },
  });
  return found;
}

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
  if (names.length === 0) return foreignError('an empty zip archive', 'export the list again');
  if (names.some((name) => name.startsWith('xl/'))) return torn(`it has no part ${part}`);
  return foreignError('a zip archive', 'unpack it first: unzip -p FILE | riskcli profile -');
}

/** Excel's limit of the code of a number format. */
const MAX_CODE_LENGTH = 255;

/** For each style of cells, the kind of date that its numbers mean; undefined for plain numbers. */
export async function readDateStyles(
  part: string | undefined,
  archive: Archive,
): Promise<readonly (DateFormat | undefined)[]> {
  if (part === undefined || !archive.has(part)) return [];
  const declared = new Map<number, DateFormat | undefined>();
  const styles: number[] = [];
  let isCellStyle = false;
  const reader = {
    open(name: string, { numFmtId = '0', formatCode = '' }: XmlAttributes) {
      if (name === 'cellXfs') isCellStyle = true;
      if (name === 'numFmt') declared.set(Number(numFmtId), declaredFormat(formatCode.slice(0, MAX_CODE_LENGTH)));
      if (name === 'xf' && isCellStyle) styles.push(Number(numFmtId));
    },
    close(name: string) {
      if (name === 'cellXfs') isCellStyle = false;
    },
  };
  await parseWhole(archive.read(part), reader);
  return styles.map((id) => (declared.has(id) ? declared.get(id) : builtInFormat(id)));
}

/**
 * Writes a workbook of two sheets (ECMA-376, part 1, 18): rows as they come, packed at once, so
 * that memory does not grow with their number; then a few lines about them. Texts are inline:
 * shared ones would have to be held until the end.
 */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { ZipFile } from 'yazl';
import { columnLetters } from '../../text/column-letters.ts';
import { DAY_MS } from '../../text/when.ts';

export type Cell =
  | { readonly kind: 'text'; readonly text: string }
  /** Finite. */
  | { readonly kind: 'number'; readonly value: number }
  /** Milliseconds since 1970, shown as UTC. */
  | { readonly kind: 'date'; readonly at: number }
  | undefined;

export interface WorkbookOptions {
  /** A line above the header, which is frozen with it. */
  readonly notice: string | undefined;
  readonly columns: readonly WorkbookColumn[];
  /** Written into the archive, milliseconds since 1970. */
  readonly at: number;
}

export interface WorkbookColumn {
  readonly name: string;
  /** In characters. */
  readonly width: number;
}

/** Excel's limits of a sheet, and of the UTF-16 units of a cell. */
export const MAX_ROWS = 1_048_576;
export const MAX_COLUMNS = 16_384;
export const MAX_TEXT = 32_767;

type Pair = readonly [name: Cell, value: Cell];

const SHEET_BLOCK_LENGTH = 64 * 1024;

export function createWorkbook({ notice, columns, at }: WorkbookOptions) {
  const archive = createZip(at);
  const letters = columns.map((_, i) => columnLetters(i));
  const above = notice === undefined ? [] : [[textValue(notice)]];
  let line = 0;
  let xml = sheetStart(columns, above.length + 1);
  const add = (cells: readonly Cell[], style?: number) => {
    line += 1;
    xml += rowXml(line, cells, letters, style);
  };
  for (const row of [...above, columns.map(({ name }) => textValue(name))]) add(row, HEAD_STYLE);
  const sheet = new PassThrough();
  for (const [name, content] of Object.entries(PARTS)) archive.add(name, content);
  archive.addStream('xl/worksheets/sheet1.xml', sheet);
  const flush = async () => {
    const block = xml;
    xml = '';
    if (!sheet.write(block)) await once(sheet, 'drain');
    return archive.take();
  };
  return {
    /** Bytes of the file that are ready; they may be none. */
    row(cells: readonly Cell[]): Uint8Array | Promise<Uint8Array> {
      add(cells);
      return xml.length < SHEET_BLOCK_LENGTH ? NO_BYTES : flush();
    },
    /** @param about the second sheet, and its name @returns the rest of the file */
    end(about: { readonly name: string; readonly rows: readonly Pair[] }): Promise<Uint8Array> {
      // The header and the rows below it have a filter.
      const range = `A${above.length + 1}:${letters.at(-1) ?? 'A'}${line}`;
      sheet.end(`${xml}</sheetData><autoFilter ref="${range}"/></worksheet>`);
      archive.add('xl/worksheets/sheet2.xml', aboutXml(about.rows));
      archive.add('xl/workbook.xml', workbookXml(['Rows', about.name], range));
      return archive.end();
    },
  };
}

const NO_BYTES = new Uint8Array();
const textValue = (value: string): Cell => ({ kind: 'text', text: value });

/** A zip archive whose bytes are written as they are made. */
function createZip(at: number) {
  const zip = new ZipFile();
  const options = { mtime: new Date(at) };
  let packed: Buffer[] = [];
  zip.outputStream.on('data', (chunk: Buffer) => packed.push(chunk));
  const take = () => {
    const bytes = Buffer.concat(packed);
    packed = [];
    return bytes;
  };
  return {
    add: (name: string, content: string) => zip.addBuffer(Buffer.from(content), name, options),
    addStream: (name: string, content: PassThrough) => zip.addReadStream(content, name, options),
    take,
    async end() {
      const ended = once(zip.outputStream, 'end');
      zip.end();
      await ended;
      return take();
    },
  };
}

/** 1970-01-01, counted from 1899-12-30. */
const DAYS_TO_1970 = 25_569;

/**
 * Styles of cells, by their place in styles.xml. Text is shown and edited as it is, so that nothing
 * becomes a number or a formula.
 */
const TEXT_STYLE = 1;
const DATE_STYLE = 2;
const HEAD_STYLE = 3;

/** @param style of its texts */
function rowXml(line: number, cells: readonly Cell[], letters: readonly string[], style = TEXT_STYLE): string {
  let xml = `<row r="${line}">`;
  for (const [i, cell] of cells.entries()) {
    const place = `${letters[i]}${line}`;
    if (cell?.kind === 'number') xml += `<c r="${place}"><v>${cell.value}</v></c>`;
    if (cell?.kind === 'date') xml += `<c r="${place}" s="${DATE_STYLE}"><v>${cell.at / DAY_MS + DAYS_TO_1970}</v></c>`;
    if (cell?.kind === 'text' && cell.text !== '') {
      xml += `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell.text)}</t></is></c>`;
    }
  }
  return `${xml}</row>`;
}

const XML_ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/**
 * Characters that XML cannot hold or would change (a carriage return), and texts that look like
 * their escapes (22.9.2.19).
 */
const NOT_IN_XML = /[\0-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9a-f]{4}_)/gi;

const escaped = (value: string): string =>
  value
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
    .replace(NOT_IN_XML, (unit) => `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replace(/[&<>"]/g, (character) => XML_ENTITIES[character] ?? '');

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** @param frozen how many rows at its top stay in view */
function sheetStart(columns: readonly WorkbookColumn[], frozen: number): string {
  const pane = `<pane ySplit="${frozen}" topLeftCell="A${frozen + 1}" activePane="bottomLeft" state="frozen"/>`;
  const view =
    `<sheetViews><sheetView tabSelected="1" workbookViewId="0">${pane}<selection ` +
    'pane="bottomLeft"/></sheetView></sheetViews>';
  return `${XML}<worksheet ${MAIN}>${view}${widthsXml(columns.map(({ width }) => width))}<sheetData>`;
}

function widthsXml(widths: readonly number[]): string {
  const columns = widths.map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`);
  return columns.length > 0 ? `<cols>${columns.join('')}</cols>` : '';
}

function aboutXml(rows: readonly Pair[]): string {
  const lines = rows.map((cells, i) => rowXml(i + 1, cells, ['A', 'B']));
  return `${XML}<worksheet ${MAIN}>${widthsXml([48, 48])}<sheetData>${lines.join('')}</sheetData></worksheet>`;
}

/** LibreOffice shows the filter of the first sheet only if this name defines its range, too. */
const workbookXml = (names: readonly string[], range: string) => {
  const sheets = names.map((name, i) => `<sheet name="${escaped(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`);
  const fixed = `${names[0]}!${range.replace(/[A-Z]+/g, '$$$&$$')}`;
  const filter = `<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">${fixed}</definedName>`;
  return `${XML}<workbook ${MAIN} xmlns:r="${OFFICE}"><bookViews><workbookView/></bookViews><sheets>${sheets.join('')}</sheets><definedNames>${filter}</definedNames></workbook>`;
};

const relationships = (targets: readonly (readonly [type: string, target: string])[]) => {
  const rows = targets.map(
    ([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${rows.join('')}</Relationships>`;
};

const override = (part: string, type: string) =>
  `<Override PartName="/xl/${part}.xml" ContentType="${SHEET_TYPE}.${type}+xml"/>`;
const font = (look: string) => `<font>${look}<sz val="11"/><name val="Calibri"/></font>`;
const style = (format: number, more = '') =>
  `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0"${more}/>`;

/** The parts that are the same in each workbook. */
const PARTS = {
  '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${[
    override('workbook', 'sheet.main'),
    override('worksheets/sheet1', 'worksheet'),
    override('worksheets/sheet2', 'worksheet'),
    override('styles', 'styles'),
  ].join('')}</Types>`,
  '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
  'xl/_rels/workbook.xml.rels': relationships([
    ['worksheet', 'worksheets/sheet1.xml'],
    ['worksheet', 'worksheets/sheet2.xml'],
    ['styles', 'styles.xml'],
  ]),
  // 49 is text.
  'xl/styles.xml': `${XML}<styleSheet ${MAIN}><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2">${font('')}${font('<b/>')}</fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4">${[
    style(0),
    style(49, ' applyNumberFormat="1"'),
    style(164, ' applyNumberFormat="1"'),
    `<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`,
  ].join(
    '',
  )}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
};

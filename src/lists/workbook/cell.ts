/**
 * The value of a cell (ECMA-376, part 1, 18.3.1.4), which programs store in different ways: any
 * text in it counts. If it is unclear which text a cell has, it is an error, since an empty cell
 * would hide a wallet.
 */
import { checkLength } from '../lines.ts';
import type { ListSyntaxError } from '../syntax-error.ts';
import { type DateFormat, isoDate } from './dates.ts';
import { createTextReader, type SharedStrings, unescapeText } from './shared-strings.ts';
import { isTrue, type XmlAttributes } from './xml.ts';

export interface SheetCell {
  readonly text: string;
  /** Whether it is a number, and not a date or digits in a text. */
  readonly isNumber: boolean;
}

export const EMPTY_CELL: SheetCell = { text: '', isNumber: false };
/** A formula that no program has computed. */
export const NOT_COMPUTED: SheetCell = { text: '#N/A (formula without a value)', isNumber: false };

export interface CellMeanings {
  readonly strings: SharedStrings;
  /** By the number of a cell's style. */
  readonly dateStyles: readonly (DateFormat | undefined)[];
  readonly is1904: boolean;
}

/** The attributes of a cell beside its value. */
const NOT_VALUE = ['f', 'extLst'];

/** Takes the parts of one cell after the other. @param unclear an error about that cell */
export function createCellReader(meanings: CellMeanings, unclear: (problem: string) => ListSyntaxError) {
  const inline = createTextReader();
  let attributes: XmlAttributes = {};
  let value: string | undefined;
  let isValue = false;
  let isFormula = false;
  /** The name of the element of NOT_VALUE that is open. */
  let skipped: string | undefined;
  return {
    begin(given: XmlAttributes) {
      attributes = given;
      value = undefined;
      isValue = false;
      isFormula = false;
      skipped = undefined;
      inline.begin();
    },
    open(name: string) {
      if (skipped !== undefined) return;
      if (name === 'f') isFormula = true;
      if (NOT_VALUE.includes(name)) skipped = name;
      isValue = name === 'v';
      if (isValue) value ??= '';
      inline.open(name);
    },
    text(part: string) {
      if (skipped !== undefined) return;
      if (!isValue) return inline.text(part);
      checkLength((value ?? '').length + part.length);
      value += part;
    },
    close(name: string) {
      if (skipped === name) skipped = undefined;
      isValue = false;
      inline.close(name);
    },
    take(): SheetCell {
      const text = inline.take();
      if (text === undefined) throw unclear('has text in an unknown place');
      if (text !== '' && value?.trim() && value !== text) throw unclear('has two texts');
      if (text !== '') return textCell(text);
      if (value === undefined || (value === '' && attributes.t !== 'str')) return isFormula ? NOT_COMPUTED : EMPTY_CELL;
      const { t = 'n', s = '0' } = attributes;
      // Its number may be a date.
      if (t === 'n' && s !== '0' && !(Number(s) in meanings.dateStyles)) throw unclear('has a style that is not there');
      const cell = cellOf(value, attributes, meanings);
      if (!cell) throw unclear(`has the type ${t} and a value that is none`);
      return cell;
    },
  };
}

const textCell = (text: string): SheetCell => ({ text, isNumber: false });

/** The meaning of a value in a cell of type `t` and style `s`; undefined for another type. */
function cellOf(value: string, { t = 'n', s = '0' }: XmlAttributes, meanings: CellMeanings): SheetCell | undefined {
  if (t === 'str' || t === 'inlineStr') return textCell(unescapeText(value));
  const text = value.trim();
  if (text === '') return EMPTY_CELL;
  switch (t) {
    case 'n':
      return numberCell(text, meanings.dateStyles[Number(s)], meanings);
    case 'b':
      return /^(?:[01]|true|false)$/.test(text) ? textCell(isTrue(text) ? 'TRUE' : 'FALSE') : undefined;
    case 's': {
      const found = /^\d+$/.test(text) ? meanings.strings.get(Number(text)) : undefined;
      return found === undefined ? undefined : textCell(found);
    }
    // A date in ISO 8601; an error, `#N/A`.
    case 'd':
    case 'e':
      return textCell(text);
    default:
      return undefined;
  }
}

function numberCell(text: string, format: DateFormat | undefined, { is1904 }: CellMeanings): SheetCell {
  const date = format && isoDate(Number(text), format, is1904);
  if (date !== undefined) return textCell(date);
  const spelling = wholeNumber(shortest(text));
  return { text: spelling, isNumber: JSON_NUMBER.test(spelling) };
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const DIGITS_OF_EXCEL = 17;

/**
 * Excel writes a number with the 17 digits that tell doubles apart: 10.12 as 10.119999999999999.
 * Such a number is spelled as it was typed; the digits of any other are left as they are, however
 * many.
 */
function shortest(text: string): string {
  if (text.length < DIGITS_OF_EXCEL) return text;
  const digits = significant(text);
  if (digits.length !== DIGITS_OF_EXCEL) return text;
  const value = Number(text);
  return significant(value.toExponential(DIGITS_OF_EXCEL - 1)) === digits ? String(value) : text;
}

const significant = (text: string) => text.replace(/e.*$/i, '').replace(/[^\d]/g, '').replace(/^0+/, '');

/**
 * A whole number without point and exponent, since Google Sheets stores 7 as 7.0 and 12345678 as
 * 1.2345678E7; any other text as it is. An exponent stays if it stands for more digits than a cell
 * holds.
 */
function wholeNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(text) ?? [];
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const isWhole = point > 0 && /^0*$/.test(digits.slice(point));
  if (whole === '' || !isWhole || point > Math.max(digits.length, DIGITS_OF_EXCEL)) return text;
  const spelling = digits.slice(0, point).padEnd(point, '0');
  return /[.e]/i.test(text) ? sign + spelling.replace(/^0+(?=\d)/, '') : text;
}

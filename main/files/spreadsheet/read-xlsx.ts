import { open, stat } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import { isDateFormat, serialToDate } from 'hucre';
import { SaxesParser } from 'saxes';
import { type FileRefusal, fileRefusal } from '../../../shared/media/file-refusal.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { columnOf } from '../../../shared/spreadsheet/columns.ts';
import type { CellFault, TakeRow } from '../../../shared/spreadsheet/sheet-row.ts';
import { encodingOf } from '../probe/detect-file-type.ts';
import { belowTitle, isBlankRow, rowProblem } from './csv.ts';
import { damagedWorkbook, openParts, type Parts } from './zip-limits.ts';

const XLSX_MAX_BYTES = 100 * 1024 * 1024;
const XLSX_MAX_ROWS = 200_000;

/** A sheet of a workbook, with the other sheets. */
export interface SheetChoice {
  readonly name: string;
  readonly others: readonly OtherSheet[];
}

interface OtherSheet {
  readonly name: string;
  /** Hidden by the author of the workbook, in either way. */
  readonly hidden: boolean;
  /** Non-blank rows, including the header. */
  readonly rows: number;
}

/**
 * Selects the sheet that `readXlsx` reads: the named one, else the first visible one whose header has a `Type`, else
 * the first visible one with content, else likewise among the hidden ones.
 */
export const chooseSheet = (path: string, named: string | null): Promise<Result<SheetChoice, FileRefusal>> =>
  withWorkbook(path, async (book) => {
    const chosen = await chosenIn(book, named);
    if (!chosen.ok) return chosen;
    const others: OtherSheet[] = [];
    for (const sheet of book.sheets) {
      if (sheet === chosen.value) continue;
      let rows = 0;
      const refusal = await eachRow(book, sheet.part, (_line, cells) => {
        if (!isBlankRow(cells)) rows++;
        return null;
      });
      if (refusal !== null) return err(refusal);
      others.push({ name: sheet.name, hidden: sheet.hidden, rows });
    }
    return ok({ name: chosen.value.name, others });
  });

/**
 * Reads one sheet of an XLSX file as rows of text. A formula is read as its saved value; one without is passed on as
 * written, with a remark on its row, and so is an error value. Dates become `yyyy-MM-dd`, with a time that the cell
 * shows. A number that a spreadsheet program can't store exactly becomes 1.2E+17, which is refused as an ID, so that no
 * damaged number is used as an ID.
 *
 * @param named the sheet; null for the one selected by `chooseSheet`
 * @returns the number of non-blank rows, without the header
 */
export const readXlsx = (
  path: string,
  take: TakeRow,
  named: string | null = null,
): Promise<Result<{ readonly rows: number }, FileRefusal>> =>
  withWorkbook(path, async (book) => {
    const chosen = await chosenIn(book, named);
    if (!chosen.ok) return chosen;
    const { name, part } = chosen.value;
    let rows = 0;
    const table = belowTitle(take);
    const refusal = await eachRow(book, part, (line, cells, faults) => {
      const problem = rowProblem(cells, line, XLSX_MAX_ROWS);
      if (problem !== null) return problem;
      // Sheets are sparse: missing rows are counted, so that lines are those the user sees.
      for (; rows < line - 1; rows++) table.take([]);
      rows++;
      table.take(cells, faults);
      return null;
    });
    const filled = table.end();
    if (refusal !== null) return err(refusal);
    return rows === 0 ? err(fileRefusal('empty-sheet', { sheet: name })) : ok({ rows: filled });
  });

interface SheetPart {
  readonly name: string;
  readonly hidden: boolean;
  readonly part: string;
}

interface Workbook {
  readonly parts: Parts;
  /** The worksheets, in the order of their tabs. */
  readonly sheets: readonly SheetPart[];
  /** Texts that cells share. */
  readonly texts: readonly string[];
  /** For each cell style, what it shows of a date; null for a number. */
  readonly dates: readonly DateStyle[];
  readonly from1904: boolean;
  /** Set by programs that write formulas without calculating them: their saved values are no results. */
  readonly isUncalculated: boolean;
}

async function withWorkbook<T>(
  path: string,
  use: (book: Workbook) => Promise<Result<T, FileRefusal>>,
): Promise<Result<T, FileRefusal>> {
  const { size } = await stat(path);
  if (size > XLSX_MAX_BYTES) return err(fileRefusal('too-large', { bytes: size, limit: XLSX_MAX_BYTES }));
  const parts = await openParts(path);
  if (!parts.ok) return parts;
  try {
    const book = await openWorkbook(parts.value);
    return book.ok ? await use(book.value) : book;
  } finally {
    parts.value.close();
  }
}

async function chosenIn(book: Workbook, named: string | null): Promise<Result<SheetPart, FileRefusal>> {
  const { sheets } = book;
  if (named !== null) {
    const key = (name: string): string => name.normalize('NFC').trim().toLowerCase();
    const found = sheets.find(({ name }) => name === named) ?? sheets.find(({ name }) => key(name) === key(named));
    const names = sheets.map(({ name }) => `"${name}"`).join(', ');
    return found === undefined ? err(fileRefusal('unknown-sheet', { sheet: named, sheets: names })) : ok(found);
  }
  const filled: { readonly sheet: SheetPart; readonly hasType: boolean }[] = [];
  for (const sheet of sheets.toSorted((a, b) => Number(a.hidden) - Number(b.hidden))) {
    let head: readonly string[] | null = null;
    const refusal = await eachRow(book, sheet.part, (_line, cells) => {
      if (isBlankRow(cells)) return null;
      head = cells;
      return 'enough';
    });
    if (refusal !== null) return err(refusal);
    if (head !== null) filled.push({ sheet, hasType: hasType(head) });
  }
  const best = (hidden: boolean) => {
    const those = filled.filter(({ sheet }) => sheet.hidden === hidden);
    return those.find((each) => each.hasType) ?? those[0];
  };
  const found = best(false) ?? best(true);
  return found === undefined ? err(fileRefusal('empty-workbook')) : ok(found.sheet);
}

const hasType = (cells: readonly string[]): boolean => cells.some((cell) => columnOf(cell.trim()) === 'Type');

/** Type of a compound file of older programs, by the names of its streams ([MS-CFB], 2.6); null if unknown. */
export async function oldDocument(path: string): Promise<string | null> {
  const handle = await open(path, 'r');
  try {
    const { buffer: head } = await handle.read(Buffer.alloc(512), 0, 512, 0);
    const sectorBytes = 2 ** Math.min(head.readUInt16LE(30), 12);
    const directoryAt = (head.readUInt32LE(48) + 1) * sectorBytes;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, directoryAt);
    const names = buffer.toString('utf16le', 0, bytesRead);
    return OLD_DOCUMENTS.find(([stream]) => names.includes(stream))?.[1] ?? null;
  } finally {
    await handle.close();
  }
}

const OLD_DOCUMENTS = [
  ['EncryptedPackage', 'a workbook that asks for a password'],
  ['Workbook', 'a workbook of the old form (XLS)'],
  ['Book', 'a workbook of the old form (XLS)'],
  ['WordDocument', 'an old text document (DOC)'],
] as const;

/* ---- Parts of a workbook (ECMA-376, parts 1 and 2) ---- */

async function openWorkbook(parts: Parts): Promise<Result<Workbook, FileRefusal>> {
  const other = await otherThanWorkbook(parts);
  if (other !== null) return err(fileRefusal('not-a-sheet', { found: other }));
  const roots = await relationsOf(parts, '');
  if (!roots.ok) return roots;
  const workbook = roots.value.find(({ type }) => type === 'officeDocument')?.target;
  if (workbook === undefined || !parts.has(workbook)) return err(damagedWorkbook('its list of sheets is missing'));
  const relations = await relationsOf(parts, workbook);
  if (!relations.ok) return relations;
  const index = await readIndex(parts, workbook, relations.value);
  if (!index.ok) return index;
  const partOf = (type: string): string | null => {
    const target = relations.value.find((relation) => relation.type === type)?.target;
    return target !== undefined && parts.has(target) ? target : null;
  };
  const texts = await readTexts(parts, partOf('sharedStrings'));
  if (!texts.ok) return texts;
  const dates = await readDateStyles(parts, partOf('styles'));
  if (!dates.ok) return dates;
  return ok({ parts, ...index.value, texts: texts.value, dates: dates.value });
}

/** Type of an archive that is no XLSX workbook, in a few words. */
async function otherThanWorkbook(parts: Parts): Promise<string | null> {
  if (parts.has('xl/workbook.bin')) return 'a binary workbook (XLSB)';
  if (parts.has('word/document.xml')) return 'a text document (DOCX)';
  if (parts.has('ppt/presentation.xml')) return 'a presentation (PPTX)';
  if (parts.has('Index/Document.iwa')) return 'a document of Numbers, Pages or Keynote';
  if (parts.has('mimetype') && !parts.has('[Content_Types].xml')) {
    let kind = '';
    const refusal = await parts.read('mimetype', (piece) => {
      kind += piece.toString('latin1');
      return kind.length > 200 ? 'enough' : null;
    });
    if (refusal === null && kind.includes('opendocument.spreadsheet')) return 'an OpenDocument spreadsheet (ODS)';
    if (refusal === null && kind.includes('opendocument')) return 'an OpenDocument file';
  }
  const isPackage = parts.has('[Content_Types].xml') || parts.has('_rels/.rels') || parts.has('xl/workbook.xml');
  return isPackage ? null : 'a ZIP archive without a workbook in it';
}

interface Relation {
  readonly id: string;
  /** The last part of its URI, which is the same in both editions of the standard. */
  readonly type: string;
  readonly target: string;
}

/** The parts that a part refers to; '' is the whole package. */
async function relationsOf(parts: Parts, part: string): Promise<Result<readonly Relation[], FileRefusal>> {
  const cut = part.lastIndexOf('/') + 1;
  const folder = part.slice(0, cut);
  const found: Relation[] = [];
  const refusal = await readXml(parts, `${folder}_rels/${part.slice(cut)}.rels`, {
    open: (name, attributes) => {
      if (name !== 'Relationship' || attributes['TargetMode'] === 'External') return;
      const { Id: id = '', Type: type = '', Target: target = '' } = attributes;
      found.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: resolved(folder, target) });
    },
  });
  return refusal === null ? ok(found) : err(refusal);
}

function resolved(folder: string, target: string): string {
  const steps: string[] = [];
  for (const step of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}

async function readIndex(
  parts: Parts,
  workbook: string,
  relations: readonly Relation[],
): Promise<Result<Pick<Workbook, 'sheets' | 'from1904' | 'isUncalculated'>, FileRefusal>> {
  const sheets: SheetPart[] = [];
  let problem: FileRefusal | null = null;
  let charts = 0;
  let from1904 = false;
  let isUncalculated = false;
  const refusal = await readXml(parts, workbook, {
    open: (name, attributes) => {
      if (name === 'workbookPr') from1904 = isTrue(attributes['date1904']);
      if (name === 'calcPr') isUncalculated = isTrue(attributes['fullCalcOnLoad']);
      if (name !== 'sheet') return;
      const title = attributes['name'] ?? '';
      const [, id = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? [];
      const relation = relations.find((each) => each.id === id);
      if (relation === undefined || !parts.has(relation.target)) {
        problem ??= damagedWorkbook(`the part of its sheet "${title}" is missing`);
      } else if (relation.type === 'worksheet') {
        sheets.push({ name: title, hidden: (attributes['state'] ?? 'visible') !== 'visible', part: relation.target });
      } else charts++;
    },
  });
  if (refusal !== null) return err(refusal);
  if (problem !== null) return err(problem);
  if (sheets.length > 0) return ok({ sheets, from1904, isUncalculated });
  return err(fileRefusal('no-sheets', { what: charts === 0 ? 'no sheets' : 'charts and no cells' }));
}

const isTrue = (word: string | undefined): boolean => word === '1' || word === 'true';

async function readTexts(parts: Parts, part: string | null): Promise<Result<readonly string[], FileRefusal>> {
  const texts: string[] = [];
  if (part === null) return ok(texts);
  let text = '';
  let isText = false;
  let isSpoken = false;
  const refusal = await readXml(parts, part, {
    open: (name) => {
      if (name === 'si') text = '';
      // Phonetic text is stored beside the text and skipped.
      else if (name === 'rPh') isSpoken = true;
      else if (name === 't') isText = !isSpoken;
    },
    text: (piece) => {
      if (isText) text += piece;
    },
    close: (name) => {
      if (name === 'si') texts.push(unescaped(text));
      else if (name === 'rPh') isSpoken = false;
      else if (name === 't') isText = false;
    },
  });
  return refusal === null ? ok(texts) : err(refusal);
}

/** Characters that are invalid in XML are written as `_x000D_`. */
const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/gu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

type DateStyle = 'day' | 'time' | null;

/** The built-in format of a day with its time. */
const DAY_AND_TIME = '22';
/** Text and colors in a format, in which letters mean nothing. */
const LITERAL = /"[^"]*"|\\.|\[[^\]]*\]/gu;

async function readDateStyles(parts: Parts, part: string | null): Promise<Result<readonly DateStyle[], FileRefusal>> {
  const dates: DateStyle[] = [];
  if (part === null) return ok(dates);
  const formats = new Map<string, string>();
  let isOfCells = false;
  const refusal = await readXml(parts, part, {
    open: (name, { numFmtId: id = '', formatCode: code = '' }) => {
      if (name === 'numFmt') formats.set(id, code);
      else if (name === 'cellXfs') isOfCells = true;
      // Built-in formats are identified by their number.
      else if (name === 'xf' && isOfCells) {
        const format = formats.get(id) ?? id;
        const hasTime = format === DAY_AND_TIME || /h/iu.test(format.replaceAll(LITERAL, ''));
        dates.push(!isDateFormat(format) ? null : hasTime ? 'time' : 'day');
      }
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return refusal === null ? ok(dates) : err(refusal);
}

/* ---- The cells of a sheet ---- */

type TakeLine = (line: number, cells: readonly string[], faults: readonly CellFault[]) => FileRefusal | 'enough' | null;

const MAX_COLUMN = 16_384;
const REFERENCE = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/u;

/** The rows of a sheet that it has, in order; those between them are blank. */
async function eachRow(book: Workbook, part: string, take: TakeLine): Promise<FileRefusal | null> {
  const row = new RowInHand(book, part);
  return readXml(book.parts, part, {
    open: (name, attributes) => {
      if (name === 'v' || name === 'f' || name === 't' || name === 'rPh') row.openText(name, attributes);
      else if (name === 'c') return row.openCell(attributes);
      else if (name === 'row') return row.open(attributes['r']);
      return null;
    },
    text: (piece) => row.text(piece),
    close: (name) => {
      if (name === 'v' || name === 'f' || name === 't' || name === 'rPh') row.closeText(name);
      else if (name === 'c') return row.closeCell();
      else if (name === 'row') return take(row.line, row.filled(), row.faults);
      return null;
    },
  });
}

interface CellRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The current row and cell; one object for all of them, since there are many. */
class RowInHand {
  readonly #book: Workbook;
  readonly #part: string;
  line = 0;
  faults: CellFault[] = [];
  #isIn = false;
  #cells: (string | undefined)[] = [];
  /** Ranges filled by one formula, as far as not passed yet. */
  #arrays: readonly CellRange[] = [];
  #column = 0;
  #attributes: Readonly<Record<string, string>> = {};
  #into: 'v' | 'f' | 't' | null = null;
  #isSpoken = false;
  #value: string | null = null;
  #formula: string | null = null;
  #inline = '';

  constructor(book: Workbook, part: string) {
    this.#book = book;
    this.#part = part;
  }

  open(number: string | undefined): FileRefusal | null {
    const line = number === undefined ? this.line + 1 : Number(number);
    if (!Number.isInteger(line) || line <= this.line) return this.#damaged(`row ${number ?? ''} is out of order`);
    this.line = line;
    this.#isIn = true;
    if (this.#arrays.length > 0) this.#arrays = this.#arrays.filter(({ bottom }) => bottom >= line);
    this.#cells = [];
    this.faults = [];
    this.#column = 0;
    return null;
  }

  openCell(attributes: Readonly<Record<string, string>>): FileRefusal | null {
    if (!this.#isIn) return this.#damaged('a cell stands outside of every row');
    const reference = attributes['r'];
    if (reference !== undefined) {
      const place = placeOf(reference);
      if (place === null || place.line !== this.line) return this.#damaged(`row ${this.line} has a cell ${reference}`);
      this.#column = place.column;
    } else this.#column++;
    if (this.#column > MAX_COLUMN) return this.#damaged(`row ${this.line} has more cells than a sheet`);
    if (this.#cells[this.#column - 1] !== undefined) return this.#damaged(`it has the cell ${this.#name()} twice`);
    this.#attributes = attributes;
    this.#value = null;
    this.#formula = null;
    this.#inline = '';
    return null;
  }

  openText(name: 'v' | 'f' | 't' | 'rPh', { t: type, ref }: Readonly<Record<string, string>>): void {
    if (name === 'rPh') {
      this.#isSpoken = true;
      return;
    }
    this.#into = name;
    if (name === 'v') this.#value = '';
    if (name !== 'f') return;
    this.#formula = '';
    const [from, to = from] = (type === 'array' || type === 'dataTable' ? (ref ?? '') : '').split(':').map(placeOf);
    if (from == null || to == null) return;
    const range = { top: from.line, bottom: to.line, left: from.column, right: to.column };
    if (range.bottom > range.top || range.right > range.left) this.#arrays = [...this.#arrays, range];
  }

  text(piece: string): void {
    if (this.#into === 'v') this.#value += piece;
    else if (this.#into === 'f') this.#formula += piece;
    else if (this.#into === 't' && !this.#isSpoken) this.#inline += piece;
  }

  closeText(name: 'v' | 'f' | 't' | 'rPh'): void {
    if (name === 'rPh') this.#isSpoken = false;
    else this.#into = null;
  }

  closeCell(): FileRefusal | null {
    const { t: type = 'n' } = this.#attributes;
    const isFormula = this.#formula !== null || this.#isFilledByArray(this.#column);
    // A formula with an empty result was saved with it: the value exists, and has no characters.
    const isSaved = type === 'str' ? this.#value !== null : this.#value !== null && this.#value !== '';
    if (isFormula && (!isSaved || this.#book.isUncalculated)) {
      this.#refuse({ kind: 'formula-without-value', cell: this.#name() }, `=${this.#formula ?? ''}`);
      return null;
    }
    if (type === 'e') {
      const text = this.#value ?? '';
      this.#refuse({ kind: 'error-value', cell: this.#name(), text }, text);
      return null;
    }
    const text = type === 's' ? this.#shared() : this.#own(type);
    if (text === null) return this.#damaged(`the text of its cell ${this.#name()} is missing`);
    this.#cells[this.#column - 1] = text;
    return null;
  }

  /** The cells up to the last one; those that are not there are blank. */
  filled(): readonly string[] {
    this.#isIn = false;
    const cells = Array.from(this.#cells, (cell) => cell ?? '');
    if (isBlankRow(cells)) return cells;
    // Cells filled by an array formula may be missing, if its program does not save the values.
    for (const { top, bottom, left, right } of this.#arrays) {
      if (this.line < top || this.line > bottom) continue;
      for (let column = left; column <= Math.min(right, cells.length); column++) {
        if (this.#cells[column - 1] !== undefined) continue;
        this.#column = column;
        this.#refuse({ kind: 'formula-without-value', cell: this.#name() }, '=');
        cells[column - 1] = '=';
      }
    }
    return cells;
  }

  #isFilledByArray(column: number): boolean {
    return this.#arrays.some(
      ({ top, bottom, left, right }) => this.line >= top && this.line <= bottom && column >= left && column <= right,
    );
  }

  #refuse(problem: CellFault['problem'], text: string): void {
    this.#cells[this.#column - 1] = text;
    this.faults.push({ at: this.#column - 1, problem });
  }

  /** Null for a text that the workbook does not have. */
  #shared(): string | null {
    if (this.#value === null || this.#value === '') return '';
    return this.#book.texts[Number(this.#value)] ?? null;
  }

  #own(type: string): string {
    if (type === 'inlineStr') return unescaped(this.#inline);
    const value = this.#value ?? '';
    if (type === 'str') return unescaped(value);
    if (type === 'b') return value === '' ? '' : isTrue(value.toLowerCase()) ? 'TRUE' : 'FALSE';
    const number = Number(value);
    if (value.trim() === '' || Number.isNaN(number)) return value;
    const shows = this.#book.dates[Number(this.#attributes['s'] ?? '-1')] ?? null;
    return shows === null ? numberText(number) : dateText(number, this.#book.from1904, shows);
  }

  #name(): string {
    return `${lettersOf(this.#column)}${this.line}`;
  }

  #damaged(what: string): FileRefusal {
    return damagedWorkbook(`${this.#part}: ${what}`);
  }
}

function placeOf(reference: string): { readonly column: number; readonly line: number } | null {
  const [, letters, line] = REFERENCE.exec(reference.toUpperCase()) ?? [];
  if (letters === undefined) return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return { column, line: Number(line) };
}

function lettersOf(column: number): string {
  let letters = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

function dateText(serial: number, from1904: boolean, shows: 'day' | 'time'): string {
  const date = serialToDate(serial, from1904);
  if (Number.isNaN(date.getTime())) return String(serial);
  const [day = '', time = ''] = date.toISOString().slice(0, 19).split('T');
  return shows === 'day' || time === '00:00:00' ? day : `${day} ${time}`;
}

/** Spreadsheet programs work with 15 digits, and show 3.45 for the 3.4499999999999997 that they store. */
const EXACT_DIGITS = 15;

function numberText(number: number): string {
  // Beyond 15 digits a spreadsheet program has replaced the rest by zeros.
  if (Math.abs(number) >= 1e15) return number.toExponential().replace('e', 'E');
  return String(Number(number.toPrecision(EXACT_DIGITS)));
}

/* ---- XML ---- */

const TEXT_MAX_CHARACTERS = 8 * 1024 * 1024;

interface XmlEvents {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => FileRefusal | null | undefined;
  readonly text?: (piece: string) => void;
  readonly close?: (name: string) => FileRefusal | 'enough' | null | undefined;
}

/**
 * Parses a part as strict XML: an error means damage, since content after it may be lost. A document type is refused,
 * because it could refer to other files or expand without limit.
 */
async function readXml(parts: Parts, part: string, events: XmlEvents): Promise<FileRefusal | null> {
  const parser = new SaxesParser();
  let stop: FileRefusal | 'enough' | null = null;
  const local = (name: string): string => name.slice(name.indexOf(':') + 1);
  parser.on('error', ({ message }) => {
    stop ??= damagedWorkbook(`its part ${part} is broken XML at ${message}`);
  });
  parser.on('doctype', () => {
    stop ??= fileRefusal('not-a-sheet', { found: 'a workbook that defines entities' });
  });
  parser.on('opentag', ({ name, attributes }) => {
    sinceTag = 0;
    stop ??= events.open(local(name), attributes) ?? null;
  });
  const { text, close } = events;
  if (text !== undefined) {
    parser.on('text', text);
    parser.on('cdata', text);
  }
  if (close !== undefined) {
    parser.on('closetag', ({ name }) => {
      stop ??= close(local(name)) ?? null;
    });
  }
  // The parser buffers all text between two tags.
  let sinceTag = 0;
  let decoder: TextDecoder | null = null;
  const accept = (piece: string): FileRefusal | 'enough' | null => {
    sinceTag += piece.length;
    if (sinceTag > TEXT_MAX_CHARACTERS) {
      return fileRefusal('workbook-too-large', { what: 'one text of more than 8 MB' });
    }
    if (piece !== '') parser.write(piece);
    return stop;
  };
  const refusal = await parts.read(part, (bytes) => {
    decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
    try {
      return accept(decoder.decode(bytes, { stream: true }));
    } catch (error) {
      if (error instanceof TypeError) return damagedWorkbook(`its part ${part} is not readable text`);
      throw error;
    }
  });
  if (refusal !== null || stop !== null) return refusal;
  parser.close();
  return stop === 'enough' ? null : stop;
}

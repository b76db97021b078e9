import { posix } from 'node:path';
import { TextDecoder } from 'node:util';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

/**
 * How many rows of a sheet hold something in any cell, the first of them, the header, left aside. The reader in
 * `read-xlsx.ts` is held against it: it looks for rows in the XML itself and shares no code with the reader, so that a row
 * which gets lost there is missed here. A formula whose value was not saved is something; a text without any characters is nothing.
 *
 * @param path the workbook, which has been read without a failure
 * @param part the sheet in it, such as `xl/worksheets/sheet1.xml`
 */
export async function countXlsxRows(path: string, part: string): Promise<number> {
  const zip = await openPromise(path, { autoClose: false, validateEntrySizes: false });
  try {
    const archive: Archive = { zip, entries: await entriesOf(zip) };
    const workbook = await targetOf(archive, '', 'officeDocument');
    const rows = new Rows(
      await filledTexts(archive, await targetOf(archive, workbook, 'sharedStrings')),
      await isUncalculated(archive, workbook),
    );
    await scan(archive, part, rows);
    return Math.max(0, rows.count - 1);
  } finally {
    zip.close();
  }
}

/* ---- Which rows hold something ---- */

interface Area {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

class Rows implements Sink {
  count = 0;
  readonly #filledTexts: readonly boolean[];
  readonly #isUncalculated: boolean;
  /** What one formula fills, from the row on that is being looked at. */
  #areas: readonly Area[] = [];
  #row = 0;
  #column = 0;
  #isFilled = false;
  #type = 'n';
  #hasFormula = false;
  #value: string | null = null;
  #inline = '';
  #into = '';
  #isReading = false;

  /** @param isUncalculated what stands beside formulas was never worked out */
  constructor(filledTexts: readonly boolean[], isUncalculated: boolean) {
    this.#filledTexts = filledTexts;
    this.#isUncalculated = isUncalculated;
  }

  open(name: string, tag: string): void {
    if (name === 'row') {
      const number = attributeOf(tag, 'r');
      this.#row = number === null ? this.#row + 1 : Number(number);
      this.#column = 0;
      this.#isFilled = false;
      if (this.#areas.length > 0) this.#areas = this.#areas.filter(({ bottom }) => bottom >= this.#row);
    } else if (name === 'c') {
      const letters = /^\$?([A-Z]+)/i.exec(attributeOf(tag, 'r') ?? '')?.[1];
      this.#column = letters === undefined ? this.#column + 1 : columnNumber(letters);
      this.#type = attributeOf(tag, 't') ?? 'n';
      [this.#hasFormula, this.#value, this.#inline] = [false, null, ''];
    } else if (name === 'rPh') {
      this.#isReading = true;
    } else if (name === 'v' || name === 't' || name === 'f') {
      this.#into = name;
      if (name === 'v') this.#value = '';
      if (name === 'f') this.#openFormula(tag);
    }
  }

  text(text: string): void {
    if (this.#into === 'v') this.#value += text;
    else if (this.#into === 't' && !this.#isReading) this.#inline += text;
  }

  close(name: string): void {
    if (name === 'row' && this.#isFilled) this.count++;
    else if (name === 'c') this.#isFilled ||= this.#isCellFilled();
    else if (name === 'rPh') this.#isReading = false;
    else if (name === this.#into) this.#into = '';
  }

  #openFormula(tag: string): void {
    this.#hasFormula = true;
    if (!['array', 'dataTable'].includes(attributeOf(tag, 't') ?? '')) return;
    const [, left, top, right = left, bottom = top] = AREA.exec(attributeOf(tag, 'ref') ?? '') ?? [];
    if (left === undefined || right === undefined) return;
    const columns = { left: columnNumber(left), right: columnNumber(right) };
    this.#areas = [...this.#areas, { ...columns, top: Number(top), bottom: Number(bottom) }];
  }

  #isCellFilled(): boolean {
    const value = this.#value ?? '';
    const isSaved = this.#type === 'str' ? this.#value !== null : value !== '';
    if ((!isSaved || this.#isUncalculated) && (this.#hasFormula || this.#isInArea())) return true;
    switch (this.#type) {
      case 's':
        return value !== '' && this.#filledTexts[Number(value)] === true;
      case 'inlineStr':
        return holdsText(this.#inline);
      case 'str':
        return holdsText(value);
      case 'b':
        return value !== '';
      default:
        return /\S/.test(value);
    }
  }

  #isInArea(): boolean {
    const [row, column] = [this.#row, this.#column];
    return this.#areas.some(
      ({ top, bottom, left, right }) => top <= row && row <= bottom && left <= column && column <= right,
    );
  }
}

const AREA = /^\$?([A-Z]+)\$?(\d+)(?::\$?([A-Z]+)\$?(\d+))?$/i;

const columnNumber = (letters: string): number =>
  [...letters.toUpperCase()].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);

/** Characters that XML cannot hold are written as `_x000D_`; some of them are blanks. */
const holdsText = (text: string): boolean =>
  /\S/.test(text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))));

/** For each text that cells share, whether it holds anything; how it is pronounced is nothing. */
async function filledTexts(archive: Archive, part: string): Promise<readonly boolean[]> {
  const filled: boolean[] = [];
  let text = '';
  let [isText, isReading] = [false, false];
  await scan(archive, part, {
    open: (name) => {
      if (name === 'si') text = '';
      if (name === 'rPh') isReading = true;
      if (name === 't') isText = true;
    },
    text: (piece) => {
      if (isText && !isReading) text += piece;
    },
    close: (name) => {
      if (name === 'si') filled.push(holdsText(text));
      if (name === 'rPh') isReading = false;
      if (name === 't') isText = false;
    },
  });
  return filled;
}

async function isUncalculated(archive: Archive, workbook: string): Promise<boolean> {
  let is = false;
  await scan(archive, workbook, {
    open: (name, tag) => {
      if (name === 'calcPr') is = ['1', 'true'].includes(attributeOf(tag, 'fullCalcOnLoad') ?? '');
    },
  });
  return is;
}

/* ---- Parts and their XML ---- */

interface Archive {
  readonly zip: ZipFile;
  readonly entries: ReadonlyMap<string, Entry>;
}

async function entriesOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry);
  return entries;
}

/** The part that a part names by the last word of a type; '' when it names none. */
async function targetOf(archive: Archive, part: string, type: string): Promise<string> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  let found = '';
  await scan(archive, `${folder}_rels/${part.slice(folder.length)}.rels`, {
    open: (name, tag) => {
      if (name !== 'Relationship' || found !== '' || attributeOf(tag, 'TargetMode') === 'External') return;
      if (!`/${attributeOf(tag, 'Type') ?? ''}`.endsWith(`/${type}`)) return;
      found = posix.resolve('/', folder, attributeOf(tag, 'Target') ?? '').slice(1);
    },
  });
  return found;
}

/** Hears of what stands in XML, in order; names come without their prefix. */
interface Sink {
  /** @param tag what stands between the name and the end of the tag */
  open(name: string, tag: string): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Comments and instructions, texts that stand as they are, tags, and texts as far as they are whole. */
const XML =
  /<!--.*?-->|<\?.*?\?>|<!\[CDATA\[(.*?)\]\]>|<(\/?)(?:[^\s/>:!?]+:)?([^\s/>:!?]+)([^>"']*(?:(?:"[^"]*"|'[^']*')[^>"']*)*)>|([^<]+)(?=<)/sy;

async function scan({ zip, entries }: Archive, part: string, sink: Sink): Promise<void> {
  const entry = entries.get(part.toLowerCase());
  if (entry === undefined) return;
  let rest = '';
  const take = (piece: string): void => {
    rest += piece;
    let at = 0;
    for (;;) {
      XML.lastIndex = at;
      const found = XML.exec(rest);
      if (found === null) break;
      const [whole, verbatim, slash, name, tag = '', text] = found;
      at += whole.length;
      if (text !== undefined) sink.text?.(decoded(text));
      else if (verbatim !== undefined) sink.text?.(verbatim);
      else if (name !== undefined && slash === '') {
        sink.open(name, tag);
        if (tag.endsWith('/')) sink.close?.(name);
      } else if (name !== undefined) sink.close?.(name);
    }
    rest = rest.slice(at);
  };
  let decoder: TextDecoder | null = null;
  const pieces: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
  for await (const bytes of pieces) {
    decoder ??= new TextDecoder(encodingOf(bytes));
    take(decoder.decode(bytes, { stream: true }));
  }
}

function encodingOf(start: Buffer): string {
  const mark = start.toString('hex', 0, 2);
  return mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
}

function attributeOf(tag: string, name: string): string | null {
  for (const [, key, twice, once] of tag.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    if (key === name) return decoded(twice ?? once ?? '');
  }
  return null;
}

const SIGNS: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

const decoded = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex?: string, decimal?: string, name?: string) =>
        name === undefined
          ? String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
          : (SIGNS[name] ?? all),
      )
    : text;

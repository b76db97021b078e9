import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { jsonOrNull } from '../../../shared/json-or-null.ts';
import { isCellOf } from '../../../shared/model/cell-text.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import { FIELD_OF, FILE_COLUMNS } from '../../../shared/spreadsheet/columns.ts';
import type { SheetRow } from '../../../shared/spreadsheet/sheet-row.ts';
import type { LineProblem } from '../spreadsheet/line-problem.ts';
import { ArchiveRow } from './archive-format.ts';

/**
 * Reads the rows of an archive in the shape a sheet gives; lines are those of `rows.jsonl`, the first being 1.
 *
 * @param tellShare hears how much of the file is read, from 0 to 1, once a line
 */
export async function readArchiveRows(
  path: string,
  take: (row: SheetRow) => void,
  tellShare: (read: number) => void,
): Promise<readonly LineProblem[]> {
  const problems: LineProblem[] = [];
  let line = 0;
  const { size } = await stat(path);
  const input = createReadStream(path, 'utf8');
  for await (const text of linesOf(input)) {
    line++;
    tellShare(input.bytesRead / size);
    if (text.trim() === '') continue;
    const row = ArchiveRow.safeParse(jsonOrNull(text));
    if (!row.success)
      problems.push({ line, column: '', message: 'This line of the archive is no row. Ask for the file anew.' });
    else {
      const wrong = wrongField(row.data);
      if (wrong === null) take(sheetRow(row.data, line));
      else problems.push({ line, column: wrong, message: 'This cell of the archive does not fit its field.' });
    }
  }
  return problems;
}

/** Only a line feed ends a line: JSON writes the other signs that end one, such as U+2028, into texts as they are. */
async function* linesOf(input: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of input) {
    if (!piece.includes('\n')) {
      rest += piece;
      continue;
    }
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Names of files in a base; they are compared and nothing else. */
const FILE_WORDS: readonly string[] = ['logo', 'video', 'caption', 'mediaName'];

/** The first cell or base that its field could not hold. */
function wrongField({ kind, cells, base }: ArchiveRow): string | null {
  const known = new Set<string>(Object.values(FIELD_OF[kind]));
  const files: readonly string[] = FILE_COLUMNS[kind] === undefined ? [] : FILE_WORDS;
  const said = Object.entries(base ?? {}).filter(([field]) => !files.includes(field));
  for (const [field, value] of [...Object.entries(cells), ...said]) {
    const spec = fieldSpec(kind, field);
    if (!known.has(field) || spec === undefined || !isCellOf(spec, value as Cell)) return field;
  }
  return null;
}

function sheetRow(
  { comments = [], labels = [], deleted, base, logo, video, caption, mediaName, ...row }: ArchiveRow,
  line: number,
): SheetRow {
  return {
    line,
    ...row,
    ...(base === undefined ? {} : { base }),
    ...(logo === undefined ? {} : { logo }),
    ...(video === undefined ? {} : { video }),
    ...(caption === undefined ? {} : { caption }),
    ...(mediaName === undefined ? {} : { mediaName }),
    ...(deleted === undefined ? {} : { deleted }),
    ...(comments.length + labels.length === 0 ? {} : { notes: { comments, labels } }),
  };
}

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { jsonOrNull } from '../../../shared/json-or-null.ts';
import { isCellOf } from '../../../shared/model/cell-text.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import { remoteId } from '../../../shared/model/scalars.ts';
import { FIELD_OF, FILE_COLUMNS, FILE_WORDS, TYPE_NAMES } from '../../../shared/spreadsheet/columns.ts';
import type { ParentRow, SheetRow } from '../../../shared/spreadsheet/sheet-row.ts';
import type { LineProblem } from '../spreadsheet/csv.ts';

/** The parts of an `.adslate` or `.adslate-changes` file; `docs/archive-format.md` is the public description. */
export const MANIFEST = 'adslate.json';
export const ROWS = 'rows.jsonl';
export const CHECKSUMS = 'checksums.json';
export const MEDIA_FOLDER = 'media/';
/** Version 2 adds labels and deletions. */
export const FORMAT_VERSION = 2;

/** Larger archives are refused by the reader, so none is written. In bytes, except for `parts`. */
export const ARCHIVE_LIMITS = {
  parts: 20_000,
  text: 4 * 2 ** 20,
  rows: 512 * 2 ** 20,
  file: 4 * 2 ** 30,
  total: 16 * 2 ** 30,
};

export const ArchiveSource = z.enum(['archive', 'changes']);
export type ArchiveSource = z.infer<typeof ArchiveSource>;

/** The first entry. A newer version may have unknown content, so it is refused. */
export const Manifest = z.object({
  format: z.enum(['adslate-archive', 'adslate-changes']),
  version: z.int(),
  /** When it was written, ISO 8601 in UTC. */
  writtenAt: z.string(),
  account: z.object({ name: z.string(), advertiserId: z.string() }),
  rows: z.int(),
  media: z.int(),
  /** Library files that no row uses: the hash of a part below `media/`, and the displayed name. */
  spare: z
    .array(z.object({ sha256: z.string().regex(/^[a-f0-9]{64}$/), fileName: z.string().max(400) }))
    .max(20_000)
    .optional(),
  /** The author's signature; `signature.ts` reads it from the text, before anything else is trusted. */
  signature: z.unknown().optional(),
});
export type Manifest = z.infer<typeof Manifest>;

const cell = z.union([z.string().max(50_000), z.int(), z.null()]);
const id = z
  .string()
  .nullable()
  .transform((text, context) => {
    const branded = text === null ? null : remoteId(text);
    if (text !== null && branded === null) context.addIssue({ code: 'custom', message: 'not a service ID' });
    return branded;
  });
const link = z.strictObject({ name: z.string().nullable(), remoteId: id });
const path = z.string().max(400).nullable().exactOptional();
const sheetKinds = KINDS.filter((kind): kind is keyof typeof TYPE_NAMES => kind in TYPE_NAMES);

/** One line of `rows.jsonl`. Parents come before the rows that name them. */
export const ArchiveRow = z.strictObject({
  kind: z.enum(sheetKinds as [keyof typeof TYPE_NAMES, ...(keyof typeof TYPE_NAMES)[]]),
  campaign: link,
  adGroup: link,
  rowId: id,
  cells: z.record(z.string().max(60), cell),
  /** The service's last values of fields that were edited since. */
  base: z.record(z.string().max(60), cell).exactOptional(),
  /** The row is to be deleted; only its identifying cells count. */
  deleted: z.literal(true).exactOptional(),
  /** Files as `<sha256>/<name>` within `media/`. */
  logo: path,
  video: path,
  caption: path,
  mediaName: path,
  comments: z
    .array(
      z.strictObject({
        field: z.string().max(60).nullable(),
        author: z.string().max(100),
        text: z.string().min(1).max(5000),
        at: z.int().min(0),
        resolved: z.boolean(),
      }),
    )
    .max(10_000)
    .optional(),
  labels: z
    .array(
      z.strictObject({
        name: z.string().trim().min(1).max(60),
        color: z.string().regex(/^#[0-9a-f]{6}$/),
      }),
    )
    .max(1000)
    .optional(),
});
export type ArchiveRow = z.infer<typeof ArchiveRow>;
/** What a line with an error says of itself. */
const NamedRow = ArchiveRow.pick({ kind: true, campaign: true, adGroup: true }).strip();

export interface BadRows {
  readonly problems: readonly LineProblem[];
  /** Campaigns and ad groups among them, as far as they can be read. */
  readonly badParents: readonly ParentRow[];
}

export const Checksums = z.record(z.string(), z.string().regex(/^[a-f0-9]{64}$/));

/** An entry that may be extracted from an archive: no subfolders, no "..", no odd names. */
export const MEDIA_ENTRY = /^media\/([a-f0-9]{64})$/;

/**
 * Reads the rows of an archive in the shape of spreadsheet rows; lines are those of `rows.jsonl`, from 1.
 *
 * @param tellShare called once per line with the progress through the file, from 0 to 1
 */
export async function readArchiveRows(
  path: string,
  take: (row: SheetRow) => void,
  tellShare: (read: number) => void,
): Promise<BadRows> {
  const problems: LineProblem[] = [];
  const badParents: ParentRow[] = [];
  let line = 0;
  const { size } = await stat(path);
  const input = createReadStream(path, 'utf8');
  for await (const text of linesOf(input)) {
    line++;
    tellShare(input.bytesRead / size);
    if (text.trim() === '') continue;
    const content = jsonOrNull(text);
    const row = ArchiveRow.safeParse(content);
    const column = row.success ? wrongField(row.data) : '';
    if (row.success && column === null) {
      take(sheetRow(row.data, line));
      continue;
    }
    problems.push({ line, column: column ?? '', message: column ? messages.cell : messages.line });
    const { data: named } = NamedRow.safeParse(content);
    if (named?.kind === 'campaign' || named?.kind === 'adGroup') badParents.push({ line, ...named });
  }
  return { problems, badParents };
}

const messages = {
  line: 'This line of the archive is damaged. Ask the sender for a new copy.',
  cell: 'This cell of the archive does not fit its field.',
} as const;

/** Only a line feed ends a line: JSON does not escape other line ends, such as U+2028. */
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

/** The first cell or base value that is not valid for its field. Names of files in a base are only compared. */
function wrongField({ kind, cells, base }: ArchiveRow): string | null {
  const known = new Set<string>(Object.values(FIELD_OF[kind]));
  const files: readonly string[] = FILE_COLUMNS[kind] === undefined ? [] : Object.keys(FILE_WORDS);
  const said = Object.entries(base ?? {}).filter(([field]) => !files.includes(field));
  for (const [field, value] of [...Object.entries(cells), ...said]) {
    const spec = fieldSpec(kind, field);
    if (!known.has(field) || spec === undefined || !isCellOf(spec, value as Cell)) return field;
  }
  return null;
}

function sheetRow({ comments = [], labels = [], ...row }: ArchiveRow, line: number): SheetRow {
  return { line, ...row, ...(comments.length + labels.length === 0 ? {} : { notes: { comments, labels } }) };
}

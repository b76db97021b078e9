import { z } from 'zod';
import { COLUMN_CHOICES } from '../spreadsheet/column-mapping.ts';
import { COLUMNS, IMPORT_COLUMNS, SHEET_KINDS } from '../spreadsheet/columns.ts';
import { FOREIGN_PROGRAMS, type ForeignProgram } from '../spreadsheet/foreign-sheet.ts';
import { TaskIdSchema } from './bulk.ts';
import { WINDOW_MAX } from './limits.ts';
import { type DeepReadonly, operation } from './operation.ts';
import { CellSchema, GrantSchema, KindSchema, RowIdSchema } from './scalars.ts';
import { ViewSpec } from './workspace.ts';

/** A file that main has written for the window to save; `url` is below the host's own origin. */
export const ExportedFile = z.strictObject({
  fileName: z.string(),
  url: z.string(),
  contentType: z.string(),
  bytes: z.int(),
  rows: z.int(),
  /** An archive or a file of changes that could not be signed, because the key is locked away. */
  isUnsigned: z.literal(true).optional(),
});
export type ExportedFile = z.infer<typeof ExportedFile>;

/** Captions of a video as they were edited, before they are used; times and texts may still be wrong. */
export const EditedCaptions = z.strictObject({
  captions: z
    .array(
      z.strictObject({ startMs: z.number(), endMs: z.number(), text: z.string(), settings: z.string().optional() }),
    )
    .max(50_000),
  format: z.enum(['srt', 'vtt']),
});
export type EditedCaptions = z.infer<typeof EditedCaptions>;

const FOREIGN = Object.keys(FOREIGN_PROGRAMS) as [ForeignProgram, ...ForeignProgram[]];
const params = z.record(z.string(), z.union([z.string(), z.number()]));

export const RefusedFile = z.strictObject({
  outcome: z.literal('refused'),
  fileName: z.string(),
  reason: z.string(),
  params,
});
export type RefusedFile = z.infer<typeof RefusedFile>;

/** What became of one file that was dropped or picked. */
export const AddedFile = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('added'),
    fileName: z.string(),
    mediaId: RowIdSchema,
    mediaType: z.enum(['video', 'caption', 'logo', 'poster']),
    /** True when the library had the same bytes already. */
    known: z.boolean(),
  }),
  RefusedFile,
]);
export type AddedFile = z.infer<typeof AddedFile>;

export const mediaContract = {
  /** Probes granted files and copies the good ones into the media library. One bad file never stops its neighbours. */
  add: operation({
    access: 'write',
    input: { grants: z.array(GrantSchema).min(1).max(200) },
    output: z.strictObject({ files: z.array(AddedFile), revision: z.int() }),
    errors: ['NO_GRANT'],
  }),
  /** An address below the host's own origin that serves the file's bytes to this window only, and the name it leaves under. */
  preview: operation({
    input: { mediaId: RowIdSchema },
    output: z.strictObject({ url: z.string(), contentType: z.string(), fileName: z.string() }),
    errors: ['NO_ROW'],
  }),
  /** Edits of captions that are not used yet outlive their window; null for none. */
  editedCaptions: operation({ input: { mediaId: RowIdSchema }, output: EditedCaptions.nullable() }),
  keepEditedCaptions: operation({
    access: 'write',
    input: { mediaId: RowIdSchema, edited: EditedCaptions.nullable() },
    output: z.strictObject({}),
  }),
  /** The times at which a part of a video can begin, in milliseconds. */
  keyFrames: operation({
    input: { mediaId: RowIdSchema },
    output: z.strictObject({ keyFramesMs: z.array(z.int()) }),
    errors: ['NO_ROW', 'BAD_FILE'],
  }),
  /** Adds a frame of a video to the library as its poster: a file of its own, as one step. */
  addPoster: operation({
    access: 'write',
    input: { mediaId: RowIdSchema, jpeg: z.base64().max(400_000) },
    output: z.strictObject({ mediaId: RowIdSchema }),
    errors: ['NO_ROW', 'BAD_FILE'],
  }),
  /**
   * Adds a part of a video to the library as a file of its own, with its captions. Nothing is encoded again, so it begins
   * at the key frame up to `fromMs` and ends with the last picture that is over at `toMs`. The original stays.
   */
  trim: operation({
    access: 'write',
    task: 'trim',
    input: {
      mediaId: RowIdSchema,
      fromMs: z.int().min(0),
      toMs: z.int().min(1),
      taskId: TaskIdSchema.optional(),
    },
    output: z.strictObject({ file: AddedFile, fromMs: z.int(), lengthMs: z.int() }),
    errors: ['NO_ROW', 'BAD_FILE', 'CANCELLED'],
  }),
};

const ImportProblem = z.strictObject({ line: z.int(), column: z.string(), message: z.string() });

/** A file of the media library that an import would add or change. */
export const ImportFile = z.strictObject({
  /** Names the file in `leaveOutFiles`. */
  key: z.string(),
  what: z.enum(['added', 'changed']),
  fileName: z.string(),
  /** Null for a file that no row uses; what it is shows when it is added. */
  mediaType: z.enum(['logo', 'video', 'caption']).nullable(),
  bytes: z.int().nullable(),
  /** Rows of the file that name it. */
  rows: z.int(),
  /** What changes of a video that is here already. */
  changes: z.array(z.enum(['caption', 'mediaName'])),
});
export type ImportFile = z.infer<typeof ImportFile>;

/** Who signed an archive or a file of changes, as far as it can be proved. */
export const ImportSignature = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('unsigned') }),
  /** It was signed, and is not what was signed; such a file is only opened when the user insists. */
  z.strictObject({ is: z.literal('altered') }),
  z.strictObject({
    is: z.literal('signed'),
    /** The name the signer goes by; only the key is proved. */
    name: z.string(),
    at: z.int(),
    fingerprint: z.string(),
    /** `own`: signed here. `known`: something of this key was taken over before. */
    signer: z.enum(['own', 'known', 'new']),
    /** The name the key had then. */
    knownAs: z.string().nullable(),
  }),
]);
export type ImportSignature = z.infer<typeof ImportSignature>;

/** A column of a file that changes something, and that can be left out of the import. */
export const ColumnFigures = z.strictObject({
  column: z.enum(IMPORT_COLUMNS),
  /** Rows in which it says something new and can be left out. */
  changes: z.int(),
  /** New rows that cannot do without it: it comes in with them, or they stay out as rows. */
  needed: z.int(),
  /** Cells that cannot be read or carried out, and that stop their rows no longer once it is left out. */
  problems: z.int(),
  isLeftOut: z.boolean(),
});
export type ColumnFigures = z.infer<typeof ColumnFigures>;

/** As long as a cell may be. */
const HEADING_MAX_CHARACTERS = 32 * 1024;

/** Which of the columns with a heading is meant, from 1. */
const nth = z.int().min(1).max(100_000);

/** What the user has said that a column of a file is; without `nth` each column with that heading. */
export const ChosenColumn = z.strictObject({
  heading: z.string().min(1).max(HEADING_MAX_CHARACTERS),
  nth: nth.optional(),
  as: z.enum(COLUMN_CHOICES),
});

/** A column of a file; `nth` is null for the only one with its heading. */
const NamedColumn = z.strictObject({ heading: z.string(), nth: nth.nullable() });

/** A column of a file under its heading, and what it is imported as. */
const SheetHeading = NamedColumn.extend({
  /** Null for a column of which nothing is imported. */
  column: z.enum(COLUMNS).nullable(),
  /** Who says so; `none` when nobody knows the heading. */
  by: z.enum(['name', 'chosen', 'remembered', 'none']),
  /** The first value in it; empty where the first rows have none. */
  example: z.string(),
});

/** A campaign that the file names by its id and the account does not have, or an ad group of it, which it needs to be asked for. */
const MissingParent = z.strictObject({
  campaign: z.string(),
  name: z.string().nullable(),
  type: CellSchema,
  adGroup: z.string().nullable(),
});

/** What a file would do, before it does anything. Lists are cut at 1,000 entries; the counts are whole. */
export const ImportPreview = z.strictObject({
  previewId: z.string(),
  fileName: z.string(),
  /** What kind of file it is, by its content and never by its name. */
  source: z.enum(['sheet', 'archive', 'changes']),
  /** The account that an archive or a file of changes is from, if that is another advertiser than this one. */
  otherAccount: z.string().nullable(),
  /**
   * Rows of the file that are not blank, without the header, counted apart from reading it. Each is one of the added, changed, removed
   * or unchanged, of the conflicts, of those left out or of those with an error.
   */
  rows: z.int(),
  added: z.int(),
  changed: z.int(),
  /** Rows that a file of changes marks for deletion, without what hangs from them. */
  removed: z.int(),
  unchanged: z.int(),
  /** Rows edited both in the file and here since it was exported. They stay as they are here unless they are taken. */
  conflicts: z.int(),
  /** Rows of which nothing is left, since all that they would change stands in columns that are left out. */
  leftOut: z.int(),
  /** In the order of the sheet; those that are left out among them. */
  columns: z.array(ColumnFigures),
  /** Rows that cannot come in; each may have several errors. */
  errorRows: z.int(),
  errorCount: z.int(),
  errors: z.array(ImportProblem),
  /** What is odd about rows that come in: numbers that were cut, text behind a quote, cells beyond the header. */
  warningCount: z.int(),
  warnings: z.array(ImportProblem),
  /** A quote was not closed, or holds what looks like rows: with `linesAsRows` every line is a row of its own. */
  hasOpenQuotes: z.boolean(),
  /** Rows with an error since the account does not have their ID, or that of their campaign or ad group. `asNew` makes new ones of them. */
  unknownRows: z.int(),
  /** For `campaignIds.add`, after which the file is previewed again; the first 1,000 of them, and how many there are. */
  missing: z.array(MissingParent),
  missingCount: z.int(),
  /** The first 256 columns of a sheet; of an export of another editor those that the user has mapped. None of any other file. */
  headings: z.array(SheetHeading),
  /** What became of an export of another editor; null for a sheet of ours. */
  foreign: z
    .strictObject({
      program: z.enum(FOREIGN),
      columns: z.array(z.strictObject({ from: z.string(), to: z.string().nullable() })),
      unused: z.array(NamedColumn),
      skipped: z.array(z.strictObject({ reason: z.string(), count: z.int(), lines: z.array(z.int()) })),
      split: z.int(),
    })
    .nullable(),
  /** Of a workbook the sheet that was read, and the others that it has; null and none for any other file. */
  sheet: z.string().nullable(),
  otherSheets: z.array(z.strictObject({ name: z.string(), hidden: z.boolean(), rows: z.int() })),
  /** Lines with a cell that a spreadsheet program would run; it was read as plain text. */
  formulaCount: z.int(),
  formulaLines: z.array(z.int()),
  /** Files that an archive brings along. */
  media: z.int(),
  /** Of these, files that no row names and the library does not have yet; they come in with the rest. */
  spareFiles: z.int(),
  /** The first 1,000 parts of an archive that are none of ours, such as other archives or names that climb; nothing of them comes in. */
  skippedParts: z.array(z.string()),
  /** Files that the library would get, or that would change there; the first 1,000 of them, and how many there are. */
  files: z.array(ImportFile),
  fileCount: z.int(),
  /** Null for a sheet, which cannot be signed. */
  signature: ImportSignature.nullable(),
});
export type ImportPreview = DeepReadonly<z.infer<typeof ImportPreview>>;

export const ImportRowFilter = z.enum(['all', 'added', 'changed', 'removed', 'unchanged', 'conflict', 'error']);
export type ImportRowFilter = z.infer<typeof ImportRowFilter>;

/** One row of a file in a preview. */
export const ImportRow = z.strictObject({
  /** Names the row in `leaveOut` and `take`. */
  line: z.int(),
  kind: KindSchema.nullable(),
  campaign: z.string(),
  outcome: z.enum(['added', 'changed', 'removed', 'unchanged', 'conflict', 'error']),
  /**
   * The cells of a new row, those that differ of a changed one; `base` is what the file says was exported. Comments and
   * labels that the row does not have yet stand among them as columns `Comment` and `Label`.
   */
  cells: z.array(z.strictObject({ column: z.string(), before: CellSchema, after: CellSchema, base: CellSchema })),
  /** Why the row cannot come in. */
  message: z.string().nullable(),
});
export type ImportRow = z.infer<typeof ImportRow>;

/** What of a preview can be taken and left, row by row. */
const ChoosableOutcome = z.enum(['added', 'changed', 'removed', 'conflict']);

const previewId = z.string().max(100);
/** Names the task in `task.progress` and for `tasks.cancel`. */
const taskId = TaskIdSchema.optional();
const lines = z.array(z.int().min(1)).max(1_000_000).default([]);

export const exchangeContract = {
  /**
   * Reads a sheet, an archive or a file of changes. BAD_FILE with reason `needs-decimals` asks how amounts are
   * written: ask the user once and call again with the answer. With reason `altered` the file is not what its signer
   * signed; `evenAltered` looks at it all the same.
   */
  preview: operation({
    task: 'import',
    input: {
      grant: GrantSchema,
      decimals: z.enum(['point', 'comma']).optional(),
      evenAltered: z.boolean().default(false),
      /** Which sheet of a workbook is meant, by its name. */
      sheet: z.string().max(1000).optional(),
      /** Every line of a CSV or TSV file is a row of its own: quotes around several lines are text. */
      linesAsRows: z.boolean().default(false),
      /** What columns are imported as; remembered for later files once the import is applied. */
      mapping: z.array(ChosenColumn).max(1000).default([]),
      /** What every row is, of a sheet without a column that says so. */
      rowType: z.enum(SHEET_KINDS).optional(),
      /** Rows with IDs that the account does not have become new ones; the IDs link the rows of the file to each other. */
      asNew: z.boolean().default(false),
      taskId,
    },
    output: ImportPreview,
    errors: ['NO_GRANT', 'BAD_FILE', 'CANCELLED'],
  }),
  /** Forgets what a column was imported as in earlier files. */
  forgetColumn: operation({
    access: 'write',
    input: { heading: z.string().max(HEADING_MAX_CHARACTERS), nth: nth.optional() },
    output: z.strictObject({}),
  }),
  /** A part of the rows of a preview, in the order of the file. */
  rows: operation({
    input: {
      previewId,
      filter: ImportRowFilter,
      from: z.int().min(0),
      count: z.int().min(0).max(WINDOW_MAX),
    },
    output: z.strictObject({ total: z.int(), rows: z.array(ImportRow) }),
    errors: ['NO_GRANT'],
  }),
  /**
   * Leaves columns out of a preview, instead of those left out before: what the file says in them counts for nothing, here
   * and in everything that is asked of the preview from now on. Deletions stand in no column.
   */
  skipColumns: operation({
    announced: true,
    task: 'import',
    input: { previewId, columns: z.array(z.enum(IMPORT_COLUMNS)), lines },
    output: z.strictObject({
      preview: ImportPreview,
      /** What becomes of each of `lines` now; null for one that can be neither taken nor left. */
      becoming: z.array(ChoosableOutcome.nullable()),
    }),
    errors: ['NO_GRANT', 'BAD_FILE'],
  }),
  /**
   * Carries the preview out as one step that can be undone. Of what is in `comeIn` all rows come in but those in `leaveOut`,
   * of the rest only those in `take`; rows in conflict that come in are decided by the file. Rows of files in
   * `leaveOutFiles` come in without them. When it is cancelled no row has changed; media files that had come in by then stay.
   */
  apply: operation({
    task: 'import',
    input: {
      previewId,
      comeIn: z.array(ChoosableOutcome).default(['added', 'changed', 'removed']),
      leaveOut: lines,
      take: lines,
      leaveOutFiles: z.array(z.string().max(80)).max(1000).default([]),
      taskId,
    },
    output: z.strictObject({
      revision: z.int(),
      added: z.int(),
      changed: z.int(),
      removed: z.int(),
      unchanged: z.int(),
      /** Of the files that no row names, those that stayed out. No row misses them, so they stop nothing. */
      refusedFiles: z.array(RefusedFile),
    }),
    errors: ['NO_GRANT', 'BAD_FILE', 'CANCELLED'],
  }),
  /** The rows of a sheet that cannot come in, each with its problem, as a sheet to correct and import again. */
  exportErrors: operation({
    input: { previewId, format: z.enum(['csv', 'xlsx']) },
    output: ExportedFile,
    errors: ['NO_GRANT'],
  }),
  /** Forgets a preview that will not be applied. */
  dismiss: operation({ input: { previewId }, output: z.strictObject({}) }),
  /**
   * Writes the account, or exactly the rows of a view in its order, as a sheet or as a page
   * of HTML to look at and print; or everything with its media as an
   * archive, or what differs from the service as a file of changes.
   */
  export: operation({
    task: 'export',
    input: {
      format: z.enum(['csv', 'tsv', 'xlsx', 'html', 'archive', 'changes']).default('csv'),
      view: ViewSpec.nullable().default(null),
      taskId,
    },
    output: ExportedFile,
    errors: ['BAD_FILTER', 'BAD_FILE', 'CANCELLED'],
  }),
};

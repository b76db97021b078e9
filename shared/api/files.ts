import { z } from 'zod';
import { DATE_ORDERS } from '../model/plain-date.ts';
import { COLUMN_CHOICES } from '../spreadsheet/column-mapping.ts';
import { COLUMNS, IMPORT_COLUMNS, SHEET_KINDS } from '../spreadsheet/columns.ts';
import { FOREIGN_PROGRAMS, type ForeignProgram } from '../spreadsheet/foreign-sheet.ts';
import { TaskIdSchema } from './bulk.ts';
import { WINDOW_MAX } from './limits.ts';
import { type DeepReadonly, type InputOf, operation } from './operation.ts';
import { CellSchema, GrantSchema, KindSchema, RowIdSchema } from './scalars.ts';
import { ViewSpec } from './workspace.ts';

/** A file written by main for the window to save; `url` is below the host's own origin. */
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
      z.strictObject({
        startMs: z.number(),
        endMs: z.number(),
        text: z.string(),
        settings: z.string().optional(),
        name: z.string().optional(),
      }),
    )
    .max(50_000),
  format: z.enum(['srt', 'vtt']),
  /** As of `parseCaptions`. Earlier versions kept none. */
  head: z.string().default(''),
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

/** Result for one file that was dropped or selected. */
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
  /** Probes granted files and copies the valid ones into the media library. An invalid file does not stop the others. */
  add: operation({
    access: 'write',
    input: { grants: z.array(GrantSchema).min(1).max(200) },
    output: z.strictObject({ files: z.array(AddedFile), revision: z.int() }),
    errors: ['NO_GRANT'],
  }),
  /** A URL below the host's own origin that serves the file to this window only, and the file name for saving. */
  preview: operation({
    input: { mediaId: RowIdSchema },
    output: z.strictObject({ url: z.string(), contentType: z.string(), fileName: z.string() }),
    errors: ['NO_ROW'],
  }),
  /** Edits of captions that are not applied yet; stored beyond the window. Null for none. */
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
  /** Adds a frame of a video to the library as its poster: a separate file, as one step. */
  addPoster: operation({
    access: 'write',
    input: { mediaId: RowIdSchema, jpeg: z.base64().max(400_000) },
    output: z.strictObject({ mediaId: RowIdSchema }),
    errors: ['NO_ROW', 'BAD_FILE'],
  }),
  /**
   * Adds a part of a video to the library as a separate file, with its captions. Nothing is encoded again, so it begins
   * at the key frame at or before `fromMs` and ends with the last frame that ends by `toMs`. The original stays.
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

const ImportProblem = z.strictObject({
  line: z.int(),
  column: z.string(),
  message: z.string(),
  /** The line with the error that causes this one; absent for an error of the line itself. */
  causeLine: z.int().optional(),
});

/** A file of the media library that an import would add or change. */
export const ImportFile = z.strictObject({
  /** Names the file in `leaveOutFiles`. */
  key: z.string(),
  what: z.enum(['added', 'changed']),
  fileName: z.string(),
  /** Null for a file that no row uses; its type is detected when it is added. */
  mediaType: z.enum(['logo', 'video', 'caption']).nullable(),
  bytes: z.int().nullable(),
  /** Rows of the file that name it. */
  rows: z.int(),
  /** Changed fields of a video that exists already. */
  changes: z.array(z.enum(['caption', 'mediaName'])),
});
export type ImportFile = z.infer<typeof ImportFile>;

/** The signer of an archive or a file of changes, as far as it can be verified. */
export const ImportSignature = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('unsigned') }),
  /** It was changed after it was signed; it opens only when the user insists. */
  z.strictObject({ is: z.literal('altered') }),
  z.strictObject({
    is: z.literal('signed'),
    /** The signer's name as stated; only the key is verified. */
    name: z.string(),
    at: z.int(),
    fingerprint: z.string(),
    /** `own`: signed here. `known`: a file signed with this key was imported before. */
    signer: z.enum(['own', 'known', 'new']),
    /** The name the key had then. */
    knownAs: z.string().nullable(),
  }),
]);
export type ImportSignature = z.infer<typeof ImportSignature>;

/** A column of a file with changes, which can be skipped in the import. */
export const ColumnFigures = z.strictObject({
  column: z.enum(IMPORT_COLUMNS),
  /** Rows with a change in this column that can be skipped. */
  changes: z.int(),
  /** New rows that require the column: it is imported with them, or the rows are skipped. */
  needed: z.int(),
  /** Cells that can't be read or applied, and no longer block their rows once the column is skipped. */
  problems: z.int(),
  isLeftOut: z.boolean(),
});
export type ColumnFigures = z.infer<typeof ColumnFigures>;

/** Maximum length of a cell. */
const HEADING_MAX_CHARACTERS = 32 * 1024;

/** Which of several columns with the same heading, from 1. */
const nth = z.int().min(1).max(100_000);

/** The user's mapping of a column of a file; without `nth`, of each column with that heading. */
export const ChosenColumn = z.strictObject({
  heading: z.string().min(1).max(HEADING_MAX_CHARACTERS),
  nth: nth.optional(),
  as: z.enum(COLUMN_CHOICES),
});

/** A column of a file; `nth` is null for the only one with its heading. */
const NamedColumn = z.strictObject({ heading: z.string(), nth: nth.nullable() });

/** A column of a file under its heading, and its mapping. */
const SheetHeading = NamedColumn.extend({
  /** Null for a column of which nothing is imported. */
  column: z.enum(COLUMNS).nullable(),
  /** Source of the mapping; `none` for an unknown heading. */
  by: z.enum(['name', 'chosen', 'remembered', 'none']),
  /** The first value in it; empty where the first rows have none. */
  example: z.string(),
});

/**
 * A campaign that the file names by its ID and the account does not have, or an ad group of it with the campaign
 * needed to read it.
 */
const MissingParent = z.strictObject({
  campaign: z.string(),
  name: z.string().nullable(),
  type: CellSchema,
  adGroup: z.string().nullable(),
});

/** Preview of an import. Lists are cut at 1,000 entries; counts are complete. */
export const ImportPreview = z.strictObject({
  previewId: z.string(),
  fileName: z.string(),
  /** Type of the file, detected from its content. */
  source: z.enum(['sheet', 'archive', 'changes']),
  /** The account of an archive or a file of changes, if it is of another advertiser. */
  otherAccount: z.string().nullable(),
  /**
   * Non-blank rows of the file without the header, counted separately. Each is one of the added, changed, removed or
   * unchanged, of the conflicts, of the skipped or of those with an error.
   */
  rows: z.int(),
  added: z.int(),
  changed: z.int(),
  /** Rows that a file of changes deletes, without the rows below them. */
  removed: z.int(),
  unchanged: z.int(),
  /** Rows edited both in the file and here since its export. They are not changed unless selected. */
  conflicts: z.int(),
  /** Rows with nothing left to change, because all their changes are in skipped columns. */
  leftOut: z.int(),
  /** In the order of the spreadsheet, skipped ones included. */
  columns: z.array(ColumnFigures),
  /** Rows that can't be imported; each may have several errors. */
  errorRows: z.int(),
  errorCount: z.int(),
  /** Errors that follow from the error of another line. */
  followUpCount: z.int(),
  /** In the order of the file, those that follow from another line last. */
  errors: z.array(ImportProblem),
  /** Problems of rows that are still imported: truncated numbers, text after a quote, cells beyond the header. */
  warningCount: z.int(),
  warnings: z.array(ImportProblem),
  /** A quote was not closed, or contains text that looks like rows: with `linesAsRows` every line is a row. */
  hasOpenQuotes: z.boolean(),
  /**
   * Rows with an error because the account does not have their ID, or that of their campaign or ad group. `asNew`
   * creates new rows for them.
   */
  unknownRows: z.int(),
  /** For `campaignIds.add`, after which the file is previewed again; the first 1,000 of them, and their number. */
  missing: z.array(MissingParent),
  missingCount: z.int(),
  /**
   * The first 256 columns of a spreadsheet; of an export of another editor, those that the user has mapped. Empty for
   * any other file.
   */
  headings: z.array(SheetHeading),
  /** Result of converting an export of another editor; null for a spreadsheet of ours. */
  foreign: z
    .strictObject({
      program: z.enum(FOREIGN),
      columns: z.array(z.strictObject({ from: z.string(), to: z.string().nullable() })),
      unused: z.array(NamedColumn),
      skipped: z.array(z.strictObject({ reason: z.string(), count: z.int(), lines: z.array(z.int()) })),
      split: z.int(),
    })
    .nullable(),
  /** The order in which dates such as 4/5/2026 were read, chosen or proven by a date; null if neither. */
  dateOrder: z.enum(DATE_ORDERS).nullable(),
  /** The sheet of a workbook that was read, and its other sheets; null and empty for any other file. */
  sheet: z.string().nullable(),
  otherSheets: z.array(z.strictObject({ name: z.string(), hidden: z.boolean(), rows: z.int() })),
  /** Lines with a cell that a spreadsheet program would run; it was read as plain text. */
  formulaCount: z.int(),
  formulaLines: z.array(z.int()),
  /** Number of media files in an archive. */
  media: z.int(),
  /** Of these, files that no row uses and the library does not have; they are imported too. */
  spareFiles: z.int(),
  /** The first 1,000 foreign parts of an archive, such as other archives or names with "..": none is imported. */
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

/** The user's answers to questions about a file: the options of a preview. */
export type PreviewOptions = DeepReadonly<
  Partial<Omit<InputOf<typeof exchangeContract.preview>, 'workspaceId' | 'grant' | 'taskId'>>
>;

/** One row of a file in a preview. */
export const ImportRow = z.strictObject({
  /** Identifies the row in `leaveOut` and `take`. */
  line: z.int(),
  kind: KindSchema.nullable(),
  campaign: z.string(),
  outcome: z.enum(['added', 'changed', 'removed', 'unchanged', 'conflict', 'error']),
  /**
   * The cells of a new row, or the differing ones of a changed row; `base` is the exported value by the file. New
   * comments and labels of the row are included as columns `Comment` and `Label`.
   */
  cells: z.array(z.strictObject({ column: z.string(), before: CellSchema, after: CellSchema, base: CellSchema })),
  /** Why the row can't be imported. */
  message: z.string().nullable(),
});
export type ImportRow = z.infer<typeof ImportRow>;

/** Outcomes of a preview that can be selected per row. */
const ChoosableOutcome = z.enum(['added', 'changed', 'removed', 'conflict']);

const previewId = z.string().max(100);
/** Names the task in `task.progress` and for `tasks.cancel`. */
const taskId = TaskIdSchema.optional();
const lines = z.array(z.int().min(1)).max(1_000_000).default([]);

export const exchangeContract = {
  /**
   * Reads a spreadsheet, an archive or a file of changes. BAD_FILE with reason `needs-decimals` needs the decimal
   * separator, `needs-dates` and `mixed-dates` the order of dates: ask the user once and call again with it. With reason
   * `altered` the file was changed after it was signed; `evenAltered` previews it anyway.
   */
  preview: operation({
    task: 'preview',
    input: {
      grant: GrantSchema,
      decimals: z.enum(['point', 'comma']).optional(),
      /** The order of dates such as 4/5/2026, if the file does not prove it. */
      dates: z.enum(DATE_ORDERS).optional(),
      evenAltered: z.boolean().default(false),
      /** The sheet of a workbook to read, by name. */
      sheet: z.string().max(1000).optional(),
      /** Every line of a CSV or TSV file is one row: quotes around several lines are text. */
      linesAsRows: z.boolean().default(false),
      /** Mapping of columns; stored for later files once the import is applied. */
      mapping: z.array(ChosenColumn).max(1000).default([]),
      /** The row type of a spreadsheet without a type column. */
      rowType: z.enum(SHEET_KINDS).optional(),
      /** Rows with IDs that the account does not have become new ones; the IDs link the rows of the file to each other. */
      asNew: z.boolean().default(false),
      taskId,
    },
    output: ImportPreview,
    errors: ['NO_GRANT', 'BAD_FILE', 'CANCELLED'],
  }),
  /** Removes the stored mapping of a column. */
  forgetColumn: operation({
    access: 'write',
    input: { heading: z.string().max(HEADING_MAX_CHARACTERS), nth: nth.optional() },
    output: z.strictObject({}),
  }),
  /** A page of the rows of a preview, in the order of the file; errors in the order of `errors`. */
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
   * Sets the skipped columns of a preview, instead of those skipped before: their values are ignored in this and all
   * later results of the preview. Deletions are in no column.
   */
  skipColumns: operation({
    announced: true,
    task: 'preview',
    input: { previewId, columns: z.array(z.enum(IMPORT_COLUMNS)), lines },
    output: z.strictObject({
      preview: ImportPreview,
      /** New outcome of each of `lines`; null for one that can't be selected. */
      becoming: z.array(ChoosableOutcome.nullable()),
    }),
    errors: ['NO_GRANT', 'BAD_FILE'],
  }),
  /**
   * Applies the preview as one step that can be undone. Of the outcomes in `comeIn` all rows are imported except those in
   * `leaveOut`, of the others only those in `take`; for imported rows with a conflict, the file's values apply. Rows with
   * files in `leaveOutFiles` are imported without them. If canceled, no row has changed; media files added so far stay.
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
      /** Files not used by any row that were refused. No row needs them, so they block nothing. */
      refusedFiles: z.array(RefusedFile),
    }),
    errors: ['NO_GRANT', 'BAD_FILE', 'CANCELLED'],
  }),
  /** Exports the rows that can't be imported, each with its problem, as a spreadsheet to correct and import again. */
  exportErrors: operation({
    input: { previewId, format: z.enum(['csv', 'xlsx']) },
    output: ExportedFile,
    errors: ['NO_GRANT'],
  }),
  /** Discards a preview that will not be applied. */
  dismiss: operation({ input: { previewId }, output: z.strictObject({}) }),
  /**
   * Exports the account, or exactly the rows of a view in its order, as a spreadsheet or as a page of HTML to view and
   * print; or everything with its media as an archive, or the differences from the service as a file of changes.
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

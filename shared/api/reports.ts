import { z } from 'zod';
import { plainDate } from '../model/plain-date.ts';
import { REPORTED_KINDS } from '../reports/metric.ts';
import { REPORT_TYPE, REPORT_WORD } from '../reports/report-words.ts';
import { ExportedFile } from './files.ts';
import { WINDOW_MAX } from './limits.ts';
import { operation } from './operation.ts';
import { SnapshotIdSchema, WindowSchema } from './scalars.ts';

const DaySchema = z.string().refine((text) => plainDate(text) !== null, 'a day as 2026-05-31');

/** Types the document names; a deployment may know others (document, "Endpoints": "and others"). */
export const REPORT_TYPES = [
  'campaign',
  'adGroup',
  'adItem',
  'keyword',
  'platform',
  'pageType',
  'brand',
  'category',
] as const;

const Word = z.string().regex(REPORT_WORD);

/** What a report is asked for. Both days belong to it. */
export const ReportRequest = z.strictObject({
  reportType: z.string().regex(REPORT_TYPE),
  startDate: DaySchema,
  endDate: DaySchema,
  /** One row per day beside everything else. */
  byDate: z.boolean(),
  /** In which window purchases are counted, such as `days14`; null sends none, and absent means what the account's deployment settings say. */
  attributionWindow: Word.nullable().optional(),
  /** How the answer is packed, such as `gzip`; null and absent as above. */
  format: Word.nullable().optional(),
});
export type ReportRequest = z.infer<typeof ReportRequest>;

/** The content type of a report, detected from its bytes. */
export const RawMediaType = z.enum(['text/csv', 'application/gzip', 'application/zip', 'application/json']);
export type RawMediaType = z.infer<typeof RawMediaType>;

/** One file of an archive of several; `used` says whether its rows are among those of the report. */
export const ReportPart = z.strictObject({ name: z.string(), rows: z.int(), used: z.boolean() });
export type ReportPart = z.infer<typeof ReportPart>;

/**
 * Requested by Adslate itself, for the metrics and not to be read: it is in no list, makes no notification, and its file goes
 * a week after its days are known.
 */
const background = z.literal(true).optional();

/** A report that was fetched once and is saved permanently: the service deletes its figures, this computer does not. */
export const ReportSnapshot = ReportRequest.extend({
  id: SnapshotIdSchema,
  fetchedAt: z.int(),
  /** The day at the business when it was fetched; figures reach to the day before at most. */
  fetchedOn: DaySchema,
  rows: z.int(),
  /** The answer of the service, kept to the byte. Reports of older versions have none. */
  raw: z
    .strictObject({ mediaType: RawMediaType, bytes: z.int(), sha256: z.string().regex(/^[a-f0-9]{64}$/) })
    .optional(),
  /** The files of an archive that held more than one. */
  parts: z.array(ReportPart).optional(),
  /** The job it came from, so that one whose end was not written down is not kept twice. */
  snapshotId: z.string().optional(),
  background,
});
export type ReportSnapshot = z.infer<typeof ReportSnapshot>;

/**
 * A report the service is still making, or made in the background: kept on disk, so that it is picked up after a restart by
 * the id the service gave it (wire shapes, section 4, "report").
 */
export const ReportJob = ReportRequest.extend({
  snapshotId: z.string().min(1).max(200),
  askedAt: z.int(),
  /** The day at the business when it was asked for. */
  askedOn: DaySchema,
  state: z.enum(['waiting', 'ready', 'failed', 'expired']),
  /** Its status in the service's own word, whichever that is; empty before it has said one. */
  status: z.string().max(100),
  /** Why there is no report, as a part of a sentence; empty where nothing more is known. */
  detail: z.string().max(500),
  /** The report that it became. */
  reportId: SnapshotIdSchema.nullable(),
  endedAt: z.int().nullable(),
  background,
});
export type ReportJob = z.infer<typeof ReportJob>;

/** Figures by column name, in the smallest step of their unit. */
const Figures = z.record(z.string(), z.int());
const ReportFigure = z.strictObject({
  column: z.string(),
  metric: z.string(),
  window: z.enum(['3days', '14days', '30days']).nullable(),
  unit: z.enum(['count', 'money', 'percent', 'ratio']),
  /** Computed here from figures the service sent. */
  derived: z.boolean(),
  /** False for a metric that only the service knows the meaning of. */
  known: z.boolean(),
});
export type ReportMetric = z.infer<typeof ReportFigure>;

export const ReportView = z.strictObject({
  snapshot: ReportSnapshot,
  /** What the rows are put together by: what was asked for, or the first column there is. */
  groupBy: z.string(),
  /** Columns rows can be put together by. */
  groupings: z.array(z.string()),
  figures: z.array(ReportFigure),
  /** Cells that should hold a figure and do not. */
  unreadable: z.int(),
  groups: z.int(),
  page: z.array(z.strictObject({ label: z.string(), rows: z.int(), figures: Figures })),
  total: z.strictObject({ rows: z.int(), figures: Figures }),
  days: z.array(z.strictObject({ day: z.string(), figures: Figures })),
  /** The biggest campaigns, each with one figure over the days. */
  multiples: z.array(
    z.strictObject({
      label: z.string(),
      days: z.array(z.strictObject({ day: z.string(), value: z.int().nullable() })),
    }),
  ),
});
export type ReportView = z.infer<typeof ReportView>;

export const ReportQuery = z.strictObject({
  groupBy: z.string().max(200),
  /** Only rows with this text in one of their names. */
  contains: z.string().max(200).default(''),
  sortBy: z.string().max(200),
  descending: z.boolean().default(true),
  /** The figure that the campaigns are drawn by. */
  figure: z.string().max(200),
  ...WindowSchema,
});
export type ReportQuery = z.infer<typeof ReportQuery>;

const ofJob = { snapshotId: z.string().min(1).max(200) };
const asked = ['UNREACHABLE', 'SERVICE_ANSWERED', 'BAD_CREDENTIALS', 'REPORT_FAILED'] as const;
const ofSnapshot = { id: SnapshotIdSchema };

export const reportsContract = {
  /**
   * Kept reports, newest first, and which day it is at the business: figures reach to the day before. `damaged` counts
   * reports whose files cannot be read any more. `jobs` are those the service makes in the background, newest first, `types`
   * the further types that the deployment knows.
   */
  list: operation({
    output: z.strictObject({
      snapshots: z.array(ReportSnapshot),
      damaged: z.int(),
      today: DaySchema,
      jobs: z.array(ReportJob),
      types: z.array(z.string()),
    }),
  }),
  /**
   * The report, from the service or kept: the same wish is sent once a day unless `again` says otherwise. When it is not ready
   * within a few seconds there is a job instead, which goes on by itself; the same wish joins it and sends nothing.
   */
  request: operation({
    announced: true,
    access: 'write',
    input: { wish: ReportRequest, again: z.boolean().default(false) },
    output: z.discriminatedUnion('is', [
      z.strictObject({ is: z.literal('report'), snapshot: ReportSnapshot, kept: z.boolean() }),
      z.strictObject({ is: z.literal('job'), job: ReportJob }),
    ]),
    errors: [...asked],
  }),
  /** Asks the service now how a job stands. */
  poll: operation({
    announced: true,
    access: 'write',
    input: ofJob,
    output: ReportJob,
    errors: ['NO_REPORT', ...asked],
  }),
  /** Waits for a job no longer, or forgets one that has ended. The service is not told: it has no call for that. */
  stopWaiting: operation({
    announced: true,
    access: 'write',
    input: ofJob,
    output: z.strictObject({}),
    errors: ['NO_REPORT'],
  }),
  view: operation({
    input: { ...ofSnapshot, look: ReportQuery },
    output: ReportView,
    errors: ['NO_REPORT', 'REPORT_UNREADABLE'],
  }),
  /** What a report says of rows, by the ids the service gave them; rows it does not know are absent. */
  ofRows: operation({
    input: { ...ofSnapshot, kind: z.enum(REPORTED_KINDS), remoteIds: z.array(z.string().max(100)).max(WINDOW_MAX) },
    output: z.strictObject({ rows: z.array(z.strictObject({ remoteId: z.string(), figures: Figures })) }),
    errors: ['NO_REPORT', 'REPORT_UNREADABLE'],
  }),
  /** The rows of the report, as a file to save or to drag out. */
  csv: operation({ input: ofSnapshot, output: ExportedFile, errors: ['NO_REPORT', 'REPORT_UNREADABLE'] }),
  /** The answer of the service to the byte. */
  raw: operation({ input: ofSnapshot, output: ExportedFile, errors: ['NO_REPORT', 'REPORT_UNREADABLE'] }),
  remove: operation({
    announced: true,
    access: 'write',
    input: ofSnapshot,
    output: z.strictObject({}),
    errors: ['NO_REPORT'],
  }),
};

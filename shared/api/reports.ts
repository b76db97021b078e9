import { z } from 'zod';
import { plainDate } from '../model/plain-date.ts';
import { REPORTED_KINDS } from '../reports/metric.ts';
import { REPORT_TYPE, REPORT_WORD } from '../reports/report-words.ts';
import { ExportedFile } from './files.ts';
import { WINDOW_MAX } from './limits.ts';
import { operation } from './operation.ts';
import { SnapshotIdSchema, WindowSchema } from './scalars.ts';

const DaySchema = z.string().refine((text) => plainDate(text) !== null, 'a day as 2026-05-31');

/** Types in the document; a deployment may have others (document, "Endpoints": "and others"). */
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

/** Options of a report. Both days are included. */
export const ReportRequest = z.strictObject({
  reportType: z.string().regex(REPORT_TYPE),
  startDate: DaySchema,
  endDate: DaySchema,
  /** One row per day. */
  byDate: z.boolean(),
  /** Attribution window, such as `days14`; null sends none, and absent uses the account's deployment settings. */
  attributionWindow: Word.nullable().optional(),
  /** Compression of the response, such as `gzip`; null and absent as above. */
  format: Word.nullable().optional(),
});
export type ReportRequest = z.infer<typeof ReportRequest>;

/** The content type of a report, detected from its bytes. */
export const RawMediaType = z.enum(['text/csv', 'application/gzip', 'application/zip', 'application/json']);
export type RawMediaType = z.infer<typeof RawMediaType>;

/** One file of an archive with several; `used` is whether its rows are among those of the report. */
export const ReportPart = z.strictObject({ name: z.string(), rows: z.int(), used: z.boolean() });
export type ReportPart = z.infer<typeof ReportPart>;

/**
 * Requested in the background for the metrics: not listed, without notification, and its file is deleted a week after
 * its days are stored.
 */
const background = z.literal(true).optional();

/** A report that was fetched once and is saved permanently: the service deletes its figures, this computer does not. */
export const ReportSnapshot = ReportRequest.extend({
  id: SnapshotIdSchema,
  fetchedAt: z.int(),
  /** The date in the business time zone when it was fetched; metrics reach to the day before at most. */
  fetchedOn: DaySchema,
  rows: z.int(),
  /** The response of the service, byte for byte. Reports of older versions have none. */
  raw: z
    .strictObject({ mediaType: RawMediaType, bytes: z.int(), sha256: z.string().regex(/^[a-f0-9]{64}$/) })
    .optional(),
  /** The files of an archive with more than one. */
  parts: z.array(ReportPart).optional(),
  /** Its job, so that a job whose end was not recorded does not store the report twice. */
  snapshotId: z.string().optional(),
  background,
});
export type ReportSnapshot = z.infer<typeof ReportSnapshot>;

/**
 * A report that the service is still making: stored on disk, so that waiting resumes after a restart by the service's
 * ID (wire shapes, section 4, "report").
 */
export const ReportJob = ReportRequest.extend({
  snapshotId: z.string().min(1).max(200),
  askedAt: z.int(),
  /** The date in the business time zone when it was requested. */
  askedOn: DaySchema,
  state: z.enum(['waiting', 'ready', 'failed', 'expired']),
  /** Its status in the service's own word; empty before the first response. */
  status: z.string().max(100),
  /** Why there is no report, as a part of a sentence; empty if unknown. */
  detail: z.string().max(500),
  /** The finished report. */
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
  /** False for a metric whose meaning only the service knows. */
  known: z.boolean(),
});
export type ReportMetric = z.infer<typeof ReportFigure>;

export const ReportView = z.strictObject({
  snapshot: ReportSnapshot,
  /** Grouping of the rows: the requested one, or the first available column. */
  groupBy: z.string(),
  /** Columns by which rows can be grouped. */
  groupings: z.array(z.string()),
  figures: z.array(ReportFigure),
  /** Cells that should contain a number and do not. */
  unreadable: z.int(),
  groups: z.int(),
  page: z.array(z.strictObject({ label: z.string(), rows: z.int(), figures: Figures })),
  total: z.strictObject({ rows: z.int(), figures: Figures }),
  /** The rows with the most of the drawn figure, whatever order and page is asked for. */
  top: z.array(z.strictObject({ label: z.string(), figures: Figures })),
  days: z.array(z.strictObject({ day: z.string(), figures: Figures })),
  /** The biggest campaigns, each with one metric over the days. */
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
  /** The figure that campaigns and top rows are drawn by. */
  figure: z.string().max(200),
  ...WindowSchema,
});
export type ReportQuery = z.infer<typeof ReportQuery>;

const ofJob = { snapshotId: z.string().min(1).max(200) };
const asked = ['UNREACHABLE', 'SERVICE_ANSWERED', 'BAD_CREDENTIALS', 'REPORT_FAILED'] as const;
const ofSnapshot = { id: SnapshotIdSchema };

export const reportsContract = {
  /**
   * Stored reports, newest first, and the date in the business time zone: metrics reach to the day before. `damaged`
   * counts reports whose files can't be read. `jobs` are reports in progress, newest first, `types` the further types
   * of the deployment.
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
   * Requests a report, or returns a stored one: the same request is sent once a day unless `again` is set. If it is
   * not ready within a few seconds, a job is returned, which continues in the background; the same request joins that
   * job and sends nothing.
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
  /** Polls the state of a job now. */
  poll: operation({
    announced: true,
    access: 'write',
    input: ofJob,
    output: ReportJob,
    errors: ['NO_REPORT', ...asked],
  }),
  /** Stops waiting for a job, or removes one that has ended. The service has no call to cancel it. */
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
  /** Metrics of rows in a report, by the service's IDs; rows missing in it are absent. */
  ofRows: operation({
    input: { ...ofSnapshot, kind: z.enum(REPORTED_KINDS), remoteIds: z.array(z.string().max(100)).max(WINDOW_MAX) },
    output: z.strictObject({ rows: z.array(z.strictObject({ remoteId: z.string(), figures: Figures })) }),
    errors: ['NO_REPORT', 'REPORT_UNREADABLE'],
  }),
  /** The rows of the report, as a file to save or to drag out. */
  csv: operation({ input: ofSnapshot, output: ExportedFile, errors: ['NO_REPORT', 'REPORT_UNREADABLE'] }),
  /** The response of the service, byte for byte. */
  raw: operation({ input: ofSnapshot, output: ExportedFile, errors: ['NO_REPORT', 'REPORT_UNREADABLE'] }),
  remove: operation({
    announced: true,
    access: 'write',
    input: ofSnapshot,
    output: z.strictObject({}),
    errors: ['NO_REPORT'],
  }),
};

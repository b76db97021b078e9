import { oc } from '@orpc/contract';
import { z } from 'zod';
import { plainDate } from '../model/plain-date.ts';
import { REPORTED_KINDS } from '../reports/reported-kinds.ts';
import { inAccount } from './errors.ts';
import { ExportedFile } from './exported-file.ts';
import { WINDOW_MAX } from './limits.ts';
import { inWorkspace, WindowSchema } from './scalars.ts';

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

/** What a report is asked for. Both days belong to it. */
export const ReportWish = z.strictObject({
  reportType: z.string().regex(/^[A-Za-z]{1,40}$/),
  startDate: DaySchema,
  endDate: DaySchema,
  /** One row per day beside everything else. */
  byDate: z.boolean(),
});
export type ReportWish = z.infer<typeof ReportWish>;

export const SnapshotIdSchema = z.string().regex(/^[a-z0-9-]{1,120}$/);

/** A report that was fetched once and is kept for good: the service forgets its figures, this computer does not. */
export const ReportSnapshot = ReportWish.extend({
  id: SnapshotIdSchema,
  fetchedAt: z.int(),
  /** The day at the business when it was fetched; figures reach to the day before at most. */
  fetchedOn: DaySchema,
  rows: z.int(),
});
export type ReportSnapshot = z.infer<typeof ReportSnapshot>;

/** Figures by column name, in the smallest step of their unit. */
const Figures = z.record(z.string(), z.int());
const ReportFigure = z.strictObject({
  column: z.string(),
  metric: z.string(),
  window: z.enum(['3days', '14days', '30days']).nullable(),
  unit: z.enum(['count', 'money', 'percent', 'ratio']),
  /** Computed here from figures the service sent. */
  derived: z.boolean(),
});
export type ReportFigure = z.infer<typeof ReportFigure>;

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

export const ReportLook = z.strictObject({
  groupBy: z.string().max(200),
  /** Only rows with this text in one of their names. */
  contains: z.string().max(200).default(''),
  sortBy: z.string().max(200),
  descending: z.boolean().default(true),
  /** The figure that the campaigns are drawn by. */
  figure: z.string().max(200),
  ...WindowSchema,
});
export type ReportLook = z.infer<typeof ReportLook>;

const ofSnapshot = inWorkspace.extend({ id: SnapshotIdSchema });

export const reportsContract = {
  /**
   * Kept reports, newest first, and which day it is at the business: figures reach to the day before. `damaged` counts
   * reports whose files cannot be read any more.
   */
  list: oc
    .input(inWorkspace)
    .output(z.strictObject({ snapshots: z.array(ReportSnapshot), damaged: z.int(), today: DaySchema }))
    .errors(inAccount()),
  /** The report, from the service or kept: the same wish is sent once a day unless `again` says otherwise. */
  request: oc
    .input(inWorkspace.extend({ wish: ReportWish, again: z.boolean().default(false) }))
    .output(z.strictObject({ snapshot: ReportSnapshot, kept: z.boolean() }))
    .errors(inAccount('UNREACHABLE', 'BAD_CREDENTIALS', 'REPORT_FAILED')),
  view: oc
    .input(ofSnapshot.extend({ look: ReportLook }))
    .output(ReportView)
    .errors(inAccount('NO_REPORT', 'REPORT_UNREADABLE')),
  /** What a report says of rows, by the ids the service gave them; rows it does not know are absent. */
  ofRows: oc
    .input(ofSnapshot.extend({ kind: z.enum(REPORTED_KINDS), remoteIds: z.array(z.string().max(100)).max(WINDOW_MAX) }))
    .output(z.strictObject({ rows: z.array(z.strictObject({ remoteId: z.string(), figures: Figures })) }))
    .errors(inAccount('NO_REPORT', 'REPORT_UNREADABLE')),
  /** The report as it came, as a file to save or to drag out. */
  csv: oc.input(ofSnapshot).output(ExportedFile).errors(inAccount('NO_REPORT', 'REPORT_UNREADABLE')),
  remove: oc.input(ofSnapshot).output(z.strictObject({})).errors(inAccount('NO_REPORT')),
};

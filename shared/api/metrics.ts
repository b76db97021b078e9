import { z } from 'zod';
import { plainDate } from '../model/plain-date.ts';
import { FIRST_WINDOW, WINDOW_DAYS } from '../reports/account-metrics.ts';
import { REPORTED_KINDS } from '../reports/metric.ts';
import { DAY_STATES } from '../reports/metric-calendar.ts';
import { COMPARISONS, FIRST_COMPARISON } from '../reports/period.ts';
import { REPORT_TYPE } from '../reports/report-words.ts';
import { WINDOW_MAX } from './limits.ts';
import { operation } from './operation.ts';
import { GrantSchema, PeriodSchema, RowIdSchema } from './scalars.ts';

/**
 * Metrics of any days, from all reports received. Amounts are integers of the smallest unit: cents, hundredths of a
 * percent, hundredths of a ratio.
 */
const Day = z.string().refine((text) => plainDate(text) !== null, 'a day as 2026-05-31');
const Month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/);
const Span = z.strictObject({ from: Day, to: Day });
/** By name (`shared/reports/account-metrics.ts`); unknown metrics are absent. Others have the service's name. */
const Metrics = z.record(z.string(), z.int());

/** The requested days, and how purchases on them are counted. */
export const MetricsLook = z.strictObject({
  period: PeriodSchema,
  comparison: z.enum(COMPARISONS).default(FIRST_COMPARISON),
  window: z.literal(WINDOW_DAYS).default(FIRST_WINDOW),
  /** Excludes days whose purchases are not all counted yet. */
  settledOnly: z.boolean().default(false),
});
export type MetricsLook = z.infer<typeof MetricsLook>;

/** The groupings, each with the report that it is usually summed from. */
export const REPORT_OF_GROUPING = {
  campaign: 'campaign',
  adGroup: 'adGroup',
  item: 'adItem',
  keyword: 'keyword',
  text: 'keyword',
  match: 'keyword',
  brand: 'brand',
  category: 'category',
  platform: 'platform',
  page: 'pageType',
  type: 'campaign',
  targeting: 'campaign',
  label: 'campaign',
  day: 'campaign',
  week: 'campaign',
  month: 'campaign',
} as const;
export type MetricsGrouping = keyof typeof REPORT_OF_GROUPING;
export const GROUPINGS_OF_METRICS = Object.keys(REPORT_OF_GROUPING) as MetricsGrouping[];

const Sums = z.record(z.string(), z.int());
export const MetricsDay = z.strictObject({
  day: Day,
  state: z.enum(DAY_STATES),
  /** When the service was asked, and the date in the business time zone then. */
  fetchedAt: z.int().nullable(),
  fetchedOn: Day.nullable(),
  rows: z.int(),
  /** Why days are missing, as a part of a sentence. */
  why: z.string(),
  /** The last time its numbers were replaced: how many, and the sums before and after, by their names in reports. */
  changed: z.strictObject({ at: z.int(), cells: z.int(), before: Sums, after: Sums }).nullable(),
});
export type MetricsDay = z.infer<typeof MetricsDay>;

const Group = z.strictObject({
  /** The ID of the service, the shared text, or a day; `notInReport` for rows missing in the report. */
  key: z.string(),
  label: z.string(),
  /** The row of the account, if there is one. */
  rowId: RowIdSchema.nullable(),
  metrics: Metrics,
  previous: Metrics.nullable(),
});
export type MetricsGroup = z.infer<typeof Group>;

/** Source of the result; the same in every result about the same days and reports. */
const answered = {
  /** Changes when the numbers change. */
  version: z.string(),
  span: Span,
  previousSpan: Span.nullable(),
  /** When the newest of the days was received; null without any. */
  fetchedAt: z.int().nullable(),
  /** Days of the span that are not settled in the window, and days that are unknown. */
  notSettledDays: z.int(),
  unknownDays: z.int(),
};

const ownFile = {
  grant: GrantSchema,
  /** When the file was last changed, which is the age of its metrics; null to read it from the file. */
  modifiedAt: z.int().min(0).nullable().default(null),
};
const ReportFileAnswer = z.discriminatedUnion('is', [
  /** Why nothing of it can be used: a part of a sentence. */
  z.strictObject({ is: z.literal('refused'), problem: z.string() }),
  z.strictObject({
    is: z.literal('read'),
    reportType: z.string(),
    rows: z.int(),
    /** Rows without a day or an ID, and cells that contain no number. */
    skipped: z.int(),
    unreadable: z.int(),
    first: Day.nullable(),
    last: Day.nullable(),
    /** Days that are added, that are known from a newer report, that came with much less than is known, and that are missing. */
    taken: z.int(),
    older: z.int(),
    held: z.int(),
    gaps: z.int(),
  }),
]);
export type ReportFileAnswer = z.infer<typeof ReportFileAnswer>;

/** Ranges of an open view; null for all of it. */
export const ViewRanges = z
  .array(z.strictObject({ from: z.int().min(0), count: z.int().min(1) }))
  .max(1000)
  .nullable()
  .default(null);

export const NOT_IN_REPORT = 'notInReport';

export const metricsContract = {
  /** Metrics of rows of a kind; rows without data in any report of these days are absent. */
  ofRows: operation({
    input: {
      kind: z.enum(REPORTED_KINDS),
      ids: z.array(RowIdSchema).max(WINDOW_MAX),
      look: MetricsLook,
    },
    output: z.strictObject({
      ...answered,
      rows: z.array(
        z.strictObject({
          id: RowIdSchema,
          metrics: Metrics,
          previous: Metrics.nullable(),
          /** Hundredths of a percent: the share of purchases that is still expected for these days. */
          notSettled: z.int(),
          /** Spend of the 14 days up to the last of the span, the oldest first; null for a day that is unknown. */
          trend: z.array(z.int().nullable()),
        }),
      ),
    }),
  }),
  /**
   * All rows of an account, grouped by a shared value. The groups and, if present, the row `notInReport` add up to the
   * total; only a row with two labels counts in both.
   */
  grouped: operation({
    input: {
      group: z.enum(GROUPINGS_OF_METRICS),
      /** Type of report; absent for the one of the grouping. Labels are those of its rows. */
      reportType: z.string().regex(REPORT_TYPE).optional(),
      look: MetricsLook,
    },
    output: z.strictObject({
      ...answered,
      groups: z.array(Group),
      total: Metrics,
      previousTotal: Metrics.nullable(),
      /** Share of the campaigns' spend that the rows have, in hundredths of a percent; null without spend. */
      coverage: z.int().nullable(),
    }),
  }),
  /** Totals of the rows of an open view, or of these ranges of it; sums first, rates from them. */
  ofView: operation({
    input: {
      viewId: z.int(),
      kind: z.enum(REPORTED_KINDS),
      look: MetricsLook,
      ranges: ViewRanges,
    },
    output: z.strictObject({
      ...answered,
      /** Rows with metrics. */
      rows: z.int(),
      metrics: Metrics,
      previous: Metrics.nullable(),
    }),
    errors: ['NO_VIEW'],
  }),
  /** The state of every day of a span, for reports of a type. */
  days: operation({
    input: {
      reportType: z.string().regex(REPORT_TYPE).default('campaign'),
      from: Day,
      to: Day,
      window: z.literal(WINDOW_DAYS).default(FIRST_WINDOW),
    },
    output: z.strictObject({ version: z.string(), days: z.array(MetricsDay) }),
  }),
  /** Accepts or discards the data of days that are held back. */
  decide: operation({
    announced: true,
    access: 'write',
    input: { reportType: z.string().regex(REPORT_TYPE), days: z.array(Day).max(1000), take: z.boolean() },
    output: z.strictObject({ decided: z.int() }),
  }),
  /** The content of a report file of the user, and the changes if it is added. */
  previewFile: operation({
    input: ownFile,
    output: ReportFileAnswer,
    errors: ['NO_GRANT', 'BAD_FILE'],
  }),
  /** Adds its days; data of a newer report of a day stays. */
  addFile: operation({
    announced: true,
    access: 'write',
    input: ownFile,
    output: ReportFileAnswer,
    errors: ['NO_GRANT', 'BAD_FILE'],
  }),
  /** Whether days are requested in the background, and the stored size of each type of report. */
  settings: operation({
    output: z.strictObject({
      keepFresh: z.boolean(),
      /** Why metrics can't be read; empty if they can. */
      problem: z.string(),
      /** Why settled months cannot be saved in one piece; empty where they can. */
      monthProblem: z.string(),
      /** Why damaged days cannot be marked to be requested again; empty where they can. */
      damageProblem: z.string(),
      bytes: z.int(),
      sources: z.array(
        z.strictObject({
          reportType: z.string(),
          keys: z.array(z.string()),
          days: z.int(),
          first: Day.nullable(),
          last: Day.nullable(),
          rows: z.int(),
          /** Number of days that are stored only as a part of their month. */
          reduced: z.int(),
          bytes: z.int(),
        }),
      ),
      /** Months before which days can be reduced to months, in order. */
      reducible: z.array(Month),
    }),
  }),
  /** Reduces the days before a month to months. The days can't be restored, and the service may no longer have them. */
  keepMonths: operation({
    announced: true,
    access: 'write',
    input: { before: Month },
    output: z.strictObject({
      /** The requested month, or the last one before which days can be reduced. */
      before: Month,
      days: z.int(),
      /** Months that stay as days, because a day is missing, needs confirmation, or has other columns. */
      left: z.array(z.strictObject({ reportType: z.string(), month: Month })),
      bytesBefore: z.int(),
      bytes: z.int(),
      /** Why the file could not be compacted; empty if it could. */
      problem: z.string(),
    }),
  }),
  set: operation({
    announced: true,
    access: 'write',
    input: { keepFresh: z.boolean() },
    output: z.strictObject({}),
  }),
};

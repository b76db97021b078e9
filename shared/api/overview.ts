import { z } from 'zod';
import { FIELDS } from '../model/fields.ts';
import { REPORTED_KINDS } from '../reports/metric.ts';
import { NotificationEntry } from './app.ts';
import { Launch } from './campaigns.ts';
import { QUICK_FILTERS } from './choices.ts';
import { operation } from './operation.ts';
import { ReportSnapshot } from './reports.ts';
import { KindSchema, PeriodSchema, RowIdSchema } from './scalars.ts';

/** Calendar days as 2026-05-31. */
const Day = z.string();
const Span = z.strictObject({ from: Day, to: Day });

/** Money in cents, ROAS in hundredths. Null without data, and for a division by zero. */
const Metric = z.int().nullable();
const Tile = z.strictObject({
  now: Metric,
  before: Metric,
  /** The last 14 days of the period, oldest first. */
  days: z.array(Metric),
});

export const TILES = ['sales', 'spend', 'roas', 'orders', 'cpc'] as const;
export type TileName = (typeof TILES)[number];

const Pace = z.strictObject({
  campaignId: RowIdSchema,
  name: z.string(),
  /** In cents: the total budget of the flight, or the sum of the daily budgets of this month. */
  budget: z.int(),
  isTotal: z.boolean(),
  spent: z.int(),
  /** Elapsed part of that time, in hundredths of a percent. */
  elapsed: z.int(),
  is: z.enum(['on-pace', 'runs-out', 'left-over']),
  /** The day on which it is used up. */
  day: Day.nullable(),
  /** Unspent cents at the end. */
  left: z.int().nullable(),
});
export type Pace = z.infer<typeof Pace>;

export const Overview = z.strictObject({
  today: Day,
  span: Span,
  /** The last day that reports cover, and when the newest of them was received; null without any. */
  through: Day.nullable(),
  fetchedAt: z.int().nullable(),
  /** From the first to the last day without a report; the period before counts too. */
  missing: Span.nullable(),
  /** Reports for days of the period that can't be read. */
  damaged: z.array(ReportSnapshot),
  /** Whether the account has any campaign, of any type. */
  hasCampaigns: z.boolean(),
  /** Campaigns with metrics in the period: the rows that all tiles add up. */
  campaigns: z.int(),
  tiles: z.strictObject({ sales: Tile, spend: Tile, roas: Tile, orders: Tile, cpc: Tile }),
  days: z.array(
    z.strictObject({
      day: Day,
      sales: Metric,
      spend: Metric,
      /** False while the service can still add sales to the day. */
      isSettled: z.boolean(),
      /** Sales of the corresponding day of the period before. */
      before: Metric,
      /** Campaigns with metrics on this day. */
      campaigns: z.int(),
    }),
  ),
  /** Campaigns whose sales differ most from the period before. */
  changes: z.array(z.strictObject({ campaignId: RowIdSchema, name: z.string(), change: z.int() })),
  /** Campaigns that start in the next 14 days, the first few, and how many there are. */
  starting: z.strictObject({ total: z.int(), launches: z.array(Launch) }),
  /** Live campaigns with a budget: first those that are not on pace. Daily budgets of all of them, in cents. */
  pacing: z.strictObject({ daily: z.int(), total: z.int(), campaigns: z.array(Pace) }),
  lastSync: z
    .strictObject({
      at: z.int().nullable(),
      isRunning: z.boolean(),
      sent: z.int(),
      failed: z.int(),
      unresolved: z.int(),
      notSent: z.int(),
    })
    .nullable(),
});
export type Overview = z.infer<typeof Overview>;

export const overviewContract = {
  /** Performance of the account, from stored reports; no request is sent. */
  get: operation({
    input: {
      period: PeriodSchema,
      campaignType: z.enum(FIELDS.campaign.campaignType.type.choices).nullable().default(null),
    },
    output: Overview,
  }),
  /**
   * Requests reports for the days of the period and the period before that no stored report covers, for rows of a
   * kind. The same days are requested once; false when there is nothing to request, and then no event is emitted.
   * `again` requests the whole period again.
   */
  request: operation({
    access: 'write',
    input: {
      period: PeriodSchema,
      again: z.boolean().default(false),
      kind: z.enum(REPORTED_KINDS).default('campaign'),
    },
    output: z.strictObject({ requested: z.boolean() }),
    errors: ['UNREACHABLE', 'SERVICE_ANSWERED', 'BAD_CREDENTIALS', 'REPORT_FAILED'],
  }),
};

export const INBOX_GROUPS = ['requests', 'reviews', 'sync', 'conflicts', 'before-sync', 'notifications'] as const;

const INBOX_CAUSES = [
  /** The retailer has rejected something. */
  'rejection',
  /** A review is over, and changes that waited for it can be sent. */
  'after-review',
  /** Changes wait for an open review. */
  'in-review',
  /** The service did not accept a change. */
  'failed',
  /** Only the user can find out whether a row was created. */
  'question',
  /** Changed here and on the service. */
  'conflict',
  /** Rows with an error are not sent. */
  'error',
  /** New items that no search has confirmed. */
  'unverified',
  /** Files wait for the user to allow their host. */
  'upload-host',
  /** A colleague requests a sign-off, or has replied. */
  'request',
  /** A campaign uses up its daily budget on most days. */
  'budget',
  'notification',
] as const;

export const InboxEntry = z.strictObject({
  /** Stays the same as long as the cause lasts. */
  id: z.string().max(2500),
  group: z.enum(INBOX_GROUPS),
  is: z.enum(INBOX_CAUSES),
  /** It waits for the user and is counted. */
  asks: z.boolean(),
  at: z.int().nullable(),
  tone: z.enum(['good', 'bad', 'plain']),
  /** Number of its rows, of one kind: the view below has exactly so many. */
  rows: z.int(),
  kind: KindSchema.nullable(),
  filter: z.string(),
  only: z.enum(QUICK_FILTERS),
  /** Rows of other kinds rejected by the same review. */
  also: z.array(z.strictObject({ kind: KindSchema, rows: z.int(), filter: z.string() })),
  campaignId: RowIdSchema.nullable(),
  /** The first of the rows. */
  rowId: RowIdSchema.nullable(),
  label: z.string(),
  campaign: z.string(),
  campaigns: z.int(),
  field: z.string().nullable(),
  /** The id of a rule, of an unresolved request, of a change request, or a host; of a conflict the colleague it is with; of failed rows how many messages have no entry of their own. */
  ref: z.string(),
  /** Words of the reviewer or the service, the sentence of a rule or of a notification; of a conflict whether the row was deleted here. */
  text: z.string(),
  /** The place that a notification opens. */
  place: NotificationEntry.shape.place,
  submitBy: Day.nullable(),
  /** The start date of a rejected campaign that has not started. */
  startDate: Day.nullable(),
  /** By when a review that is submitted today has its result. */
  resultBy: Day.nullable(),
  /** The day at the business until which it is hidden; null for one that is shown. */
  snoozedUntil: Day.nullable(),
  isDone: z.boolean(),
});
export type InboxEntry = z.infer<typeof InboxEntry>;

const ofEntry = { id: z.string().min(1).max(2500) };

export const inboxContract = {
  /**
   * Everything that needs the user, by group, and notifications. An entry disappears with its cause. `lines` are the
   * most urgent ones, several of a kind combined.
   */
  list: operation({
    output: z.strictObject({
      entries: z.array(InboxEntry),
      lines: z.array(InboxEntry),
      /** Entries that need the user and are neither snoozed nor done. */
      asking: z.int(),
    }),
  }),
  /** Hides an entry until a day begins at the business. */
  snooze: operation({
    announced: true,
    access: 'write',
    input: { ...ofEntry, until: z.enum(['tomorrow', 'monday', 'submit-by']) },
    output: z.strictObject({}),
  }),
  /** Hides an entry until it changes, or shows it again. */
  setDone: operation({
    announced: true,
    access: 'write',
    input: { ...ofEntry, isDone: z.boolean() },
    output: z.strictObject({}),
  }),
};

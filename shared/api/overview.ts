import { z } from 'zod';
import { FIELDS } from '../model/fields.ts';
import { REPORTED_KINDS } from '../reports/metric.ts';
import { Launch } from './campaigns.ts';
import { QUICK_FILTERS } from './choices.ts';
import { operation } from './operation.ts';
import { ReportSnapshot } from './reports.ts';
import { KindSchema, PeriodSchema, RowIdSchema } from './scalars.ts';

/** Calendar days as 2026-05-31. */
const Day = z.string();
const Span = z.strictObject({ from: Day, to: Day });

/** Money in cents, ROAS in hundredths. Null for what no report says, and for a quotient by nothing. */
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
  /** In cents: the total budget of the whole flight, or what the daily budget comes to this month. */
  budget: z.int(),
  isTotal: z.boolean(),
  spent: z.int(),
  /** How much of that time is over, in hundredths of a percent. */
  elapsed: z.int(),
  is: z.enum(['on-pace', 'runs-out', 'left-over']),
  /** The day on which it runs out. */
  day: Day.nullable(),
  /** Cents that are left over in the end. */
  left: z.int().nullable(),
});
export type Pace = z.infer<typeof Pace>;

export const Overview = z.strictObject({
  today: Day,
  span: Span,
  /** The last day that reports cover, and when the newest of them was received; null without any. */
  through: Day.nullable(),
  fetchedAt: z.int().nullable(),
  /** From the first to the last day that no report covers; the period before counts. */
  missing: Span.nullable(),
  /** Reports that cover days of it and cannot be read. */
  damaged: z.array(ReportSnapshot),
  /** Whether the account has any campaign, of whatever type. */
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
      /** Sales of the day that lies as many days into the period before. */
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
  /** How the account does, from kept reports; nothing is asked of the service. */
  get: operation({
    input: {
      period: PeriodSchema,
      campaignType: z.enum(FIELDS.campaign.campaignType.type.choices).nullable().default(null),
    },
    output: Overview,
  }),
  /**
   * Requests the days of the period for rows of a kind, and of as many before, that no kept report covers. The same days are requested once;
   * false when there is nothing to request, and then nothing is announced. `again` requests the whole period whatever is kept.
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
  /** A review is over, and changes that it kept back can be sent. */
  'after-review',
  /** An open review keeps changes back. */
  'in-review',
  /** The service did not accept a change. */
  'failed',
  /** Only the user knows whether a row was created. */
  'question',
  /** Changed here and on the service. */
  'conflict',
  /** An error keeps rows from being sent. */
  'error',
  /** New items that no search has confirmed. */
  'unverified',
  /** Files may not go to their host yet. */
  'upload-host',
  /** A colleague asks for a sign-off, or has answered. */
  'request',
  /** A campaign spends its daily budget whole on most days. */
  'budget',
  'notification',
] as const;

export const InboxEntry = z.strictObject({
  /** The same for as long as its cause lasts. */
  id: z.string().max(2500),
  group: z.enum(INBOX_GROUPS),
  is: z.enum(INBOX_CAUSES),
  /** It waits for the user and is counted. */
  asks: z.boolean(),
  at: z.int().nullable(),
  tone: z.enum(['good', 'bad', 'plain']),
  /** How many rows it is about, of one kind: the view below has exactly so many. */
  rows: z.int(),
  kind: KindSchema.nullable(),
  filter: z.string(),
  only: z.enum(QUICK_FILTERS),
  /** Rows of other kinds that the same review has rejected. */
  also: z.array(z.strictObject({ kind: KindSchema, rows: z.int(), filter: z.string() })),
  campaignId: RowIdSchema.nullable(),
  /** The first of the rows. */
  rowId: RowIdSchema.nullable(),
  label: z.string(),
  campaign: z.string(),
  campaigns: z.int(),
  field: z.string().nullable(),
  /** The id of a rule, of an unresolved request, of a change request, or a host; of a conflict the colleague it is with. */
  ref: z.string(),
  /** Words of the reviewer or the service, the sentence of a rule or of a notification; of a conflict whether the row was deleted here. */
  text: z.string(),
  /** Where a notification leads. */
  place: z.enum(['sync', 'reviews', 'changes', 'media', 'backups', 'access', 'reports', 'alerts']).nullable(),
  submitBy: Day.nullable(),
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
   * Everything that needs the user, by group, and what happened by itself. An entry is gone when its cause is. `lines` are what
   * asks for most, several of a kind as one.
   */
  list: operation({
    output: z.strictObject({
      entries: z.array(InboxEntry),
      lines: z.array(InboxEntry),
      /** Entries that ask and are neither snoozed nor done. */
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
  /** Puts an entry aside until something of it changes, or shows it again. */
  setDone: operation({
    announced: true,
    access: 'write',
    input: { ...ofEntry, isDone: z.boolean() },
    output: z.strictObject({}),
  }),
};

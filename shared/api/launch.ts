import { z } from 'zod';
import { STEPS } from '../lifecycle/eligibility.ts';
import { FIELDS } from '../model/fields.ts';
import { LAUNCH_MAX } from './limits.ts';
import { operation } from './operation.ts';
import { KindSchema, RowIdSchema } from './scalars.ts';

/** What ends a missing step, or where it can be ended (`StepFix` of the lifecycle). */
export const LaunchFix = z.discriminatedUnion('way', [
  z.strictObject({ way: z.literal('create'), kind: z.literal('adGroup') }),
  z.strictObject({ way: z.literal('add'), kind: KindSchema }),
  z.strictObject({ way: z.literal('go'), kind: KindSchema, id: RowIdSchema, field: z.string() }),
  z.strictObject({ way: z.literal('sync') }),
  z.strictObject({ way: z.literal('submit') }),
  z.strictObject({
    way: z.literal('write'),
    id: RowIdSchema,
    values: z.strictObject({ status: z.literal('enabled'), endDate: z.string().optional() }),
  }),
  z.strictObject({ way: z.literal('outside') }),
  z.strictObject({ way: z.literal('look'), at: z.enum(['reviews', 'videos']) }),
]);
export type LaunchFix = z.infer<typeof LaunchFix>;

/** A missing step (`Step` of the lifecycle): how long it takes in minutes, at most and at least, and what ends it. */
export const LaunchStep = z.strictObject({ step: z.enum(STEPS), minutes: z.int(), least: z.int(), fix: LaunchFix });
export type LaunchStep = z.infer<typeof LaunchStep>;

/** The way of one campaign to being live: what it waits for, and until when it has to be submitted. */
export const Launch = z.strictObject({
  campaignId: RowIdSchema,
  name: z.string(),
  campaignType: z.string().nullable(),
  /** The one state that is shown, where it is from, and when the service last said what it rests on (ISO 8601, UTC). */
  state: z.enum(FIELDS.campaign.campaignState.type.choices),
  stateSource: z.enum(FIELDS.campaign.stateSource.type.choices),
  asOf: z.string().nullable(),
  /** State of the newest review of its first ad group that had one. */
  reviewStatus: z.string().nullable(),
  startDate: z.string().nullable(),
  endDate: z.string().nullable(),
  /** Missing steps that can be carried out now, the cheapest first. */
  missing: z.array(LaunchStep),
  /** Nothing is missing at all; without that and without a step something else comes first. */
  isReady: z.boolean(),
  /** A review is still to be passed, be it asked for or not. */
  needsReview: z.boolean(),
  /** Last day on which it can be submitted to be live on its first day; null without a review or a first day. */
  submitBy: z.string().nullable(),
  /** That day is over and the review has not been asked for. */
  isLate: z.boolean(),
  /** A video of it is not available on the service yet. */
  waitsForVideo: z.boolean(),
});
export type Launch = z.infer<typeof Launch>;

export const launchContract = {
  /** Campaigns that are not over, or ended a short while ago, in the order of their first day; those without one come last. */
  list: operation({
    runs: 'main',
    input: { from: z.int().min(0), count: z.int().min(0).max(LAUNCH_MAX) },
    output: z.strictObject({
      total: z.int(),
      /** The day it is at the business. */
      today: z.string(),
      reviewDays: z.strictObject({ min: z.int(), max: z.int() }),
      mediaMinutes: z.int(),
      launches: z.array(Launch),
    }),
  }),
};

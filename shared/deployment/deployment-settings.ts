import { z } from 'zod';
import { REPORT_TYPE, REPORT_WORD } from '../reports/report-words.ts';
import { DOCUMENT_LIMITS as LIMITS, USUAL_CHANGES_PER_HOUR } from './limits.ts';

/**
 * The deployment settings: every number, word and switch of one deployment of the service. Rules, plan, client
 * and screens read limits only from here, so a deployment with other limits needs no release.
 *
 * The defaults are the document's numbers (document, "Limits"); where it gives none they are those of
 * wire shapes, section 8, whose dotted key names are the paths in this object.
 */
const words = z.array(z.string().min(1)).readonly();
const OPEN_WORD = new RegExp(`^$|${REPORT_WORD.source}`);
const range = (min: number, max: number) =>
  z
    .strictObject({ min: z.number().default(min), max: z.number().default(max) })
    .prefault({})
    .refine((r) => r.min <= r.max, 'The lower end is above the upper end.');

export const DeploymentSettings = z.strictObject({
  version: z.literal(1).default(1),
  wire: z.strictObject({ dialect: z.enum(['seed', 'family']).default('seed') }).prefault({}),
  signature: z
    .strictObject({
      timestampUnit: z.enum(['ms', 's']).default('ms'),
      /** RSA with PKCS#1 v1.5 padding (RS) or PSS padding (PS). */
      algorithm: z.enum(['RS256', 'RS512', 'PS256']).default('RS256'),
    })
    .prefault({}),
  batch: z.strictObject({ max: z.int().positive().default(50), keywords: z.int().positive().default(25) }).prefault({}),
  rate: z
    .strictObject({
      opsPerHour: z.int().positive().default(USUAL_CHANGES_PER_HOUR),
      defaultWaitSeconds: z.int().positive().default(600),
    })
    .prefault({}),
  sba: z
    .strictObject({
      maxProfiles: z.int().positive().default(2),
      brandMax: z.int().positive().default(LIMITS.sba.brandMax),
      headlineMax: z.int().positive().default(LIMITS.sba.headlineMax),
      singleEnabled: z.boolean().default(true),
      /** `document`: click URLs are sent in the document's encoding ("SBA profile content rules"); `as-typed`: as they are. */
      clickUrlEncoding: z.enum(['document', 'as-typed']).default(LIMITS.sba.clickUrlEncoding),
    })
    .prefault({}),
  logo: z
    .strictObject({
      width: z.int().positive().default(LIMITS.logo.width),
      height: z.int().positive().default(LIMITS.logo.height),
      contentMaxKb: z.int().positive().default(LIMITS.logo.contentMaxKb),
      uploadMaxKb: z.int().positive().default(LIMITS.logo.uploadMaxKb),
    })
    .prefault({}),
  multiplier: z
    .strictObject({
      min: z.number().default(0),
      max: z.number().default(LIMITS.multiplier.max),
      placements: z
        .strictObject({
          auto: words.default(LIMITS.multiplier.placements.auto),
          manual: words.default(LIMITS.multiplier.placements.manual),
        })
        .prefault({}),
      platforms: words.default(LIMITS.multiplier.platforms),
      /** Name of the platform in an update: the document's table and its samples differ ("Platform multipliers"). */
      platformMember: z.enum(['platformType', 'placementType']).default('platformType'),
    })
    .prefault({}),
  adItems: z
    .strictObject({
      max: z.int().positive().default(10),
      /** Types of campaigns with separate limits. */
      maxOf: z
        .strictObject({
          sponsoredProducts: z.int().positive().nullable().default(null),
          sba: z.int().positive().nullable().default(null),
          video: z.int().positive().nullable().default(null),
        })
        .prefault({}),
      min: z.int().positive().default(1),
      recommended: z.int().positive().default(3),
    })
    .prefault({}),
  keywords: z
    .strictObject({
      maxDistinctEnabled: z.int().positive().default(LIMITS.keywords.maxDistinctEnabled),
      maxMatchTypes: z.int().positive().default(3),
      textMax: z.int().positive().default(80),
    })
    .prefault({}),
  bid: z
    .strictObject({
      /** Lowest keyword bid of a sponsored video campaign, in cents. */
      floorVideoKeywordCents: z.int().positive().default(150),
      /** Lowest item bid, in cents; null if only the service knows it. */
      floorItemCents: z.int().positive().nullable().default(null),
      /** Bids above this are warned about, in cents. */
      maxCents: z.int().positive().default(10_000),
    })
    .prefault({}),
  media: z
    .strictObject({
      seconds: range(LIMITS.media.seconds.min, LIMITS.media.seconds.max),
      maxMb: z.int().positive().default(LIMITS.media.maxMb),
      urlMinutes: z.int().positive().default(15),
      processingMinutes: z.int().positive().default(30),
      nameMax: z.int().positive().default(45),
    })
    .prefault({}),
  review: z.strictObject({ pollMinutes: z.int().positive().default(30), days: range(1, 3) }).prefault({}),
  snapshot: z.strictObject({ ttlHours: z.int().positive().default(24) }).prefault({}),
  report: z
    .strictObject({
      /** Sent with every report that does not set another one; empty sends none, and the service decides. */
      attributionWindow: z.string().regex(OPEN_WORD).default(''),
      format: z.string().regex(OPEN_WORD).default(''),
      /** Types of report besides those of the document. */
      types: z.array(z.string().regex(REPORT_TYPE)).readonly().default([]),
      /** The most days of one report, and how many days back the service has metrics. */
      daysMax: z.int().positive().default(60),
      historyDays: z.int().positive().default(730),
      /** The hour at the business from which the metrics of yesterday are there. */
      readyHour: z.int().min(0).max(23).default(10),
    })
    .prefault({}),
  business: z.strictObject({ zone: z.string().default('America/Los_Angeles') }).prefault({}),
  migration: z.strictObject({ cutover: z.iso.date().default('2026-07-31') }).prefault({}),
  campaign: z
    .strictObject({ uniqueName: z.boolean().default(true), adGroupsMax: z.int().positive().default(1) })
    .prefault({}),
  retail: z.strictObject({ host: z.string().default('') }).prefault({}),
  upload: z
    .strictObject({
      /** Hosts that upload URLs may name; the connection's own host is always included. */
      hosts: words.default([]),
    })
    .prefault({}),
  picture: z
    .strictObject({
      /** Hosts that pictures of items, logos and videos may come from, besides the retail site, the upload hosts and the service. */
      hosts: words.default([]),
    })
    .prefault({}),
});
export type DeploymentSettings = z.infer<typeof DeploymentSettings>;

/** Default settings of a deployment of which only the retail host is known. */
export const defaultDeploymentSettings = (retailHost = ''): DeploymentSettings =>
  DeploymentSettings.parse({ retail: { host: retailHost } });

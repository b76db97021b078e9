import { z } from 'zod';
import { LOGO_PIXELS, SBA_TEXT } from './document-limits.ts';

/**
 * The deployment profile: every number, word and switch of one deployment of the service. Rules, plan, client
 * and screens read limits from here and nowhere else, so a deployment with other limits needs no release.
 *
 * The defaults are the document's numbers (document, "Limits"); where it is silent they are the choices of
 * wire shapes, section 8, whose dotted key names are the paths in this object.
 */
const words = z.array(z.string().min(1)).readonly();
const range = (min: number, max: number) =>
  z
    .strictObject({ min: z.number().default(min), max: z.number().default(max) })
    .prefault({})
    .refine((r) => r.min <= r.max, 'the lower end is above the upper end');

export const DeploymentProfile = z.strictObject({
  version: z.literal(1).default(1),
  wire: z.strictObject({ dialect: z.enum(['seed', 'family']).default('seed') }).prefault({}),
  headers: z
    .strictObject({
      prefix: z
        .string()
        .regex(/^[A-Z][A-Z0-9]*$/)
        .default('SVC'),
    })
    .prefault({}),
  signature: z
    .strictObject({
      timestampUnit: z.enum(['ms', 's']).default('ms'),
      windowSeconds: z.int().positive().default(300),
    })
    .prefault({}),
  batch: z.strictObject({ max: z.int().positive().default(50), keywords: z.int().positive().default(25) }).prefault({}),
  rate: z
    .strictObject({
      opsPerHour: z.int().positive().default(3000),
      defaultWaitSeconds: z.int().positive().default(600),
    })
    .prefault({}),
  sba: z
    .strictObject({
      maxProfiles: z.int().positive().default(2),
      brandMax: z.int().positive().default(SBA_TEXT.brandMax),
      headlineMax: z.int().positive().default(SBA_TEXT.headlineMax),
      singleEnabled: z.boolean().default(true),
    })
    .prefault({}),
  logo: z
    .strictObject({
      width: z.int().positive().default(LOGO_PIXELS.width),
      height: z.int().positive().default(LOGO_PIXELS.height),
      contentMaxKb: z.int().positive().default(200),
      uploadMaxKb: z.int().positive().default(1024),
    })
    .prefault({}),
  multiplier: z
    .strictObject({
      min: z.number().default(0),
      max: z.number().default(50000),
      placements: z
        .strictObject({
          auto: words.default(['Search Ingrid', 'Buy-Box']),
          manual: words.default(['Search Ingrid']),
        })
        .prefault({}),
      platforms: words.default(['Desktop', 'Mobile', 'App']),
    })
    .prefault({}),
  adItems: z
    .strictObject({
      max: z.int().positive().default(10),
      min: z.int().positive().default(1),
      recommended: z.int().positive().default(3),
    })
    .prefault({}),
  keywords: z
    .strictObject({
      maxDistinctEnabled: z.int().positive().default(200),
      maxMatchTypes: z.int().positive().default(3),
      textMax: z.int().positive().default(80),
    })
    .prefault({}),
  bid: z
    .strictObject({
      /** Lowest keyword bid of a sponsored video campaign, in cents. */
      floorVideoKeywordCents: z.int().positive().default(150),
      /** Lowest item bid, in cents; null where only the service knows. */
      floorItemCents: z.int().positive().nullable().default(null),
      /** Bids above this are warned about, in cents. */
      maxCents: z.int().positive().default(10_000),
    })
    .prefault({}),
  media: z
    .strictObject({
      seconds: range(5, 45),
      maxMb: z.int().positive().default(500),
      urlMinutes: z.int().positive().default(15),
      processingMinutes: z.int().positive().default(30),
      nameMax: z.int().positive().default(45),
    })
    .prefault({}),
  review: z.strictObject({ pollMinutes: z.int().positive().default(30), days: range(1, 3) }).prefault({}),
  snapshot: z.strictObject({ ttlHours: z.int().positive().default(24) }).prefault({}),
  business: z.strictObject({ zone: z.string().default('America/Los_Angeles') }).prefault({}),
  migration: z.strictObject({ cutover: z.iso.date().default('2026-07-31') }).prefault({}),
  campaign: z
    .strictObject({ uniqueName: z.boolean().default(true), adGroupsMax: z.int().positive().default(1) })
    .prefault({}),
  retail: z.strictObject({ host: z.string().default('') }).prefault({}),
  upload: z
    .strictObject({
      /** Hosts that upload addresses may name; the connection's own host is always among them. */
      hosts: words.default([]),
    })
    .prefault({}),
});
export type DeploymentProfile = z.infer<typeof DeploymentProfile>;

/** The profile of a deployment about which nothing but its retail host is known. */
export const defaultProfile = (retailHost = ''): DeploymentProfile =>
  DeploymentProfile.parse({ retail: { host: retailHost } });

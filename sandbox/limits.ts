/**
 * All numbers of the service. Sections are those of the partner API document. Amounts of money are in cents,
 * multipliers in hundredths of a percent.
 */
const KILOBYTE = 1024;

export const limits = {
  /** "Limits", batch size. */
  batchMax: 50,
  /** "Limits", SBA profiles per ad group (V2). */
  sbaMaxProfiles: 2,
  /** "SBA profile content rules". */
  brandMaxCharacters: 35,
  headlineMaxCharacters: 45,
  logoPixels: 100,
  logoContentMaxBytes: 200 * KILOBYTE,
  logoUploadMaxBytes: 1024 * KILOBYTE,
  /** "Limits", bid multiplier range, in hundredths: 0 to 50000 percent. */
  multiplierMaxHundredths: 5_000_000,
  /** "Placement multiplier": the placements of each targeting type. */
  placements: { auto: ['Search Ingrid', 'Buy-Box'], manual: ['Search Ingrid'] },
  /** "Platform multiplier". */
  platforms: ['Desktop', 'Mobile', 'App'],
  /** "Limits", ad items per ad group. */
  adItemsMin: 1,
  adItemsMax: 10,
  /** Lowest bid on an item. The document has the message but not the amount. */
  itemBidFloorCents: 20,
  /** "Limits", distinct bid keywords enabled per ad group, and minimum keyword bid of sponsored video. */
  keywordsMaxDistinctEnabled: 200,
  keywordMatchTypes: ['exact', 'phrase', 'broad'],
  videoKeywordBidFloorCents: 150,
  keywordBidFloorCents: 20,
  /** "Limits", ad groups per campaign and video profiles per campaign. */
  adGroupsPerCampaign: 1,
  videoProfilesPerCampaign: 1,
  /** "Limits", video length. */
  videoMinSeconds: 5,
  videoMaxSeconds: 45,
  /** "Limits", upload and caption URL lifetime, media processing, review duration. */
  uploadUrlMinutes: 15,
  mediaProcessingMinutes: 30,
  reviewMinDays: 1,
  reviewMaxDays: 3,
  /** Minutes to make a report file, hours to fetch it, and the maximum of days it covers. */
  snapshotMinutes: 2,
  snapshotHours: 24,
  reportDaysMax: 366,
  /** Allowed difference of signature timestamps, in both directions. */
  signatureWindowSeconds: 300,
  /** Changed elements per hour and principal. */
  operationsPerHour: 3000,
  itemSearchMax: 200,
  jsonBodyMaxBytes: 4 * KILOBYTE * KILOBYTE,
  nameMaxCharacters: 255,
  /** "Item identifier migration": midnight of this day in the business zone. */
  cutoverDate: '2026-07-31',
  businessZone: 'America/Los_Angeles',
  openEndDate: '9999-12-30',
} as const;

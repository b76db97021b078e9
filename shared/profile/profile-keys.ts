/**
 * The keys of a deployment profile in its text form (wire shapes, section 8), what is written after each, and
 * where the values live in the object. The order is the order of the text.
 */
export interface ProfileKey {
  readonly key: string;
  readonly form: Form;
  /** Paths in the object: two for a range and a size, one for everything else. */
  readonly paths: readonly (readonly string[])[];
}

/**
 * How a value is written:
 *   text `Los Angeles`   number `300`   switch `true`   list `[Desktop, Mobile]`
 *   range `5..45`        size `100x100` money `1.50`    money-or-none `1.50` or nothing
 *   number-or-none `300` or nothing
 */
export type Form =
  | 'text'
  | 'number'
  | 'switch'
  | 'list'
  | 'range'
  | 'size'
  | 'money'
  | 'money-or-none'
  | 'number-or-none';

const at = (key: string, form: Form, ...paths: readonly string[]): ProfileKey => ({
  key,
  form,
  paths: (paths.length === 0 ? [key] : paths).map((path) => path.split('.')),
});

export const PROFILE_KEYS: readonly ProfileKey[] = [
  at('version', 'number'),
  at('wire.dialect', 'text'),
  at('signature.timestampUnit', 'text'),
  at('signature.algorithm', 'text'),
  at('batch.max', 'number'),
  at('batch.keywords', 'number'),
  at('rate.opsPerHour', 'number'),
  at('rate.defaultWaitSeconds', 'number'),
  at('sba.maxProfiles', 'number'),
  at('sba.brandMax', 'number'),
  at('sba.headlineMax', 'number'),
  at('sba.singleEnabled', 'switch'),
  at('sba.clickUrlEncoding', 'text'),
  at('logo.pixels', 'size', 'logo.width', 'logo.height'),
  at('logo.contentMaxKb', 'number'),
  at('logo.uploadMaxKb', 'number'),
  at('multiplier.min', 'number'),
  at('multiplier.max', 'number'),
  at('multiplier.placements.auto', 'list'),
  at('multiplier.placements.manual', 'list'),
  at('multiplier.platforms', 'list'),
  at('multiplier.platformMember', 'text'),
  at('adItems.max', 'number'),
  at('adItems.max.sponsoredProducts', 'number-or-none', 'adItems.maxOf.sponsoredProducts'),
  at('adItems.max.sba', 'number-or-none', 'adItems.maxOf.sba'),
  at('adItems.max.video', 'number-or-none', 'adItems.maxOf.video'),
  at('adItems.min', 'number'),
  at('adItems.recommended', 'number'),
  at('keywords.maxDistinctEnabled', 'number'),
  at('keywords.maxMatchTypes', 'number'),
  at('keywords.textMax', 'number'),
  at('bid.floor.videoKeyword', 'money', 'bid.floorVideoKeywordCents'),
  at('bid.floor.item', 'money-or-none', 'bid.floorItemCents'),
  at('bid.max', 'money', 'bid.maxCents'),
  at('media.seconds', 'range', 'media.seconds.min', 'media.seconds.max'),
  at('media.maxMb', 'number'),
  at('media.urlMinutes', 'number'),
  at('media.processingMinutes', 'number'),
  at('media.nameMax', 'number'),
  at('review.pollMinutes', 'number'),
  at('review.days', 'range', 'review.days.min', 'review.days.max'),
  at('snapshot.ttlHours', 'number'),
  at('report.attributionWindow', 'text'),
  at('report.format', 'text'),
  at('report.types', 'list'),
  at('business.zone', 'text'),
  at('migration.cutover', 'text'),
  at('campaign.uniqueName', 'switch'),
  at('campaign.adGroupsMax', 'number'),
  at('retail.host', 'text'),
  at('upload.hosts', 'list'),
  at('picture.hosts', 'list'),
];

/** Keys that nothing reads any more. A text that still has one of them can be used; the line means nothing. */
export const RETIRED_KEYS: readonly string[] = ['headers.prefix', 'signature.windowSeconds'];

import { isActive, isEstimated, isUnderReview } from '../lifecycle/states.ts';
import type { CampaignTree } from '../model/campaign-tree.ts';
import { type CanonicalUrl, canonicalClickUrl, splitUrl, type UrlParts } from '../model/click-url.ts';
import { isDeleted, isNew, type Row } from '../model/row.ts';
import { codePointLength, controlCharacterAt, cutToCodePoints, isLongerThan } from '../model/text.ts';
import { logoProblem } from './media.ts';
import { isMissing, type Report, type RuleEnv, reportUnseen, rulesOf } from './rule.ts';
import { shortenings } from './suggested-values.ts';

/** Rules for brand name and headline of a brand profile: requirements, and what reviewers tend to reject. */
export const sbaContent = rulesOf('sbaProfile', 'sba', 'SBA profile content rules', {
  'brand-required': {
    bit: 0,
    severity: 'error',
    fields: ['brand'],
    name: 'No brand name',
    text: 'SBA profile "{label}" has no brand name. Enter the brand name.',
  },
  'brand-length': {
    bit: 1,
    severity: 'error',
    fields: ['brand'],
    name: 'Brand name too long',
    text: 'The brand name of profile "{label}" has {length} characters, but at most {max} are allowed. Shorten it.',
  },
  'headline-required': {
    bit: 2,
    severity: 'error',
    fields: ['headline'],
    name: 'No headline',
    text: 'SBA profile "{label}" has no headline. Enter the headline of the banner.',
  },
  'headline-length': {
    bit: 3,
    severity: 'error',
    fields: ['headline'],
    name: 'Headline too long',
    text: 'The headline "{label}" has {length} characters, but at most {max} are allowed. Shorten it.',
  },
  'text-characters': {
    bit: 4,
    severity: 'error',
    fields: ['headline', 'brand'],
    name: 'Damaged SBA profile text',
    text: 'SBA profile "{label}" has an invisible character in its brand name or headline. Enter the text again.',
  },
  'text-unseen': {
    bit: 38,
    severity: 'warning',
    fields: ['brand', 'headline'],
    section: 'practice',
    name: 'Invisible characters in an SBA profile',
    text: 'The text "{shown}" of the SBA profile contains invisible characters. Enter the text again.',
  },
  'headline-capitals': {
    bit: 5,
    severity: 'advice',
    fields: ['headline'],
    section: 'practice',
    name: 'Headline in capitals',
    text: 'The headline "{label}" is in capitals, which reviewers often reject. Write it in sentence case.',
  },
  'headline-exclamation': {
    bit: 6,
    severity: 'advice',
    fields: ['headline'],
    section: 'practice',
    name: 'Exclamation mark in the headline',
    text: 'The headline "{label}" has an exclamation mark, which reviewers often reject. Remove it.',
  },
  'headline-superlative': {
    bit: 7,
    severity: 'advice',
    fields: ['headline'],
    section: 'practice',
    name: 'Superlative in the headline',
    text: 'The headline "{label}" says "{word}". Reviewers often ask for proof of such claims. Use other words.',
  },
  'headline-price': {
    bit: 8,
    severity: 'advice',
    fields: ['headline'],
    section: 'practice',
    name: 'Price in the headline',
    text: 'The headline "{label}" contains a price or a discount, which can change before the review ends. Remove it.',
  },
  'headline-blanks': {
    bit: 9,
    severity: 'advice',
    fields: ['headline'],
    section: 'practice',
    name: 'Extra spaces in the headline',
    text: 'The headline "{label}" has several spaces in a row, which count as characters. Use single spaces.',
  },
  'headline-is-brand': {
    bit: 10,
    severity: 'advice',
    fields: ['headline'],
    section: 'practice',
    name: 'Headline repeats the brand',
    text: 'The headline "{label}" only repeats the brand name, which is shown next to it. Describe what the brand offers.',
  },
});

const CLAIM = /\b(best|cheapest|lowest price|number one|no\. ?1|#1|guaranteed|100 ?%|free)\b/iu;
const PRICE = /[$€£]\s?\d|\d\s?[$€£]|\d\s?%|\b(sale|discount|save)\b/iu;

export function checkSbaContent({ sbaProfiles }: CampaignTree, env: RuleEnv, report: Report): void {
  for (const row of sbaProfiles) {
    checkBrand(row, env.profile.sba.brandMax, report);
    checkHeadline(row, env.profile.sba.headlineMax, report);
  }
}

function checkBrand(row: Row<'sbaProfile'>, max: number, report: Report): void {
  const { brand } = row.values;
  if (isMissing(row, 'brand')) report.add(sbaContent['brand-required'], row);
  if (brand === null) return;
  if (isLongerThan(brand, max)) {
    const fix = { field: 'brand', value: cutToCodePoints(brand, max).trim() };
    report.add(sbaContent['brand-length'], row, { length: codePointLength(brand), max }, fix);
  }
  reportUnseen(sbaContent['text-unseen'], row, 'brand', brand, report);
  if (controlCharacterAt(brand) >= 0) report.add(sbaContent['text-characters'], row);
}

function checkHeadline(row: Row<'sbaProfile'>, max: number, report: Report): void {
  const { headline, brand } = row.values;
  if (isMissing(row, 'headline')) report.add(sbaContent['headline-required'], row);
  if (headline === null) return;
  if (isLongerThan(headline, max)) {
    const [value] = shortenings(headline, max);
    const fix = value === undefined ? undefined : { field: 'headline', value };
    report.add(sbaContent['headline-length'], row, { length: codePointLength(headline), max }, fix);
  }
  reportUnseen(sbaContent['text-unseen'], row, 'headline', headline, report);
  if (controlCharacterAt(headline) >= 0) report.add(sbaContent['text-characters'], row);
  const letters = headline.replace(/\P{L}/gu, '');
  if (letters.length > 3 && letters === letters.toUpperCase() && letters !== letters.toLowerCase()) {
    report.add(sbaContent['headline-capitals'], row, {}, { field: 'headline', value: sentenceCase(headline) });
  }
  if (headline.includes('!')) {
    report.add(
      sbaContent['headline-exclamation'],
      row,
      {},
      { field: 'headline', value: headline.replaceAll('!', '').trim() },
    );
  }
  const claim = CLAIM.exec(headline);
  if (claim !== null) report.add(sbaContent['headline-superlative'], row, { word: claim[0] });
  if (PRICE.test(headline)) report.add(sbaContent['headline-price'], row);
  if (/\S\s{2,}\S/u.test(headline)) {
    report.add(sbaContent['headline-blanks'], row, {}, { field: 'headline', value: headline.replace(/\s+/gu, ' ') });
  }
  if (brand !== null && headline.toLowerCase() === brand.toLowerCase())
    report.add(sbaContent['headline-is-brand'], row);
}

function sentenceCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.slice(0, 1).toUpperCase() + lower.slice(1);
}

/** Rules for brand profiles against each other and the state of their campaign, and for their logos. */
export const sbaState = rulesOf('sbaProfile', 'sba', 'SBA profile', {
  'wrong-campaign': {
    bit: 23,
    severity: 'error',
    scope: 'campaign',
    section: 'Errors',
    name: 'SBA profile in another campaign type',
    text: `SBA profile "{label}" is in a campaign of type {type}, which can't contain SBA profiles. Move it to an SBA campaign.`,
  },
  'too-many': {
    bit: 24,
    severity: 'error',
    scope: 'ad group',
    section: 'Limits',
    name: 'Too many SBA profiles',
    text: 'The ad group has more than {max} SBA profiles. Delete profile "{label}" or another one.',
  },
  'two-enabled': {
    bit: 25,
    severity: 'warning',
    fields: ['status'],
    scope: 'ad group',
    name: 'Two SBA profiles enabled',
    text: 'Two SBA profiles in this ad group are enabled, but only one can be. Disable "{label}" or the other one.',
  },
  'none-enabled': {
    bit: 26,
    severity: 'warning',
    fields: ['status'],
    scope: 'ad group',
    name: 'No SBA profile enabled',
    text: `No SBA profile in this ad group is enabled, so the campaign can't go live. Enable "{label}".`,
  },
  'same-content': {
    bit: 27,
    severity: 'error',
    fields: ['headline'],
    scope: 'ad group',
    section: 'practice',
    name: 'Identical SBA profiles',
    text: 'Two SBA profiles in this ad group are identical. Change or delete "{label}".',
  },
  'live-enabled-change': {
    bit: 28,
    severity: 'error',
    fields: ['status', 'headline'],
    scope: 'campaign',
    section: 'SBA profile',
    needs: 'service state',
    name: 'Live SBA profile changed',
    text: `SBA profile "{label}" is enabled in a campaign that is {state}, so it can't be changed. Use "Swap banner without pausing", or pause the campaign first.`,
  },
  'live-unapproved-enable': {
    bit: 29,
    severity: 'error',
    fields: ['status'],
    scope: 'campaign',
    section: 'SBA profile',
    needs: 'service state',
    name: 'SBA profile not approved',
    text: `SBA profile "{label}" can't be enabled while its campaign is {state}, because it is not approved. Submit it for review first.`,
  },
  'live-change-and-enable': {
    bit: 30,
    severity: 'warning',
    fields: ['status'],
    scope: 'campaign',
    section: 'SBA profile',
    needs: 'service state',
    name: 'SBA profile changed and enabled',
    text: 'SBA profile "{label}" is changed and enabled while its campaign is {state}. Adslate sends the change first and enables the profile after it is approved.',
  },
  rejected: {
    bit: 31,
    severity: 'warning',
    fields: ['headline', 'reviewStatus'],
    section: 'Review',
    needs: 'service state',
    name: 'SBA profile rejected',
    text: 'The review rejected SBA profile "{label}": {reason}. Change it and resubmit.',
  },
  'under-review': {
    bit: 32,
    severity: 'warning',
    scope: 'campaign',
    section: 'Errors',
    needs: 'service state',
    name: 'SBA profile held by a review',
    text: `SBA profile "{label}" can't be added or changed while its campaign is in review. Adslate sends it after the review. To send it sooner, cancel the review.`,
  },
  'logo-missing': {
    bit: 33,
    severity: 'warning',
    fields: ['logo'],
    section: 'SBA profile content rules',
    name: 'No logo',
    text: 'SBA profile "{label}" has no logo, which the banner needs. Add a PNG of {width} x {height} pixels.',
  },
  'logo-unusable': {
    bit: 34,
    severity: 'error',
    fields: ['logo'],
    section: 'SBA profile content rules',
    needs: 'media facts',
    name: 'Unusable logo',
    text: `The logo of SBA profile "{label}" can't be used: {problem}. Choose a PNG of {width} x {height} pixels and up to {kb} KB.`,
  },
  'second-is-disabled': {
    bit: 35,
    severity: 'advice',
    fields: ['status'],
    scope: 'ad group',
    name: 'Second SBA profile disabled',
    text: 'SBA profile "{label}" is created disabled, because another profile is created before it. Enable it later.',
  },
  'delete-impossible': {
    bit: 36,
    severity: 'warning',
    name: "SBA profile can't be deleted",
    text: `SBA profile "{label}" is marked for deletion, but the service can't delete profiles. Revert the deletion and disable the profile instead.`,
  },
  'estimated-enabled-change': {
    bit: 40,
    severity: 'warning',
    fields: ['status', 'headline'],
    scope: 'campaign',
    section: 'SBA profile',
    needs: 'service state',
    name: 'Change might fail',
    text: 'SBA profile "{label}" is enabled in a campaign that is probably {state}. The service might not accept the change. Pause the campaign first, or change the disabled profile instead.',
  },
  'estimated-unapproved-enable': {
    bit: 39,
    severity: 'warning',
    fields: ['status'],
    scope: 'campaign',
    section: 'SBA profile',
    needs: 'service state',
    name: 'Enabling might fail',
    text: 'SBA profile "{label}" is not approved, and its campaign is probably {state}. The service might not enable it. Submit it for review first.',
  },
});

export function checkSbaStates(tree: CampaignTree, env: RuleEnv, report: Report): void {
  if (tree.sbaProfiles.length === 0) return;
  const type = tree.campaign.values.campaignType;
  const underReview = tree.adGroups.some(isUnderReview);
  for (const row of tree.sbaProfiles) {
    if (isDeleted(row)) {
      report.add(sbaState['delete-impossible'], row);
      continue;
    }
    if (type !== null && type !== 'sba') report.add(sbaState['wrong-campaign'], row, { type });
    checkLogo(row, tree, env, report);
    checkAgainstState(row, tree, report);
    const { reviewStatus, reviewReason } = row.values;
    if (reviewStatus === 'rejected') report.add(sbaState.rejected, row, { reason: reviewReason ?? 'no reason given' });
    if (underReview && row.dirty !== 0) report.add(sbaState['under-review'], row);
  }
  const rows = tree.sbaProfiles.filter((row) => !isDeleted(row));
  for (const inGroup of Map.groupBy(rows, (row) => row.adGroupId).values()) checkGroup(inGroup, env, report);
}

function checkGroup(rows: readonly Row<'sbaProfile'>[], { profile }: RuleEnv, report: Report): void {
  const { maxProfiles: max, singleEnabled } = profile.sba;
  for (const row of rows.slice(max)) report.add(sbaState['too-many'], row, { max });
  const enabled = rows.filter((row) => row.values.status !== 'disabled');
  const [first] = rows;
  if (singleEnabled && enabled.every((row) => !isNew(row))) {
    for (const row of enabled.slice(1)) report.add(sbaState['two-enabled'], row);
  } else if (singleEnabled) {
    const laterNew = enabled.slice(1).filter(isNew);
    for (const row of laterNew) report.add(sbaState['second-is-disabled'], row);
  }
  if (enabled.length === 0 && first !== undefined && !isNew(first)) report.add(sbaState['none-enabled'], first);
  const seen = new Set<string>();
  for (const row of rows) {
    const { brand, headline, clickUrl } = row.values;
    const key = JSON.stringify([brand, headline, clickUrl === null ? null : canonicalClickUrl(clickUrl).url]);
    if (seen.has(key) && headline !== null) report.add(sbaState['same-content'], row);
    seen.add(key);
  }
}

/** Checks for edits that the service refuses on scheduled or live campaigns (document, "SBA profile" states). */
function checkAgainstState(row: Row<'sbaProfile'>, { campaign }: CampaignTree, report: Report): void {
  const state = campaign.values.campaignState;
  const { base, values } = row;
  if (state === null || !isActive(campaign) || isNew(row) || base === null) return;
  const rules = sbaState;
  const isSure = !isEstimated(campaign);
  const content = (['brand', 'headline', 'clickUrl', 'logo'] as const).some((field) => values[field] !== base[field]);
  const enables = values.status === 'enabled' && base.status === 'disabled';
  if (base.status === 'enabled') {
    report.add(isSure ? rules['live-enabled-change'] : rules['estimated-enabled-change'], row, { state });
  } else if (enables && content) report.add(rules['live-change-and-enable'], row, { state });
  else if (enables && values.reviewStatus !== 'approved') {
    const rule = isSure ? rules['live-unapproved-enable'] : rules['estimated-unapproved-enable'];
    report.add(rule, row, { state }, { field: 'status', value: 'disabled' });
  }
}

function checkLogo(row: Row<'sbaProfile'>, tree: CampaignTree, { profile }: RuleEnv, report: Report): void {
  const { logo, logoUrl } = row.values;
  const { width, height, contentMaxKb: kb } = profile.logo;
  if (logo === null) {
    if (logoUrl === null) report.add(sbaState['logo-missing'], row, { width, height });
    return;
  }
  const problem = logoProblem(
    tree.media.find((media) => media.id === logo),
    profile,
  );
  if (problem !== null) report.add(sbaState['logo-unusable'], row, { problem, width, height, kb });
}

/** The address a brand profile leads to. */
export const clickUrlRules = rulesOf(
  'sbaProfile',
  'click-url',
  { section: 'SBA profile content rules', fields: ['clickUrl'] },
  {
    required: {
      bit: 11,
      severity: 'error',
      name: 'No click URL',
      text: 'SBA profile "{label}" has no click URL. Enter the https:// URL of a brand page or a search page on the retail site.',
    },
    invalid: {
      bit: 12,
      severity: 'error',
      name: 'Invalid click URL',
      text: 'The click URL of "{label}" is not a web address: "{url}". Enter a URL that begins with https://.',
    },
    https: {
      bit: 13,
      severity: 'error',
      name: 'Click URL without https',
      text: 'The click URL of "{label}" begins with {scheme}, but only https is allowed. Use https instead.',
    },
    host: {
      bit: 14,
      severity: 'error',
      name: 'Click URL on another site',
      text: 'The click URL of "{label}" leads to {host}, but it must lead to {retail}. Use a URL of the retail site.',
    },
    port: {
      bit: 15,
      severity: 'error',
      name: 'Port in the click URL',
      text: 'The click URL of "{label}" contains port {port}, which is not allowed. Remove the port.',
    },
    'user-name': {
      bit: 16,
      severity: 'error',
      name: 'User name in the click URL',
      text: 'The click URL of "{label}" contains a user name before the host. Remove it.',
    },
    typeahead: {
      bit: 17,
      severity: 'error',
      name: 'Typeahead in the click URL',
      text: 'The click URL of "{label}" contains a typeahead parameter, which is not allowed. Remove it.',
    },
    encoding: {
      bit: 18,
      severity: 'warning',
      name: 'Click URL will be encoded',
      text: 'The click URL of "{label}" will be encoded when it is sent: {rewrites}. Accept the encoding to see the result.',
    },
    length: {
      bit: 19,
      severity: 'warning',
      section: 'practice',
      name: 'Click URL too long',
      text: 'The click URL of "{label}" has {length} characters, and more than {max} fail in some browsers. Shorten it.',
    },
    fragment: {
      bit: 20,
      severity: 'advice',
      section: 'practice',
      name: 'Fragment in the click URL',
      text: 'The click URL of "{label}" ends in a fragment (#...), which the site may ignore. Remove it if it is not needed.',
    },
    'home-page': {
      bit: 21,
      severity: 'advice',
      name: 'Click URL of the home page',
      text: 'The click URL of "{label}" leads to the home page. Use a brand page or a search page instead.',
    },
    'same-twice': {
      bit: 22,
      severity: 'advice',
      scope: 'campaign',
      section: 'practice',
      name: 'Same click URL twice',
      text: 'Two SBA profiles in this campaign have the same click URL. Use two pages to learn which works better.',
    },
  },
);

const LENGTH_MAX = 2000;

export function checkClickUrls({ sbaProfiles }: CampaignTree, env: RuleEnv, report: Report): void {
  const seen = new Set<string>();
  for (const row of sbaProfiles) {
    const raw = row.values.clickUrl;
    if (isMissing(row, 'clickUrl')) report.add(clickUrlRules.required, row);
    if (raw === null) continue;
    const canonical = canonicalClickUrl(raw);
    const parts = splitUrl(raw);
    if (parts === null || (parts.scheme !== 'https' && parts.scheme !== 'http')) {
      report.add(clickUrlRules.invalid, row, { url: raw.slice(0, 80) });
      continue;
    }
    checkParts(row, parts, canonical, retailHost(env), report);
    checkRewrites(row, raw, canonical, env.profile.sba.clickUrlEncoding === 'document', report);
    if (seen.has(canonical.url)) report.add(clickUrlRules['same-twice'], row);
    seen.add(canonical.url);
  }
}

function checkParts(
  row: Row<'sbaProfile'>,
  parts: UrlParts,
  canonical: CanonicalUrl,
  retail: string,
  report: Report,
): void {
  const rules = clickUrlRules;
  if (parts.scheme === 'http') {
    const value = canonical.url.replace(/^http:/, 'https:');
    report.add(rules.https, row, { scheme: 'http' }, { field: 'clickUrl', value });
  }
  if (retail !== '' && parts.host !== retail && !parts.host.endsWith(`.${retail}`)) {
    report.add(rules.host, row, { host: parts.host, retail });
  }
  if (parts.port !== null) report.add(rules.port, row, { port: parts.port });
  if (parts.userInfo !== null) report.add(rules['user-name'], row);
  if (canonical.url.length > LENGTH_MAX) {
    report.add(rules.length, row, { length: canonical.url.length, max: LENGTH_MAX });
  }
  if (parts.rest.includes('#')) report.add(rules.fragment, row);
  if (parts.rest === '' || parts.rest === '/') report.add(rules['home-page'], row);
}

function checkRewrites(
  row: Row<'sbaProfile'>,
  raw: string,
  { url, rewrites }: CanonicalUrl,
  isEncoded: boolean,
  report: Report,
): void {
  const fix = { field: 'clickUrl', value: url };
  if (rewrites.some((rewrite) => rewrite.from === 'typeahead=')) report.add(clickUrlRules.typeahead, row, {}, fix);
  const encoded = rewrites.filter((rewrite) => rewrite.from !== 'typeahead=');
  if (!isEncoded || encoded.length === 0 || raw === url) return;
  const list = encoded.map((r) => `${r.from === ' ' ? 'blank' : r.from} becomes ${r.to}`).join(', ');
  report.add(clickUrlRules.encoding, row, { rewrites: list }, fix);
}

/** The profile may name the host with or without a scheme. */
const retailHost = ({ profile }: RuleEnv): string =>
  splitUrl(profile.retail.host)?.host ?? profile.retail.host.toLowerCase().replace(/[:/].*$/, '');

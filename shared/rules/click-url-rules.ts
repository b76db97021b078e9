import type { CampaignTree } from '../model/campaign-tree.ts';
import { type CanonicalUrl, canonicalClickUrl, splitUrl, type UrlParts } from '../model/click-url.ts';
import type { Row } from '../model/row.ts';
import { isMissing, type Report, type RuleEnv, rulesOf } from './rule.ts';

/** The address a brand profile leads to. */
export const clickUrlRules = rulesOf('sbaProfile', 'click-url', 'SBA profile content rules', {
  required: {
    bit: 11,
    severity: 'error',
    fields: ['clickUrl'],
    text: 'Brand profile "{label}" has no click address. Type the https address of the brand page or search on the retail site.',
  },
  invalid: {
    bit: 12,
    severity: 'error',
    fields: ['clickUrl'],
    text: 'The click address of "{label}" is not an address of the web: "{url}". Type one that begins with https://.',
  },
  https: {
    bit: 13,
    severity: 'error',
    fields: ['clickUrl'],
    text: 'The click address of "{label}" begins with {scheme}; only https is allowed. Write https instead.',
  },
  host: {
    bit: 14,
    severity: 'error',
    fields: ['clickUrl'],
    text: 'The click address of "{label}" leads to {host}; it must lead to {retail}. Use an address of the retail site.',
  },
  port: {
    bit: 15,
    severity: 'error',
    fields: ['clickUrl'],
    text: 'The click address of "{label}" names port {port}, which is not allowed. Leave the port out.',
  },
  'user-name': {
    bit: 16,
    severity: 'error',
    fields: ['clickUrl'],
    text: 'The click address of "{label}" has a user name before the host. Leave it out.',
  },
  typeahead: {
    bit: 17,
    severity: 'error',
    fields: ['clickUrl'],
    text: 'The click address of "{label}" has a typeahead parameter, which is not allowed. Remove it.',
  },
  encoding: {
    bit: 18,
    severity: 'warning',
    fields: ['clickUrl'],
    text: 'The click address of "{label}" will be rewritten when it is sent: {rewrites}. Accept the rewriting to see what is sent.',
  },
  length: {
    bit: 19,
    severity: 'warning',
    fields: ['clickUrl'],
    section: 'practice',
    text: 'The click address of "{label}" has {length} characters; addresses above {max} break in some browsers. Shorten it.',
  },
  fragment: {
    bit: 20,
    severity: 'advice',
    fields: ['clickUrl'],
    section: 'practice',
    text: 'The click address of "{label}" ends in a fragment (#...), which the site may ignore. Leave it out if it is not needed.',
  },
  'home-page': {
    bit: 21,
    severity: 'advice',
    fields: ['clickUrl'],
    text: 'The click address of "{label}" leads to the home page; it should lead to a browse or search page of the brand. Use such a page.',
  },
  'same-twice': {
    bit: 22,
    severity: 'advice',
    fields: ['clickUrl'],
    scope: 'campaign',
    section: 'practice',
    text: 'Two brand profiles of the campaign lead to the same address. Use two pages to learn which works.',
  },
});

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

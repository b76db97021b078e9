import type { CampaignTree } from '../model/campaign-tree.ts';
import { codePointLength, controlCharacterAt, cutToCodePoints, isLongerThan } from '../model/code-points.ts';
import type { Row } from '../model/row.ts';
import { isMissing, type Report, type RuleEnv, reportUnseen, rulesOf } from './rule.ts';

/** Brand name and headline of a brand profile: what is required, and what reviewers tend to reject. */
export const sbaContent = rulesOf('sbaProfile', 'sba', 'SBA profile content rules', {
  'brand-required': {
    bit: 0,
    severity: 'error',
    fields: ['brand'],
    text: 'Brand profile "{label}" has no brand name. Type the brand.',
  },
  'brand-length': {
    bit: 1,
    severity: 'error',
    fields: ['brand'],
    text: 'The brand name of profile "{label}" has {length} characters; at most {max} are allowed. Shorten it.',
  },
  'headline-required': {
    bit: 2,
    severity: 'error',
    fields: ['headline'],
    text: 'Brand profile "{label}" has no headline. Type the headline of the banner.',
  },
  'headline-length': {
    bit: 3,
    severity: 'error',
    fields: ['headline'],
    text: 'The headline "{label}" has {length} characters; at most {max} are allowed. Shorten it.',
  },
  'text-characters': {
    bit: 4,
    severity: 'error',
    fields: ['headline', 'brand'],
    text: 'Brand profile "{label}" has a control character in its brand name or headline. Type the text anew.',
  },
  'text-unseen': {
    bit: 38,
    severity: 'warning',
    fields: ['brand', 'headline'],
    section: 'practice',
    text: 'The text "{shown}" of the brand profile holds characters that cannot be seen. Type it anew.',
  },
  'headline-capitals': {
    bit: 5,
    severity: 'advice',
    fields: ['headline'],
    section: 'practice',
    text: 'The headline "{label}" is in capitals, which reviewers often reject. Write it in sentence case.',
  },
  'headline-exclamation': {
    bit: 6,
    severity: 'advice',
    fields: ['headline'],
    section: 'practice',
    text: 'The headline "{label}" has an exclamation mark, which reviewers often reject. Leave it out.',
  },
  'headline-superlative': {
    bit: 7,
    severity: 'advice',
    fields: ['headline'],
    section: 'practice',
    text: 'The headline "{label}" says "{word}", a claim that reviewers ask to prove. Say it in another way.',
  },
  'headline-price': {
    bit: 8,
    severity: 'advice',
    fields: ['headline'],
    section: 'practice',
    text: 'The headline "{label}" names a price or a discount, which changes faster than a review lasts. Leave it out.',
  },
  'headline-blanks': {
    bit: 9,
    severity: 'advice',
    fields: ['headline'],
    section: 'practice',
    text: 'The headline "{label}" has several blanks in a row, which count as characters. Use single blanks.',
  },
  'headline-is-brand': {
    bit: 10,
    severity: 'advice',
    fields: ['headline'],
    section: 'practice',
    text: 'The headline "{label}" only repeats the brand name, which stands beside it. Say what the brand offers.',
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
    report.add(sbaContent['headline-length'], row, { length: codePointLength(headline), max });
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

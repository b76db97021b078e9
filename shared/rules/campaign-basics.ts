import type { CampaignTree } from '../model/campaign-tree.ts';
import { controlCharacterAt, isLongerThan } from '../model/code-points.ts';
import { daysBetween, OPEN_END } from '../model/plain-date.ts';
import { isNew } from '../model/row.ts';
import type { PlainDate } from '../model/scalars.ts';
import { isMissing, type Report, type RuleEnv, reportUnseen, rulesOf } from './rule.ts';

/** The document gives no limit; longer names fit no list of the retailer's console. */
const NAME_MAX = 255;

/** Name, type, targeting and flight of a campaign. */
export const campaignBasics = rulesOf('campaign', 'campaign', 'Campaign and ad group (fields named by the workflows)', {
  'name-required': {
    bit: 0,
    severity: 'error',
    fields: ['name'],
    text: 'The campaign has no name. A campaign needs one. Type a name.',
  },
  'name-characters': {
    bit: 1,
    severity: 'error',
    fields: ['name'],
    text: 'The name of campaign "{label}" has a control character or half a character at position {at}. Type the name anew.',
  },
  'name-length': {
    bit: 2,
    severity: 'error',
    fields: ['name'],
    text: 'The name of campaign "{label}" has more than {max} characters. Shorten it.',
  },
  'type-required': {
    bit: 3,
    severity: 'error',
    fields: ['campaignType'],
    text: 'Campaign "{label}" has no type. It is fixed when the campaign is created. Choose sponsoredProducts, sba or video.',
  },
  'targeting-required': {
    bit: 4,
    severity: 'error',
    fields: ['targetingType'],
    text: 'Campaign "{label}" has no targeting type. Choose auto or manual.',
  },
  'targeting-manual': {
    bit: 5,
    severity: 'error',
    fields: ['targetingType'],
    text: 'Campaign "{label}" is of type {type}, which takes targeting type manual only. Choose manual.',
  },
  'start-missing': {
    bit: 6,
    severity: 'warning',
    fields: ['startDate'],
    section: 'practice',
    text: 'Campaign "{label}" has no start date, so the service may start it today. Type the first day of its flight.',
  },
  'start-before-today': {
    bit: 7,
    severity: 'error',
    fields: ['startDate'],
    text: 'Campaign "{label}" starts on {start:day}, which is before today ({today:day}). Choose today or a later day.',
  },
  'end-before-start': {
    bit: 8,
    severity: 'error',
    fields: ['endDate', 'startDate'],
    text: 'Campaign "{label}" ends on {end:day}, but starts on {start:day}. The end must be after the start. Choose a later end or leave it open.',
  },
  'end-passed': {
    bit: 9,
    severity: 'error',
    fields: ['endDate'],
    text: 'The new campaign "{label}" would end on {end:day}, which is over. Choose a later end or leave it open.',
  },
  'start-far': {
    bit: 10,
    severity: 'warning',
    fields: ['startDate'],
    section: 'practice',
    text: 'Campaign "{label}" starts on {start:day}, more than a year from now. Check the year.',
  },
  'flight-long': {
    bit: 11,
    severity: 'advice',
    fields: ['endDate'],
    section: 'practice',
    text: 'The flight of campaign "{label}" lasts {days} days. Check the year of its end.',
  },
  'name-blanks': {
    bit: 12,
    severity: 'advice',
    fields: ['name'],
    section: 'practice',
    text: 'The name of campaign "{label}" has several blanks in a row, which makes it hard to find. Use single blanks.',
  },
  'name-unseen': {
    bit: 40,
    severity: 'warning',
    fields: ['name'],
    section: 'practice',
    text: 'The name of campaign "{shown}" holds characters that cannot be seen, so that it may look like another one. Type the name anew.',
  },
});

const NEEDS_MANUAL: ReadonlySet<string | null> = new Set(['video', 'sba']);

export function checkCampaignBasics({ campaign }: CampaignTree, env: RuleEnv, report: Report): void {
  const { name, campaignType, targetingType } = campaign.values;
  const rules = campaignBasics;
  if (isMissing(campaign, 'name')) report.add(rules['name-required'], campaign);
  if (name !== null) {
    const at = controlCharacterAt(name);
    if (at >= 0 || !name.isWellFormed()) report.add(rules['name-characters'], campaign, { at: at + 1 });
    if (isLongerThan(name, NAME_MAX)) report.add(rules['name-length'], campaign, { max: NAME_MAX });
    reportUnseen(rules['name-unseen'], campaign, 'name', name, report);
    if (/\S\s{2,}\S/u.test(name)) {
      const value = name.replace(/\s+/gu, ' ').trim();
      report.add(rules['name-blanks'], campaign, {}, { field: 'name', value });
    }
  }
  if (isMissing(campaign, 'campaignType')) report.add(rules['type-required'], campaign);
  if (NEEDS_MANUAL.has(campaignType) && (targetingType === 'auto' || isMissing(campaign, 'targetingType'))) {
    const fix = { field: 'targetingType', value: 'manual' };
    report.add(rules['targeting-manual'], campaign, { type: campaignType ?? '' }, fix);
  } else if (isMissing(campaign, 'targetingType')) report.add(rules['targeting-required'], campaign);
  checkFlight(campaign, env.today, report);
}

function checkFlight(campaign: CampaignTree['campaign'], today: PlainDate, report: Report): void {
  const rules = campaignBasics;
  const { startDate, endDate, status } = campaign.values;
  const end = endDate === OPEN_END ? null : endDate;
  if (startDate === null) {
    if (isNew(campaign)) report.add(rules['start-missing'], campaign);
  } else {
    // A flight that began keeps its start; only a start that is being set must lie ahead.
    const isSet = isNew(campaign) || (campaign.base !== null && campaign.base.startDate !== startDate);
    if (isSet && startDate < today) {
      const fix = { field: 'startDate', value: today };
      report.add(rules['start-before-today'], campaign, { start: startDate, today }, fix);
    }
    if (daysBetween(today, startDate) > 366) report.add(rules['start-far'], campaign, { start: startDate });
  }
  if (end === null) return;
  // Without a start of its own a new campaign starts today.
  const start = startDate ?? (isNew(campaign) ? today : null);
  if (start !== null && end <= start) report.add(rules['end-before-start'], campaign, { start, end });
  else if (start !== null && daysBetween(start, end) > 730) {
    report.add(rules['flight-long'], campaign, { days: daysBetween(start, end) });
  }
  if (end < today && isNew(campaign) && status !== 'completed') report.add(rules['end-passed'], campaign, { end });
}

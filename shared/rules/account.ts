import { isServiceMedia } from '../model/media.ts';
import { isDeleted, type Row } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import { textKey, withoutUnseen } from '../model/text.ts';
import { checkCaptionOf } from './media.ts';
import type { Issue } from './rule.ts';
import { type Report, type RuleEnv, rulesOf } from './rule.ts';

/** Rules that compare rows across the account: names of campaigns, and files within the media library. */
export const accountCampaignRules = rulesOf(
  'campaign',
  'account',
  { section: 'practice', fields: ['name'], scope: 'account' },
  {
    'campaign-name-unique': {
      bit: 38,
      severity: 'error',
      name: 'Campaign name used twice',
      text: 'Another campaign in this account is also named "{label}". Names must be unique. Enter another name.',
    },
    'campaign-name-twin': {
      bit: 41,
      severity: 'warning',
      name: 'Look-alike campaign names',
      text: 'The name of campaign "{label}" looks like another campaign name but contains different characters. Enter it again, or choose another name.',
    },
    'campaign-name-alike': {
      bit: 39,
      severity: 'advice',
      name: 'Similar campaign names',
      text: 'The name of campaign "{label}" differs from "{other}" only in capitalization or spaces. Give one of them a clearer name.',
    },
  },
);
export const accountMediaRules = rulesOf(
  'media',
  'account',
  { section: 'Video media and video profile', scope: 'account' },
  {
    'media-name-unique': {
      bit: 31,
      severity: 'warning',
      fields: ['mediaName'],
      name: 'Video name used twice',
      text: 'Two videos in the library are named "{label}". The service does not check this, and they are hard to tell apart. Rename one of them.',
    },
    'media-same-bytes': {
      bit: 32,
      severity: 'advice',
      fields: ['sha256'],
      section: 'practice',
      name: 'File added twice',
      text: 'The file "{label}" has the same content as "{other}". Use only one of them, so that it is uploaded once.',
    },
  },
);

/** The part of a campaign that these rules need: small enough to pass for a whole account. */
export interface AccountCampaign {
  readonly id: RowId;
  readonly name: string | null;
  readonly deleted: boolean;
}

export function checkAccountNames(campaigns: readonly AccountCampaign[], env: RuleEnv): readonly Issue[] {
  const issues: Issue[] = [];
  const firstByName = new Map<string, AccountCampaign>();
  const firstByKey = new Map<string, AccountCampaign>();
  const firstByLook = new Map<string, AccountCampaign>();
  const add = (rule: keyof typeof accountCampaignRules, campaign: AccountCampaign, other: string): void => {
    const { id, severity } = accountCampaignRules[rule];
    const params = { label: campaign.name ?? '', other };
    const row = { kind: 'campaign', id: campaign.id, campaignId: campaign.id, field: 'name' } as const;
    issues.push({ rule: id, severity, ...row, params, fix: null });
  };
  for (const campaign of campaigns) {
    if (campaign.deleted || campaign.name === null) continue;
    const key = textKey(campaign.name);
    const same = firstByName.get(campaign.name);
    const alike = firstByKey.get(key);
    // Accents can be composed or separate, and some characters are invisible: such names look the same.
    const look = withoutUnseen(campaign.name).normalize('NFC');
    const twin = firstByLook.get(look);
    if (same !== undefined && env.profile.campaign.uniqueName) add('campaign-name-unique', campaign, same.name ?? '');
    else if (same === undefined && twin !== undefined) add('campaign-name-twin', campaign, twin.name ?? '');
    else if (same === undefined && alike !== undefined) add('campaign-name-alike', campaign, alike.name ?? '');
    if (same === undefined) firstByName.set(campaign.name, campaign);
    if (twin === undefined) firstByLook.set(look, campaign);
    if (alike === undefined) firstByKey.set(key, campaign);
  }
  return issues;
}

export function checkLibrary(media: readonly Row<'media'>[], report: Report): void {
  const byId = new Map(media.map((row) => [row.id, row]));
  const names = new Set<string>();
  const firstByHash = new Map<string, Row<'media'>>();
  for (const row of media) {
    if (isDeleted(row)) continue;
    const { mediaType, mediaName, sha256, caption } = row.values;
    // Names that were given elsewhere can't be changed here.
    if (mediaType === 'video' && !isServiceMedia(row)) {
      const key = textKey(mediaName ?? '');
      if (key !== '' && names.has(key)) report.add(accountMediaRules['media-name-unique'], row);
      names.add(key);
      checkCaptionOf(row, caption === null ? undefined : byId.get(caption), report);
    }
    const first = sha256 === null ? undefined : firstByHash.get(sha256);
    if (first !== undefined) {
      report.add(accountMediaRules['media-same-bytes'], row, { other: first.values.fileName ?? '' });
    } else if (sha256 !== null) firstByHash.set(sha256, row);
  }
}

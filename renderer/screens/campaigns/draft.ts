import type { Cell } from '../../../shared/model/field-types.ts';
import { isUnseen } from '../../../shared/model/invisible-text.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { NewRow } from '../../actions/row-actions.ts';
import { readCell } from '../../locale/cells.ts';
import { en } from '../../messages/en.ts';
import type { CampaignShape } from '../../store/dialog.ts';
import { readLines } from './lines.ts';

/** The form of a new campaign, as typed. */
export interface CampaignDraft {
  readonly name: string;
  readonly totalBudget: string;
  readonly dailyBudget: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly brand: string;
  readonly headline: string;
  readonly clickUrl: string;
  readonly items: string;
  readonly keywords: string;
  readonly matchType: string;
  readonly bid: string;
}

export const EMPTY_DRAFT: CampaignDraft = {
  name: '',
  totalBudget: '',
  dailyBudget: '',
  startDate: '',
  endDate: '',
  brand: '',
  headline: '',
  clickUrl: '',
  items: '',
  keywords: '',
  matchType: 'broad',
  bid: '1.50',
};

export interface DraftProblem {
  readonly field: keyof CampaignDraft;
  readonly text: string;
}

const TYPES: Readonly<Record<CampaignShape, { readonly campaignType: string; readonly targetingType: string }>> = {
  video: { campaignType: 'video', targetingType: 'manual' },
  sba: { campaignType: 'sba', targetingType: 'manual' },
  auto: { campaignType: 'sponsoredProducts', targetingType: 'auto' },
  manual: { campaignType: 'sponsoredProducts', targetingType: 'manual' },
};

export const hasKeywords = (shape: CampaignShape): boolean => shape !== 'auto';

/**
 * The rows of a new campaign as one unit: campaign, its ad group, the profile of its type, items and keywords.
 * Only what cannot be read is refused here; what the rules say is shown by the desk once the draft exists.
 */
export function draftRows(shape: CampaignShape, draft: CampaignDraft): Result<readonly NewRow[], DraftProblem> {
  if (isUnseen(draft.name)) return err({ field: 'name', text: en.create.nameMissing });
  const campaign: Record<string, Cell> = { ...TYPES[shape], status: 'enabled' };
  for (const field of ['name', 'totalBudget', 'dailyBudget', 'startDate', 'endDate'] as const) {
    const parsed = read('campaign', field, draft[field], field);
    if (!parsed.ok) return parsed;
    if (parsed.value !== null) campaign[field] = parsed.value;
  }
  const rows: NewRow[] = [
    { kind: 'campaign', parent: null, values: campaign },
    { kind: 'adGroup', parent: { at: 0 }, values: { name: en.create.groupName(draft.name.trim()), status: 'enabled' } },
  ];
  const profile = profileRow(shape, draft);
  if (!profile.ok) return profile;
  rows.push(...profile.value);
  const bid = read('keyword', 'bid', draft.bid, 'bid');
  if (!bid.ok) return bid;
  const group = { at: 1 };
  const items = readLines('adItem', draft.items, { bid: bid.value, status: 'enabled' });
  if (!items.ok) return err({ field: 'items', text: en.create.line(items.error.line, items.error.text) });
  rows.push(...items.value.map((values): NewRow => ({ kind: 'adItem', parent: group, values })));
  if (!hasKeywords(shape)) return ok(rows);
  const defaults = { matchType: draft.matchType, bid: bid.value, state: 'enabled' };
  const keywords = readLines('keyword', draft.keywords, defaults);
  if (!keywords.ok) return err({ field: 'keywords', text: en.create.line(keywords.error.line, keywords.error.text) });
  rows.push(...keywords.value.map((values): NewRow => ({ kind: 'keyword', parent: group, values })));
  return ok(rows);
}

/** SBA and video campaigns need a profile to go live; it is created even when still empty. */
function profileRow(shape: CampaignShape, draft: CampaignDraft): Result<readonly NewRow[], DraftProblem> {
  const parent = { at: 1 };
  if (shape === 'video') return ok([{ kind: 'videoProfile', parent, values: { status: 'enabled' } }]);
  if (shape !== 'sba') return ok([]);
  const values: Record<string, Cell> = { status: 'enabled' };
  for (const field of ['brand', 'headline', 'clickUrl'] as const) {
    const parsed = read('sbaProfile', field, draft[field], field);
    if (!parsed.ok) return parsed;
    if (parsed.value !== null) values[field] = parsed.value;
  }
  return ok([{ kind: 'sbaProfile', parent, values }]);
}

function read(kind: Kind, field: string, text: string, at: keyof CampaignDraft): Result<Cell, DraftProblem> {
  const parsed = readCell(kind, field, text);
  return parsed.ok ? parsed : err({ field: at, text: parsed.error });
}

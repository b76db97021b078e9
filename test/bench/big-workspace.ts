import type { CreateRow } from '../../main/store/types.ts';
import type { Workspace } from '../../main/store/workspace.ts';
import type { AnyValues } from '../../shared/model/fields.ts';

/**
 * A made-up account of the size that the limits are about: for a million keywords 10,000 campaigns with an ad group,
 * 10 items and 100 keywords each. Bids stand above the floor, so that most rows are without issues, as in a real one.
 */
export const KEYWORDS_A_CAMPAIGN = 100;
export const ITEMS_A_CAMPAIGN = 10;
export const ROWS_A_CAMPAIGN = 2 + ITEMS_A_CAMPAIGN + KEYWORDS_A_CAMPAIGN;
const CAMPAIGNS_AN_EDIT = 150;
const MATCH_TYPES = ['exact', 'phrase', 'broad'] as const;
const WORDS = ['paper', 'towel', 'kitchen', 'roll', 'blue', 'cotton', 'soft', 'bath', 'large', 'pack', 'tea', 'cup'];

export const campaignsFor = (keywords: number): number => Math.ceil(keywords / KEYWORDS_A_CAMPAIGN);

export const keywordValues = (campaign: number, i: number): AnyValues => ({
  text: `${WORDS[i % 12]} ${WORDS[(i * 5 + campaign) % 12]} ${WORDS[(i * 7) % 12]} ${Math.floor(i / 3)}`,
  matchType: MATCH_TYPES[i % 3] ?? 'exact',
  bid: 150 + ((i * 37 + campaign * 11) % 400),
});

/** The creations of the account, a batch of campaigns at a time. */
export function* batches(keywords: number): Generator<{ readonly first: number; readonly creates: CreateRow[] }> {
  const campaigns = campaignsFor(keywords);
  for (let first = 0; first < campaigns; first += CAMPAIGNS_AN_EDIT) {
    const creates: CreateRow[] = [];
    for (let c = first; c < Math.min(first + CAMPAIGNS_AN_EDIT, campaigns); c++) addCampaign(creates, c);
    yield { first, creates };
  }
}

export async function applied(
  workspace: Pick<Workspace, 'apply'>,
  first: number,
  creates: readonly CreateRow[],
): Promise<void> {
  const outcome = await workspace.apply({ label: `Import ${first}`, source: 'import', creates });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
}

function addCampaign(creates: CreateRow[], c: number): void {
  const at = creates.length;
  const values = {
    name: `Campaign ${c}`,
    campaignType: 'sponsoredProducts',
    targetingType: 'manual',
    totalBudget: 500_000,
    dailyBudget: 5000,
    startDate: '2030-06-01',
    endDate: '2030-07-01',
  };
  creates.push({ kind: 'campaign', parent: null, values });
  creates.push({ kind: 'adGroup', parent: { at }, values: { name: `Group ${c}` } });
  for (let i = 0; i < ITEMS_A_CAMPAIGN; i++) {
    const item = { itemId: String(1_000_000_000 + c * 100 + i), bid: 160 };
    creates.push({ kind: 'adItem', parent: { at: at + 1 }, values: item });
  }
  for (let i = 0; i < KEYWORDS_A_CAMPAIGN; i++) {
    creates.push({ kind: 'keyword', parent: { at: at + 1 }, values: keywordValues(c, i) });
  }
}

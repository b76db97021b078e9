import type { CreateRow, Workspace } from '../../main/workspace/port.ts';
import type { AnyValues } from '../../shared/model/fields.ts';

/** Keywords of one made-up campaign: 200 texts in three match types, as many as the service takes. */
const KEYWORDS_A_CAMPAIGN = 600;
const ITEMS_A_CAMPAIGN = 10;
const CAMPAIGNS_AN_EDIT = 25;
const MATCH_TYPES = ['exact', 'phrase', 'broad'] as const;
const WORDS = ['paper', 'towel', 'kitchen', 'roll', 'blue', 'cotton', 'soft', 'bath', 'large', 'pack', 'tea', 'cup'];

export const campaignsFor = (keywords: number): number => Math.ceil(keywords / KEYWORDS_A_CAMPAIGN);

export const keywordValues = (campaign: number, i: number): AnyValues => ({
  text: `${WORDS[i % 12]} ${WORDS[(i * 5 + campaign) % 12]} ${WORDS[(i * 7) % 12]} ${Math.floor(i / 3)}`,
  matchType: MATCH_TYPES[i % 3] ?? 'exact',
  bid: 50 + ((i * 37 + campaign * 11) % 400),
});

/** Fills a workspace through its own interface, a batch of campaigns at a time. */
export async function fill(workspace: Workspace, keywords: number): Promise<void> {
  const campaigns = campaignsFor(keywords);
  for (let first = 0; first < campaigns; first += CAMPAIGNS_AN_EDIT) {
    const creates: CreateRow[] = [];
    for (let c = first; c < Math.min(first + CAMPAIGNS_AN_EDIT, campaigns); c++) addCampaign(creates, c);
    const outcome = await workspace.apply({ label: `Import ${first}`, source: 'import', creates });
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  }
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
    const item = { itemId: String(100_000_000 + c * 100 + i), bid: 60 };
    creates.push({ kind: 'adItem', parent: { at: at + 1 }, values: item });
  }
  for (let i = 0; i < KEYWORDS_A_CAMPAIGN; i++) {
    creates.push({ kind: 'keyword', parent: { at: at + 1 }, values: keywordValues(c, i) });
  }
}

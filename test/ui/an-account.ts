import type { Client } from '../../renderer/app/transport/connection.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { addRows } from '../core/a-core.ts';

/** Makes the campaign "Kettles 2026" with so many keywords, of which every seventh has a blank too many and no bid. */
export async function aCampaignOfKettles(client: Client, workspaceId: WorkspaceId, keywords: number): Promise<void> {
  await addRows(client, workspaceId, 'New campaign', [
    {
      kind: 'campaign',
      parent: null,
      values: {
        name: 'Kettles 2026',
        campaignType: 'sponsoredProducts',
        targetingType: 'manual',
        totalBudget: 500_000,
        dailyBudget: 5000,
        startDate: '2030-12-01',
        status: 'enabled',
      },
    },
    { kind: 'adGroup', parent: { at: 0 }, values: { name: 'Kettles 2026 group', status: 'enabled' } },
    ...Array.from({ length: keywords }, (_, n) => ({
      kind: 'keyword' as const,
      parent: { at: 1 },
      values:
        n % 7 === 3
          ? { text: `kettle  ${n + 1}`, matchType: 'exact', bid: null, state: 'enabled' }
          : { text: `kettle ${n + 1}`, matchType: 'exact', bid: 150 + n, state: 'enabled' },
    })),
  ]);
}

import type { Review } from '../../shared/contract/sync.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { AnyRow } from '../../shared/model/row.ts';
import { rowLabel } from '../../shared/rules/row-label.ts';
import { valuesOf } from './core/books.ts';

/** The newest review of every ad group that had one, as the last poll left it in the rows. */
export function reviewsIn(trees: readonly CampaignTree[]): Review[] {
  return trees.flatMap((tree) =>
    tree.adGroups.flatMap((group): Review[] => {
      const { reviewId, reviewStatus } = group.values;
      if (reviewId === null) return [];
      const below: readonly AnyRow[] = [...tree.sbaProfiles, ...tree.videoProfiles, ...tree.adItems, ...tree.keywords];
      const components = below
        .filter((row) => row.adGroupId === group.id && row.remoteId !== null)
        .map((row) => ({
          type: row.kind,
          id: String(row.remoteId),
          label: rowLabel(row),
          status: String(valuesOf(row)['reviewStatus'] ?? 'pending'),
          reason: textOrNull(valuesOf(row)['reviewReason']),
        }));
      return [
        {
          campaignId: tree.campaign.id,
          adGroupId: group.id,
          campaign: rowLabel(tree.campaign),
          reviewId,
          status: reviewStatus ?? 'pending',
          components,
        },
      ];
    }),
  );
}

const textOrNull = (cell: unknown): string | null => (typeof cell === 'string' && cell !== '' ? cell : null);

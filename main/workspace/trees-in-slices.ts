import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { RowId } from '../../shared/model/scalars.ts';

/** Taking a message apart keeps the thread that asked: this many campaigns a few milliseconds, a large account seconds. */
const CAMPAIGNS_A_MESSAGE = 25;

/**
 * Reads campaigns in several messages. Each campaign is as it was at one moment; between two of them somebody may edit.
 *
 * @returns by id order, without those that are gone
 */
export async function readTreesInChunks(
  read: (ids: readonly RowId[]) => Promise<readonly CampaignTree[]>,
  wanted: readonly RowId[],
): Promise<readonly CampaignTree[]> {
  const ids = [...new Set(wanted)].sort((a, b) => a - b);
  const trees: CampaignTree[] = [];
  for (let from = 0; from < ids.length; from += CAMPAIGNS_A_MESSAGE) {
    trees.push(...(await read(ids.slice(from, from + CAMPAIGNS_A_MESSAGE))));
  }
  return trees;
}

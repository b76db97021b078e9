import type { ImpactView } from '../../shared/contract/workspace.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { type Column, tableOf } from './schema/tables.ts';

/** What a change of each field the user may change would cost now. */
export function impactsOf(kind: Kind, _tree: CampaignTree | null): Record<string, ImpactView> {
  const impacts: Record<string, ImpactView> = {};
  for (const column of tableOf(kind).userColumns) impacts[column.field] = impactOfColumn(column);
  return impacts;
}

const impactOfColumn = (_column: Column): ImpactView => ({ cost: 'immediate', message: null });

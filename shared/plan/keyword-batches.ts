import type { AdmittedTree } from './admission.ts';
import { type Draft, groupedBy, split } from './batches.ts';
import type { PlanInput } from './plan-input.ts';
import { elementOf, keywordCreate, keywordUpdate } from './wire.ts';

const PATH = '/api/v1/keywords';

/**
 * Keywords go group by group. Where they cannot be read back they go few at a time (`batch.keywords`): a lost reply
 * asks the user about every keyword of the batch. In seed words one request holds keywords of one match type and one bid.
 */
export function keywordBatches({ tree, groups, keyword }: AdmittedTree, input: PlanInput): Draft[] {
  const { dialect } = input.profile.wire;
  const { campaign } = tree;
  const { batch } = input.profile;
  const max = input.capabilities.keywordRead ? batch.max : Math.min(batch.keywords, batch.max);
  const updates = keyword.filter((admitted) => admitted.verdict === 'update');
  const creates = keyword.filter((admitted) => admitted.verdict === 'create');
  const drafts: Draft[] = [];
  for (const part of split(updates, batch.max)) {
    const elements = part.map(({ row, changed }) => elementOf(row, keywordUpdate(row, changed), changed));
    drafts.push({ ...base, verb: 'update', method: 'PUT', campaignId: campaign.id, adGroupId: null, elements });
  }
  for (const [groupId, inGroup] of groupedBy(creates, ({ row }) => row.adGroupId)) {
    const group = groupId === null ? undefined : groups.get(groupId);
    if (group === undefined) continue;
    const lists = groupedBy(inGroup, ({ row: { values } }) =>
      dialect === 'seed' ? `${values.matchType} ${values.bid}` : '',
    );
    for (const part of [...lists.values()].flatMap((list) => split(list, max))) {
      const elements = part.map(({ row }) => elementOf(row, keywordCreate(row, campaign, group, dialect), []));
      drafts.push({ ...base, verb: 'create', method: 'POST', campaignId: campaign.id, adGroupId: group.id, elements });
    }
  }
  return drafts;
}

const base = { kind: 'keyword', path: PATH } as const;

import type { TakeInOutcome } from '../../../shared/contract/known.ts';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import type { RemoteId } from '../../../shared/model/scalars.ts';
import { foldMessage } from '../../api/error-text.ts';
import { readAgain } from './again.ts';
import { ownerOf } from './books.ts';
import { type RoundContext, stopFor } from './context.ts';
import type { Work } from './effects.ts';
import type { Wanted } from './take-in.ts';

interface Group {
  readonly id: RemoteId;
  readonly values: Partial<AnyValues>;
}

interface LeftGroup {
  readonly id: RemoteId;
  readonly outcome: TakeInOutcome['outcome'];
  readonly detail: string;
}

/** The ad groups of a campaign that is taken in, and those that were named and are not. */
export interface FoundGroups {
  readonly groups: readonly Group[];
  readonly left: readonly LeftGroup[];
  /** The campaign's type, where the answers give it away. */
  readonly type: 'sba' | 'video' | null;
}

/**
 * Finds the ad groups of a campaign: in the list of groups where a deployment offers it; by the items, which say where
 * they hang; and those that a person names, each asked after.
 *
 * @param isOpen a create of a group of this campaign is not settled, and may be any that is unknown here
 */
export function* groupsOf(
  ctx: RoundContext,
  wanted: Wanted,
  here: CampaignTree | null,
  isOpen: boolean,
): Work<FoundGroups> {
  const shown = yield* shownGroups(ctx, wanted.id);
  const groups: Group[] = [];
  const left: LeftGroup[] = [];
  let type: FoundGroups['type'] = null;
  const own = new Set((here?.adGroups ?? []).map(({ remoteId }) => remoteId));
  const max = ctx.profile.campaign.adGroupsMax;
  for (const id of new Set([...shown.keys(), ...wanted.adGroups])) {
    const leave = (outcome: LeftGroup['outcome'], detail = ''): void => void left.push({ id, outcome, detail });
    if (ctx.stop !== null) break;
    if (own.has(id)) {
      if (wanted.adGroups.includes(id)) leave('known');
      continue;
    }
    if (ownerOf(ctx, 'adGroup', id) !== null) leave('other-campaign');
    else if (isOpen) leave('unsettled');
    else if ((here?.adGroups.length ?? 0) + groups.length >= max)
      leave(shown.size > 0 ? 'other-campaign' : 'second-group');
    else {
      const proof = yield* askAfter(ctx, wanted.id, id);
      if (ctx.stop !== null) break;
      if (proof.outcome !== null && !shown.has(id)) leave(proof.outcome, proof.detail);
      else {
        type ??= proof.type;
        groups.push({ id, values: shown.get(id) ?? {} });
      }
    }
  }
  return { groups, left, type };
}

/** The groups that the service itself names below a campaign. */
function* shownGroups(ctx: RoundContext, campaign: RemoteId): Work<ReadonlyMap<RemoteId, Partial<AnyValues>>> {
  const shown = new Map<RemoteId, Partial<AnyValues>>();
  if (ctx.capabilities.adGroupRead) {
    const list = yield* readAgain(ctx, 'list ad groups', (ports) => ports.api.adGroups(campaign));
    if (!list.ok) stopFor(ctx, list.error);
    else for (const { remoteId, values } of list.value) shown.set(remoteId, values);
    return shown;
  }
  const items = yield* readAgain(ctx, 'list ad items', (ports) => ports.api.adItems(campaign));
  if (!items.ok) stopFor(ctx, items.error);
  else for (const { adGroupId } of items.value) if (adGroupId !== null) shown.set(adGroupId, {});
  return shown;
}

interface GroupProof {
  /** Null when the group is there and nothing speaks against its campaign. */
  readonly outcome: 'not-found' | 'other-campaign' | 'refused' | null;
  readonly detail: string;
  readonly type: FoundGroups['type'];
}

/** Asks after a group through the one read that refuses an unknown one (document, "SBA list"). */
function* askAfter(ctx: RoundContext, campaign: RemoteId, group: RemoteId): Work<GroupProof> {
  const is = (outcome: GroupProof['outcome'], type: GroupProof['type'] = null, detail = ''): GroupProof => ({
    outcome,
    detail,
    type,
  });
  const profiles = yield* readAgain(ctx, 'look for an ad group', (ports) => ports.api.sbaProfiles(group, campaign));
  if (profiles.ok) {
    const isElsewhere = profiles.value.some(({ campaignId }) => campaignId !== null && campaignId !== campaign);
    return isElsewhere ? is('other-campaign') : is(null, profiles.value.length > 0 ? 'sba' : null);
  }
  stopFor(ctx, profiles.error);
  if (profiles.error.kind !== 'refused') return is('refused');
  const { status, message } = profiles.error;
  // The group of a video campaign refuses this read by name, which proves that it is there.
  if (status === 422) return is(null, foldMessage(message).includes('adgroupmedia') ? 'video' : null);
  return status === 404 ? is('not-found') : is('refused', null, message);
}

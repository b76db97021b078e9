import { isActive } from '../lifecycle/service-state.ts';
import type { CampaignTree } from '../model/campaign-tree.ts';
import { isHeld, type Row } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import type { RowDecision, AdmittedTree } from './admission.ts';
import { type Draft, groupedBy, split } from './batches.ts';
import type { PlanInput } from './plan-input.ts';
import type { LeftOut, PlanElement, PlanUpload } from './plan-types.ts';
import { videoNeed } from './uploads.ts';
import { type Built, elementOf, logoUpload, sbaCreate, sbaUpdate, videoCreate, videoUpdate } from './wire.ts';

const SBA_PATH = '/api/v2/sba_profile';
const LOGO_PATH = '/api/v2/sba_profile_image_upload';
const VIDEO_PATH = '/api/v1/adGroup/media';

/** Brand profiles of all campaigns, then their logos: one ad group a batch, one logo a request. */
export function planSbaProfiles(trees: readonly AdmittedTree[], input: PlanInput, leftOut: LeftOut[]): Draft[] {
  const profiles = trees.flatMap((admitted) => sbaBatches(admitted, input));
  const planned = new Set(profiles.flatMap((draft) => draft.elements.map((element) => element.id)));
  return [...profiles, ...trees.flatMap((admitted) => logoBatches(admitted, input, planned, leftOut))];
}

function sbaBatches({ tree, groups, sbaProfile }: AdmittedTree, input: PlanInput): Draft[] {
  const { campaign } = tree;
  const active = isActive(campaign);
  const encoding = input.profile.sba.clickUrlEncoding;
  const drafts: Draft[] = [];
  for (const [groupId, inGroup] of groupedBy(sbaProfile, ({ row }) => row.adGroupId)) {
    const group = groupId === null ? undefined : groups.get(groupId);
    if (group === undefined) continue;
    const add = (verb: 'create' | 'update', elements: readonly PlanElement[]): void => {
      for (const part of split(elements, input.profile.batch.max)) {
        const method = verb === 'create' ? 'POST' : 'PUT';
        drafts.push({
          kind: 'sbaProfile',
          verb,
          method,
          path: SBA_PATH,
          campaignId: campaign.id,
          adGroupId: group.id,
          elements: part,
        });
      }
    };
    const updates = inGroup.filter(({ verdict, changed }) => verdict === 'update' && changed.some(isContent));
    const disablingFirst = updates.toSorted((a, b) => enabling(a.row) - enabling(b.row));
    add(
      'update',
      disablingFirst.map(({ row, changed }) => {
        const keepStatus = active && isEnabledWithContent(row, changed);
        const carried = changed.filter((field) => field !== 'logo' && !(keepStatus && field === 'status'));
        return elementOf(row, sbaUpdate(row, campaign, group, keepStatus, encoding), carried);
      }),
    );
    // The service enables the first profile a request creates: the one the user wants enabled stands first.
    const creates = inGroup.filter(({ verdict }) => verdict === 'create');
    const wanted = creates.toSorted((a, b) => enabling(b.row) - enabling(a.row));
    add(
      'create',
      wanted.map(({ row }, at) => elementOf(row, sbaCreate(row, campaign, group, at === 0, encoding), [])),
    );
  }
  return drafts;
}

function logoBatches(
  { tree, groups, sbaProfile }: AdmittedTree,
  input: PlanInput,
  planned: ReadonlySet<RowId>,
  leftOut: LeftOut[],
): Draft[] {
  const drafts: Draft[] = [];
  for (const { row, verdict, changed } of sbaProfile) {
    const group = row.adGroupId === null ? undefined : groups.get(row.adGroupId);
    const logoChanged = verdict === 'create' ? row.values.logo !== null : changed.includes('logo');
    if (group === undefined || !logoChanged) continue;
    const stays = logoStays(row, tree, input);
    if (stays !== null) {
      if (!planned.has(row.id)) leftOut.push({ kind: 'sbaProfile', id: row.id, reason: stays });
      continue;
    }
    const element = elementOf(row, logoUpload(row, tree.campaign, group), ['logo']);
    drafts.push({
      kind: 'sbaProfile',
      verb: 'logo',
      method: 'POST',
      path: LOGO_PATH,
      campaignId: tree.campaign.id,
      adGroupId: group.id,
      elements: [element],
    });
  }
  return drafts;
}

/** Why a logo stays here; null when it may go. */
function logoStays(row: Row<'sbaProfile'>, tree: CampaignTree, input: PlanInput): LeftOut['reason'] | null {
  const { logo } = row.values;
  if (logo === null) return 'nothing-to-send';
  if (tree.media.some((media) => media.id === logo && isHeld(media))) return 'held';
  return input.hasErrors('media', logo) ? 'has-errors' : null;
}

/** Video profiles one by one; each asks first what its video needs. */
export function planVideoProfiles(
  { tree, groups, videoProfile }: AdmittedTree,
  input: PlanInput,
  uploads: Map<RowId, PlanUpload>,
  leftOut: LeftOut[],
): Draft[] {
  const { campaign } = tree;
  return videoProfile.flatMap(({ row, verdict, changed }): Draft[] => {
    const group = row.adGroupId === null ? undefined : groups.get(row.adGroupId);
    const need = videoNeed(row, tree, input);
    if (group === undefined) return [];
    if (need.is === 'left-out') {
      leftOut.push({ kind: 'videoProfile', id: row.id, reason: need.reason });
      return [];
    }
    if (need.is === 'upload') uploads.set(need.upload.mediaId, need.upload);
    const build = verdict === 'create' ? videoCreate : videoUpdate;
    const built: Built = build(row, campaign, group, need.media, input.advertiserId);
    const method = verdict === 'create' ? 'POST' : 'PUT';
    const elements = [elementOf(row, built, changed)];
    return [
      {
        kind: 'videoProfile',
        verb: verdict,
        method,
        path: VIDEO_PATH,
        campaignId: campaign.id,
        adGroupId: group.id,
        elements,
      },
    ];
  });
}

const isContent = (field: string): boolean => field !== 'logo';
const enabling = (row: Row<'sbaProfile'>): number => (row.values.status === 'enabled' ? 1 : 0);
const isEnabledWithContent = (row: Row<'sbaProfile'>, changed: RowDecision<'sbaProfile'>['changed']): boolean =>
  row.values.status === 'enabled' && changed.includes('status') && changed.some((f) => f !== 'status' && f !== 'logo');

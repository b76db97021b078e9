import { type CampaignTree, treeRows } from '../model/campaign-tree.ts';
import { KINDS, type Kind } from '../model/kinds.ts';
import { type Row, rowKey } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import type { Added, ChosenRows, LeftOut, PlanInput } from './plan-types.ts';
import { type AdmittedTree, type RowDecision, videoNeed } from './send-decisions.ts';

/** Most selected rows of one kind in a sync. */
export const SYNC_SELECTION_MAX = 20_000;

/** Most check boxes of a plan that are set or cleared one by one. */
export const PICKS_MAX = 20_000;

/** Exactly these rows, in the format that limits a sync. More than the maximum of a kind are in several parts. */
export const chosenRows = (rows: readonly Pick<Row, 'kind' | 'id'>[]) => ({
  rows: [...Map.groupBy(rows, ({ kind }) => kind)].flatMap(([kind, own]) =>
    Array.from({ length: Math.ceil(own.length / SYNC_SELECTION_MAX) }, (_, part) => {
      const from = part * SYNC_SELECTION_MAX;
      return { kind, ids: own.slice(from, from + SYNC_SELECTION_MAX).map(({ id }) => id) };
    }),
  ),
  below: false,
});

/** Whether a row was selected, itself or through its parents. */
export type Choice = (row: Row) => boolean;

/** @returns null when no rows are selected, which means all */
export function choiceOf(chosen: ChosenRows | null): Choice | null {
  if (chosen === null || chosen.rows.length === 0) return null;
  const { rows, below } = chosen;
  const idsByKind = new Map<Kind, Set<RowId>>();
  for (const { kind, ids } of rows) {
    const known = idsByKind.get(kind) ?? new Set();
    for (const id of ids) known.add(id);
    idsByKind.set(kind, known);
  }
  const has = (kind: Kind, id: RowId | null): boolean => id !== null && idsByKind.get(kind)?.has(id) === true;
  return (row) =>
    has(row.kind, row.id) || (below && (has('campaign', row.campaignId) || has('adGroup', row.adGroupId)));
}

/** Whether a campaign has rows for a sync of the selected rows. */
export function containsSelected(tree: CampaignTree, isChosen: Choice): boolean {
  const { campaign, ...lists } = tree;
  return isChosen(campaign) || Object.values(lists).some((rows: readonly Row[]) => rows.some(isChosen));
}

export interface NarrowedTree {
  readonly admitted: AdmittedTree;
  /** Rows that were not selected but are sent too, parents first. */
  readonly added: readonly Added[];
  /** True when something of the campaign waits only because it was not chosen, or for a colleague. */
  readonly isPartial: boolean;
}

/**
 * The rows of a campaign to send when only some were selected:
 *
 *   selected row in a new ad group or campaign ----------> the parent is sent first ("parent")
 *   selected file that is new in a brand or video profile -> the profile is sent, because files are sent with it ("carries")
 *   all others are skipped, "not-chosen"
 *
 * Only removes rows from those the whole campaign would send, so all sent rows have passed every check of `decideRows`.
 */
export function filterTree(whole: AdmittedTree, isChosen: Choice, input: Omit<PlanInput, 'trees'>): NarrowedTree {
  const files = chosenFiles(whole.tree, isChosen);
  const added: Added[] = [];
  const carried: Added[] = [];
  const chosenOf = <K extends Kind>(rows: readonly RowDecision<K>[]): RowDecision<K>[] =>
    rows.filter(({ row }) => isChosen(row));
  const profilesOf = <K extends 'sbaProfile' | 'videoProfile'>(rows: readonly RowDecision<K>[]): RowDecision<K>[] =>
    rows.filter((profile) => {
      if (isChosen(profile.row)) return true;
      const carries = carriesOne(profile, files) && !waitsForVideo(profile.row, whole.tree, input);
      if (carries) carried.push({ kind: profile.row.kind, id: profile.row.id, why: 'carries' });
      return carries;
    });
  const below = {
    adItem: chosenOf(whole.adItem),
    keyword: chosenOf(whole.keyword),
    sbaProfile: profilesOf(whole.sbaProfile),
    videoProfile: profilesOf(whole.videoProfile),
  };
  const going = Object.values(below)
    .flatMap((rows: readonly RowDecision<Kind>[]) => rows.map(({ row }) => row))
    .filter((row) => !waitsForVideo(row, whole.tree, input));
  const groupsInUse = new Set(going.map(({ adGroupId }) => adGroupId));
  const multipliers = {
    placementMultiplier: chosenOf(whole.placementMultiplier),
    platformMultiplier: chosenOf(whole.platformMultiplier),
  };
  const withParents = <K extends Kind>(
    rows: readonly RowDecision<K>[],
    isInUse: (id: RowId) => boolean,
  ): RowDecision<K>[] =>
    rows.filter(({ row, decision }) => {
      if (isChosen(row)) return true;
      const isNeeded = decision === 'create' && isInUse(row.id);
      if (isNeeded) added.push({ kind: row.kind, id: row.id, why: 'parent' });
      return isNeeded;
    });
  const adGroup = withParents(whole.adGroup, (id) => groupsInUse.has(id));
  const hangsThere = adGroup.length + groupsInUse.size + Object.values(multipliers).flat().length > 0;
  const campaign = withParents(whole.campaign, () => hangsThere);
  const kept = { campaign, adGroup, ...below, ...multipliers };
  const leftOut = [...stillLeftOut(whole, isChosen, files), ...notChosen(whole, kept)];
  return {
    admitted: { ...whole, ...kept, leftOut },
    added: [...added.toReversed(), ...carried],
    isPartial: leftOut.some(isPostponed),
  };
}

/** A change that may go any moment: while a review is open, nothing can be added. */
export const isPostponed = ({ reason }: LeftOut): boolean =>
  reason === 'not-chosen' || reason === 'needs-sign-off' || reason === 'changed-since-sign-off';

/** A profile that waits for its video is not sent now, so its parents need not be sent. */
const waitsForVideo = (row: Row, tree: CampaignTree, input: Omit<PlanInput, 'trees'>): boolean =>
  row.kind === 'videoProfile' && videoNeed(row as Row<'videoProfile'>, tree, input).is === 'left-out';

type Kept = Omit<AdmittedTree, 'tree' | 'groups' | 'leftOut'>;

function notChosen(whole: AdmittedTree, kept: Kept): readonly LeftOut[] {
  return KEPT_KINDS.flatMap((kind) => {
    const staying = new Set<RowId>(kept[kind].map(({ row }) => row.id));
    const rows: readonly RowDecision<Kind>[] = whole[kind];
    return rows.flatMap(({ row: { id } }) => (staying.has(id) ? [] : [{ kind, id, reason: 'not-chosen' as const }]));
  });
}
/** All kinds below a campaign; files are sent with the rows that use them. */
const KEPT_KINDS = KINDS.filter((kind) => kind !== 'media');

/** Keeps the reason of a row that can't be sent if it was selected, or if a selected row depends on it. */
function stillLeftOut(whole: AdmittedTree, isChosen: Choice, files: ReadonlySet<RowId>): readonly LeftOut[] {
  const stays = new Set(whole.leftOut.map(({ kind, id }) => rowKey(kind, id)));
  const telling = new Set<string>();
  for (const row of treeRows(whole.tree)) {
    if (!stays.has(rowKey(row.kind, row.id)) || !(isChosen(row) || usesOne(row, files))) continue;
    telling.add(rowKey(row.kind, row.id));
    if (row.adGroupId !== null) telling.add(`adGroup:${row.adGroupId}`);
    telling.add(`campaign:${whole.tree.campaign.id}`);
  }
  return whole.leftOut.map((left) =>
    telling.has(rowKey(left.kind, left.id)) ? left : { ...left, reason: 'not-chosen' },
  );
}

/** Selected files of the library, and videos whose caption was selected. */
function chosenFiles(tree: CampaignTree, isChosen: Choice): ReadonlySet<RowId> {
  const chosen = new Set(tree.media.filter(isChosen).map(({ id }) => id));
  for (const { id, values } of tree.media) if (values.caption !== null && chosen.has(values.caption)) chosen.add(id);
  return chosen;
}

function carriesOne(profile: RowDecision<'sbaProfile' | 'videoProfile'>, files: ReadonlySet<RowId>): boolean {
  const field = profile.row.kind === 'sbaProfile' ? 'logo' : 'video';
  return (profile.decision === 'create' || profile.changed.includes(field)) && usesOne(profile.row, files);
}

function usesOne(row: Row, files: ReadonlySet<RowId>): boolean {
  const values: Readonly<Record<string, unknown>> = row.values;
  const file = row.kind === 'sbaProfile' ? values['logo'] : row.kind === 'videoProfile' ? values['video'] : null;
  return typeof file === 'number' && files.has(file as RowId);
}

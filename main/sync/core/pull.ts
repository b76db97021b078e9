import { isUndecided } from '../../../shared/lifecycle/service-state.ts';
import { type CampaignTree, rowsIn } from '../../../shared/model/campaign-tree.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import { keywordKey } from '../../../shared/model/keyword-key.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { AnyRow, Row } from '../../../shared/model/row.ts';
import { isChanged, isDeleted } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { rowLabel } from '../../../shared/rules/row-label.ts';
import type { ReadFailure } from '../../api/outcome.ts';
import type { RemoteRow } from '../../workspace/port.ts';
import { learnId, ownerOf, remoteIdOf, rowKey, UNKNOWN_ROW, valuesOf } from './books.ts';
import { confirm, isProof } from './confirmed.ts';
import { isOver, type RoundContext, stopFor } from './context.ts';
import { tellPossibleDuplicates } from './duplicates.ts';
import { tx, type Work } from './effects.ts';
import { isGone, noteGone, noteGoneParent } from './gone.ts';
import { learnShownVideos } from './media-state.ts';
import { noteNotRead, readableOnly } from './read-notes.ts';
import { applyReview } from './review-poll.ts';
import { settledOnly } from './settled-only.ts';
import { type Sighting, sight } from './sightings.ts';

/** Kinds of which the service may be asked what it has, in the order in which they are read. */
export type Readable = Kind | 'review';

export const ALL_BELOW: readonly Readable[] = [
  'adGroup',
  'adItem',
  'keyword',
  'sbaProfile',
  'videoProfile',
  'placementMultiplier',
  'platformMultiplier',
  'review',
];

/**
 * What has to be read before a campaign's changes are planned: what was changed, so that a change of somebody else
 * is noticed, and what may be there already under an identity of its own.
 */
export function kindsToPull(ctx: RoundContext, tree: CampaignTree): readonly Readable[] {
  if (tree.campaign.remoteId === null) return [];
  const mayDiffer = (row: AnyRow): boolean =>
    isChanged(row) && (row.remoteId !== null || hasOwnIdentity(ctx, row.kind));
  const isOpen = tree.adGroups.some(isUndecided);
  return ALL_BELOW.filter((kind) => (kind === 'review' ? isOpen : rowsIn(tree, kind).some(mayDiffer)));
}

const HAS_OWN_IDENTITY: ReadonlySet<Kind> = new Set(['adItem', 'keyword', 'placementMultiplier', 'platformMultiplier']);

/** Where a campaign takes one ad group only, the one that is there under the same name is the one that was drafted. */
const hasOwnIdentity = ({ profile }: RoundContext, kind: Kind): boolean =>
  HAS_OWN_IDENTITY.has(kind) || (kind === 'adGroup' && profile.campaign.adGroupsMax === 1);

/**
 * Reads kinds of one campaign and merges them: local edits stay, disagreements become conflicts.
 *
 * A read that is refused concerns this campaign alone and is remembered as trouble; any other failure ends the round.
 */
export function* pullCampaign(ctx: RoundContext, tree: CampaignTree, kinds: readonly Readable[]): Work<void> {
  for (const kind of kinds) {
    const groups = NEEDS_GROUP.has(kind) ? tree.adGroups.filter(({ remoteId }) => remoteId !== null) : [null];
    for (const group of groups) {
      // What hangs from something that is gone is gone with it, and told with it.
      if (ctx.isRefresh && isGone(ctx, tree.campaign)) return;
      if (ctx.isRefresh && group !== null && isGone(ctx, group)) continue;
      const done = yield* pullKind(ctx, tree, kind, group);
      if (done.ok) continue;
      stopFor(ctx, done.error);
      ctx.troubled.add(tree.campaign.id);
      if (!(yield* noteGoneParent(ctx, tree, group, done.error))) noteNotRead(ctx, tree, group, done.error);
      if (ctx.stop !== null) return;
    }
  }
}

/** The same before anything is sent: a sync that is over by now reads no further campaign. */
export function* pullUnlessOver(ctx: RoundContext, tree: CampaignTree, kinds: readonly Readable[]): Work<void> {
  if (!isOver(ctx)) yield* pullCampaign(ctx, tree, kinds);
}

const NEEDS_GROUP: ReadonlySet<Readable> = new Set<Readable>(['keyword', 'sbaProfile', 'videoProfile', 'review']);

function* pullKind(
  ctx: RoundContext,
  tree: CampaignTree,
  kind: Readable,
  group: Row<'adGroup'> | null,
): Work<Result<null, ReadFailure>> {
  if (kind === 'review') return group === null ? ok(null) : yield* applyReview(ctx, tree, group);
  const seen = yield* sight(ctx, {
    kind,
    verb: 'update',
    campaignId: tree.campaign.id,
    adGroupId: group?.id ?? null,
    ops: [],
  });
  if (seen === 'no-read') return ok(null);
  if (!seen.ok) return err(seen.error);
  if (isProof(kind, seen.value.length)) {
    confirm(ctx, 'campaign', tree.campaign.remoteId);
    confirm(ctx, 'adGroup', group?.remoteId ?? null);
  }
  const readable = readableOnly(ctx, kind, rowLabel(group ?? tree.campaign), seen.value);
  yield* adoptKnown(ctx, tree, kind, group, readable);
  const settled = yield* settledOnly(ctx, kind, tree.campaign.id, readable);
  yield* tellPossibleDuplicates(ctx, kind, settled);
  if (kind === 'videoProfile') yield* learnShownVideos(ctx, settled);
  const rows = settled.flatMap((sighting) => remoteRow(ctx, tree, kind, group, sighting));
  const { epoch } = ctx;
  if (rows.length > 0) yield* tx('merge', (ports) => ports.outbox.merge({ epoch, rows }));
  yield* closeAgreed(ctx, tree, kind, settled);
  // A list of one ad group says nothing of the rows of another.
  const asked = rowsIn(tree, kind).filter((row) => group === null || row.adGroupId === group.id);
  yield* noteGone(ctx, asked, kind, seen.value);
  for (const { remoteId } of settled) {
    if (ownerOf(ctx, kind, remoteId) === null) ctx.owners.set(`${kind}:${remoteId}`, UNKNOWN_ROW);
  }
  return ok(null);
}

/** A delete whose answer was lost: the service shows the row switched off for good, so nothing is left to send. */
function* closeAgreed(ctx: RoundContext, tree: CampaignTree, kind: Kind, sightings: readonly Sighting[]): Work<void> {
  const off = sightings.filter(({ values }) => values['status'] === 'deleted' || values['state'] === 'archived');
  const owners = new Set(off.map(({ remoteId }) => ownerOf(ctx, kind, remoteId)));
  const ids = rowsIn(tree, kind).flatMap((row) => (isDeleted(row) && owners.has(row.id) ? [row.id] : []));
  if (ids.length > 0) yield* tx('close', (ports) => ports.outbox.closeAgreed({ epoch: ctx.epoch, kind, ids }));
}

/** Local rows that were never sent and are there already: they take over the id instead of being created again. */
function* adoptKnown(
  ctx: RoundContext,
  tree: CampaignTree,
  kind: Kind,
  group: Row<'adGroup'> | null,
  sightings: readonly Sighting[],
): Work<void> {
  if (!hasOwnIdentity(ctx, kind)) return;
  const waiting = new Map<string, AnyRow>();
  for (const row of rowsIn(tree, kind)) {
    if (row.remoteId === null && ctx.ids.get(rowKey(row.kind, row.id)) === undefined) {
      waiting.set(identityOf(kind, row.adGroupId, valuesOf(row)), row);
    }
  }
  for (const sighting of sightings) {
    if (ownerOf(ctx, kind, sighting.remoteId) !== null) continue;
    const groupId = parentGroup(ctx, tree, group, sighting);
    const row = waiting.get(identityOf(kind, groupId, sighting.values));
    if (row === undefined) continue;
    const ref = { kind, id: row.id };
    const { remoteId } = sighting;
    const seen = shownOf(row, sighting);
    const answer = yield* tx('adopt row', (ports) => ports.outbox.adoptRow({ epoch: ctx.epoch, ref, remoteId, seen }));
    if (answer.adopted) learnId(ctx, kind, row.id, remoteId);
  }
}

/** What is not mentioned by the service is not there: a local value for it remains a change. */
const shownOf = (row: AnyRow, sighting: Sighting): AnyValues =>
  Object.fromEntries(Object.keys(row.values).map((field) => [field, sighting.values[field] ?? null]));

/** The identity that a kind has beside its id; the same for a local row and for what a read shows. */
function identityOf(kind: Kind, groupId: RowId | null, values: Partial<AnyValues>): string {
  switch (kind) {
    case 'adGroup':
      return String(values['name'] ?? '').trim();
    case 'adItem':
      return `${groupId} ${values['itemId']}`;
    case 'keyword':
      return `${groupId} ${values['matchType']} ${keywordKey(String(values['text'] ?? ''))}`;
    default:
      return String(values['placement'] ?? values['platform'] ?? '');
  }
}

function remoteRow(
  ctx: RoundContext,
  tree: CampaignTree,
  kind: Kind,
  group: Row<'adGroup'> | null,
  sighting: Sighting,
): readonly RemoteRow[] {
  const isBelowGroup = kind !== 'adGroup' && kind !== 'placementMultiplier' && kind !== 'platformMultiplier';
  const adGroupId = isBelowGroup ? parentGroup(ctx, tree, group, sighting) : null;
  // Without its group a row has no place here; it appears once the group is known.
  if (isBelowGroup && adGroupId === null) return [];
  const video = kind === 'videoProfile' ? videoOf(ctx, sighting) : null;
  const values = video === null ? sighting.values : { ...sighting.values, video };
  return [{ kind, remoteId: sighting.remoteId, campaignId: tree.campaign.id, adGroupId, values }];
}

/** The row of the video that a profile shows; by its name where the answer has no id and one video alone has the name. */
function videoOf(ctx: RoundContext, { mediaId, word }: Sighting): RowId | null {
  if (mediaId) return ownerOf(ctx, 'media', mediaId);
  if (word === null || word === undefined) return null;
  const named = [...ctx.rows.values()].filter(
    (row) => row.kind === 'media' && row.remoteId !== null && row.values.mediaName === word,
  );
  return named.length === 1 ? (named[0]?.id ?? null) : null;
}

function parentGroup(
  ctx: RoundContext,
  tree: CampaignTree,
  group: Row<'adGroup'> | null,
  sighting: Sighting,
): RowId | null {
  if (group !== null) return group.id;
  if (sighting.adGroupId !== null) {
    return tree.adGroups.find(({ id }) => remoteIdOf(ctx, 'adGroup', id) === sighting.adGroupId)?.id ?? null;
  }
  return tree.adGroups.length === 1 ? (tree.adGroups[0]?.id ?? null) : null;
}

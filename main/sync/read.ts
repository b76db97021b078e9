import { type GoneRow, NOTES_LISTED, type NotRead, type ReadNotes, type Unreadable } from '../../shared/api/sync.ts';
import { finalStatus, isTerminal, isUndecided } from '../../shared/lifecycle/states.ts';
import { type CampaignTree, rowsIn } from '../../shared/model/campaign-tree.ts';
import type { AnyValues } from '../../shared/model/fields.ts';
import { COMPARED_KINDS, type Kind } from '../../shared/model/kinds.ts';
import { type AnyRow, isChanged, isDeleted, type Row, rowKey } from '../../shared/model/row.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { textKey } from '../../shared/model/text.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { rowLabel } from '../../shared/rules/rule.ts';
import type { Listed, RemoteRecord } from '../api/fetch-records.ts';
import type { ReadFailure } from '../api/request-outcome.ts';
import { normalizeMessage } from '../api/service-message.ts';
import { MISSED } from '../store/outbox/outbox-types.ts';
import type { RemoteRow } from '../store/types.ts';
import {
  addRemoteId,
  confirm,
  isOver,
  momentOf,
  notify,
  type RunNotes,
  remoteIdOf,
  rowForRemoteId,
  type SyncContext,
  stopFor,
  UNKNOWN_ROW,
  valuesOf,
} from './context.ts';
import { learnShownVideos } from './media-state.ts';
import { type ListedRow, mergeableRows, readListedRows } from './remote-rows.ts';
import { applyReview } from './reviews.ts';

/** Kinds that can be read from the service, in the order in which they are read. */
export type Readable = Kind | 'review';

export const ALL_BELOW: readonly Readable[] = [...COMPARED_KINDS.filter((kind) => kind !== 'campaign'), 'review'];

/**
 * Kinds to read before a campaign's changes are planned: kinds with changed rows, so that changes made on the service
 * are noticed, and kinds whose new rows may exist there already.
 */
export function kindsToPull(ctx: SyncContext, tree: CampaignTree): readonly Readable[] {
  if (tree.campaign.remoteId === null) return [];
  const mayDiffer = (row: AnyRow): boolean =>
    isChanged(row) && (row.remoteId !== null || hasOwnIdentity(ctx, row.kind));
  const isOpen = tree.adGroups.some(isUndecided);
  return ALL_BELOW.filter((kind) => (kind === 'review' ? isOpen : rowsIn(tree, kind).some(mayDiffer)));
}

const HAS_OWN_IDENTITY: ReadonlySet<Kind> = new Set(['adItem', 'keyword', 'placementMultiplier', 'platformMultiplier']);

/** Whether rows of a kind can be matched without an ID. Ad groups are matched by name if a campaign has only one. */
export const hasOwnIdentity = ({ options }: SyncContext, kind: Kind): boolean =>
  HAS_OWN_IDENTITY.has(kind) || (kind === 'adGroup' && options.profile.campaign.adGroupsMax === 1);

/**
 * Reads kinds of one campaign and merges them: local edits stay, contradictions become conflicts.
 *
 * A refused read affects only this campaign, which is marked as troubled; any other failure ends the run. Once the run
 * has ended, nothing more is read.
 */
export async function pullCampaign(ctx: SyncContext, tree: CampaignTree, kinds: readonly Readable[]): Promise<void> {
  for (const kind of kinds) {
    const groups = NEEDS_GROUP.has(kind) ? tree.adGroups.filter(({ remoteId }) => remoteId !== null) : [null];
    for (const group of groups) {
      if (isOver(ctx)) return;
      // A refresh skips rows below a missing row; they are reported with it.
      if (ctx.state.isRefresh && isGone(ctx, tree.campaign)) return;
      if (ctx.state.isRefresh && group !== null && isGone(ctx, group)) continue;
      const done = await pullKind(ctx, tree, kind, group);
      if (done.ok) continue;
      stopFor(ctx, done.error);
      ctx.state.troubled.add(tree.campaign.id);
      const isTold = isOfOtherType(done.error) || (await reportMissingParent(ctx, tree, group, done.error));
      if (!isTold) noteNotRead(ctx, [tree.campaign, group], done.error);
    }
  }
}

const NEEDS_GROUP: ReadonlySet<Readable> = new Set<Readable>(['keyword', 'sbaProfile', 'videoProfile', 'review']);

/** The key of the list in which rows of a kind are read; campaigns share one list. */
export const listKey = (kind: Kind, campaignId: RowId): string =>
  kind === 'campaign' ? kind : rowKey(kind, campaignId);

async function pullKind(
  ctx: SyncContext,
  tree: CampaignTree,
  kind: Readable,
  group: Row<'adGroup'> | null,
): Promise<Result<null, ReadFailure>> {
  if (kind === 'review') return group === null ? ok(null) : await applyReview(ctx, tree, group);
  ctx.state.askedAt.set(listKey(kind, tree.campaign.id), momentOf(ctx));
  const seen = await readListedRows(ctx, {
    kind,
    verb: 'update',
    campaignId: tree.campaign.id,
    adGroupId: group?.id ?? null,
    ops: [],
  });
  if (seen === 'no-read') return ok(null);
  if (!seen.ok) return err(seen.error);
  if (provesExistence(kind, seen.value.length)) {
    confirm(ctx, 'campaign', tree.campaign.remoteId);
    confirm(ctx, 'adGroup', group?.remoteId ?? null);
  }
  const readable = readableOnly(ctx, kind, rowLabel(group ?? tree.campaign), seen.value);
  await adoptKnown(ctx, tree, kind, group, readable);
  const settled = await mergeableRows(ctx, kind, tree.campaign.id, readable);
  await warnAboutDuplicates(ctx, kind, settled);
  if (kind === 'videoProfile') await learnShownVideos(ctx, settled);
  const rows = settled.flatMap((listedRow) => remoteRow(ctx, tree, kind, group, listedRow));
  if (rows.length > 0) await ctx.ports.outbox.merge({ rows });
  await closeAgreed(ctx, tree, kind, settled);
  // The list of an ad group has only that ad group's rows.
  const asked = rowsIn(tree, kind).filter((row) => group === null || row.adGroupId === group.id);
  await reportMissing(ctx, asked, kind, seen.value);
  for (const { remoteId } of settled) {
    if (rowForRemoteId(ctx, kind, remoteId) === null) ctx.index.owners.set(`${kind}:${remoteId}`, UNKNOWN_ROW);
  }
  return ok(null);
}

/** Closes deletes that the service shows as done: for example after a lost response, nothing is left to send. */
async function closeAgreed(
  ctx: SyncContext,
  tree: CampaignTree,
  kind: Kind,
  listedRows: readonly ListedRow[],
): Promise<void> {
  const off = listedRows.filter(({ values }) => finalStatus(kind, values) !== null);
  const owners = new Set(off.map(({ remoteId }) => rowForRemoteId(ctx, kind, remoteId)));
  const ids = rowsIn(tree, kind).flatMap((row) => (isDeleted(row) && owners.has(row.id) ? [row.id] : []));
  if (ids.length > 0) await ctx.ports.outbox.closeAgreedDeletions({ kind, ids });
}

/** Gives rows that were never sent, but exist on the service, the service's ID, so that they are not created again. */
async function adoptKnown(
  ctx: SyncContext,
  tree: CampaignTree,
  kind: Kind,
  group: Row<'adGroup'> | null,
  listedRows: readonly ListedRow[],
): Promise<void> {
  if (!hasOwnIdentity(ctx, kind)) return;
  const waiting = new Map<string, AnyRow>();
  for (const row of rowsIn(tree, kind)) {
    if (row.remoteId === null && ctx.index.ids.get(rowKey(row.kind, row.id)) === undefined) {
      waiting.set(identityOf(kind, row.adGroupId, valuesOf(row)), row);
    }
  }
  for (const listedRow of listedRows) {
    // A row with a final status is another one: it can be added again.
    if (finalStatus(kind, listedRow.values) !== null || rowForRemoteId(ctx, kind, listedRow.remoteId) !== null)
      continue;
    const groupId = parentGroup(ctx, tree, group, listedRow);
    const row = waiting.get(identityOf(kind, groupId, listedRow.values));
    if (row === undefined) continue;
    const ref = { kind, id: row.id };
    const { remoteId } = listedRow;
    const seen = shownOf(row, listedRow);
    const answer = await ctx.ports.outbox.adoptRow({ ref, remoteId, seen });
    if (answer.adopted) addRemoteId(ctx, kind, row.id, remoteId);
  }
}

/** Fields that the service omits count as empty, so that a local value stays a change. */
const shownOf = (row: AnyRow, listedRow: ListedRow): AnyValues =>
  Object.fromEntries(Object.keys(row.values).map((field) => [field, listedRow.values[field] ?? null]));

/** The identity of a row without its ID; equal for a local row and the same row in a read. */
function identityOf(kind: Kind, groupId: RowId | null, values: Partial<AnyValues>): string {
  switch (kind) {
    case 'adGroup':
      return String(values['name'] ?? '').trim();
    case 'adItem':
      return `${groupId} ${values['itemId']}`;
    case 'keyword':
      return `${groupId} ${values['matchType']} ${textKey(String(values['text'] ?? ''))}`;
    default:
      return String(values['placement'] ?? values['platform'] ?? '');
  }
}

function remoteRow(
  ctx: SyncContext,
  tree: CampaignTree,
  kind: Kind,
  group: Row<'adGroup'> | null,
  listedRow: ListedRow,
): readonly RemoteRow[] {
  const isBelowGroup = kind !== 'adGroup' && kind !== 'placementMultiplier' && kind !== 'platformMultiplier';
  const adGroupId = isBelowGroup ? parentGroup(ctx, tree, group, listedRow) : null;
  // A row whose group is unknown here is skipped; it is added once the group is known.
  if (isBelowGroup && adGroupId === null) return [];
  const video = kind === 'videoProfile' ? videoOf(ctx, listedRow) : null;
  const values = video === null ? listedRow.values : { ...listedRow.values, video };
  return [{ kind, remoteId: listedRow.remoteId, campaignId: tree.campaign.id, adGroupId, values }];
}

/** The row of the video in a profile. If the response has no media ID, the one video of that name. */
function videoOf(ctx: SyncContext, { mediaId, word }: ListedRow): RowId | null {
  if (mediaId) return rowForRemoteId(ctx, 'media', mediaId);
  if (word === null || word === undefined) return null;
  const [only = null, ...others] = ctx.index.mediaNamed.get(word) ?? [];
  return others.length === 0 ? only : null;
}

function parentGroup(
  ctx: SyncContext,
  tree: CampaignTree,
  group: Row<'adGroup'> | null,
  listedRow: ListedRow,
): RowId | null {
  if (group !== null) return group.id;
  if (listedRow.adGroupId !== null) {
    return tree.adGroups.find(({ id }) => remoteIdOf(ctx, 'adGroup', id) === listedRow.adGroupId)?.id ?? null;
  }
  return tree.adGroups.length === 1 ? (tree.adGroups[0]?.id ?? null) : null;
}

/**
 * Reads that the document declares as refused for an unknown ID; others may return an empty list (document, "Errors").
 */
const REFUSES_UNKNOWN: ReadonlySet<Readable> = new Set<Readable>([
  'placementMultiplier',
  'platformMultiplier',
  'sbaProfile',
]);

/** Whether a response with this number of elements proves that the IDs in the request exist. */
const provesExistence = (kind: Readable, elements: number): boolean => elements > 0 || REFUSES_UNKNOWN.has(kind);

/** Stores the IDs that reads have confirmed since the last call, in one write. */
export async function saveConfirmation(ctx: SyncContext): Promise<void> {
  const ids = [...ctx.state.confirmed.values()];
  ctx.state.confirmed.clear();
  if (ids.length > 0) await ctx.ports.outbox.confirmRemoteIds({ ids });
}

/**
 * Detects duplicates: a service that executes a request after the settle window can create a row twice. If a read has
 * an unknown row that looks like one of ours, the user is notified.
 */
export async function warnAboutDuplicates(
  ctx: SyncContext,
  kind: Kind,
  listedRows: readonly ListedRow[],
): Promise<void> {
  for (const [look, alike] of Map.groupBy(listedRows, (listedRow) => lookOf(kind, listedRow))) {
    const ours = alike.filter(({ remoteId }) => rowForRemoteId(ctx, kind, remoteId) !== null);
    const unknown = alike.filter(({ remoteId }) => rowForRemoteId(ctx, kind, remoteId) === null);
    if (look === '' || ours.length === 0 || unknown.length === 0) continue;
    const ids = unknown.map(({ remoteId }) => remoteId).join(', ');
    notify(
      ctx,
      'warning',
      `The service also has another ${WORDS[kind] ?? kind} "${look}" (ID ${ids}), which Adslate did not create. It might be a duplicate. Compare both in the retailer's console and end the one you do not need.`,
      { kind, look, ids },
    );
  }
}

const WORDS: Readonly<Partial<Record<Kind, string>>> = {
  campaign: 'campaign',
  adGroup: 'ad group',
  sbaProfile: 'SBA profile',
};

/** The text by which rows of a kind without an identity look equal; empty for other kinds. */
function lookOf(kind: Kind, { values }: ListedRow): string {
  if (kind === 'campaign' || kind === 'adGroup') return String(values['name'] ?? '');
  return kind === 'sbaProfile' ? [values['brand'], values['headline']].filter(Boolean).join(': ') : '';
}

/** Kinds in whose list a run checks whether the rows it is about to change still exist. */
const LISTED: ReadonlySet<Kind> = new Set<Kind>(['adItem', 'keyword']);

/**
 * Records rows that are missing in a read: they were deleted on the service. A run checks the rows it is about to
 * change and does not send their edits; a refresh checks all. The second such read makes a conflict, which the user
 * resolves; until then the rows are reported and checked again.
 *
 * @param rows the rows that the list should have: the list of an ad group has only that ad group's rows
 */
export async function reportMissing(
  ctx: SyncContext,
  rows: readonly AnyRow[],
  kind: Kind,
  list: Listed<Pick<ListedRow, 'remoteId'>>,
): Promise<void> {
  const isLooked = ctx.state.isRefresh || (ctx.state.phase === 'pulling' && LISTED.has(kind));
  // A row without a readable ID may be any of them.
  if (!isLooked || list.broken !== undefined) return;
  const there = new Set(list.map(({ remoteId }) => remoteId));
  const missing = rows.filter(
    (row) =>
      row.remoteId !== null &&
      !there.has(row.remoteId) &&
      (isChanged(row) || (ctx.state.isRefresh && !isTerminal(row))),
  );
  if (missing.length > 0) await recordMissingRows(ctx, kind, await settledRows(ctx, kind, missing));
}

/** Without rows that have an unconfirmed request: `resolve.ts` checks those. */
async function settledRows(ctx: SyncContext, kind: Kind, rows: readonly AnyRow[]): Promise<readonly AnyRow[]> {
  if (!ctx.state.isRefresh) return rows;
  const live = await ctx.ports.outbox.live();
  const open = new Set(live.flatMap(({ ops }) => ops.filter((op) => op.kind === kind).map(({ rowId }) => rowId)));
  return rows.filter(({ id }) => !open.has(id));
}

/** Whether a read of this run did not find the row. */
export const isGone = (ctx: SyncContext, { kind, id }: Pick<AnyRow, 'kind' | 'id'>): boolean =>
  ctx.state.noted.has(`absent ${rowKey(kind, id)}`);

/**
 * Records that a read was refused because its campaign or ad group is missing (document, "Errors", 404).
 *
 * @returns whether the refusal says so
 */
async function reportMissingParent(
  ctx: SyncContext,
  { campaign }: CampaignTree,
  group: Row<'adGroup'> | null,
  failure: ReadFailure,
): Promise<boolean> {
  const isLooked = ctx.state.isRefresh || ctx.state.phase === 'pulling';
  if (!isLooked || failure.kind !== 'refused' || failure.status !== 404) return false;
  const message = normalizeMessage(failure.message);
  if (message === 'campaign not found') await recordMissingRows(ctx, 'campaign', [campaign]);
  else if (message === 'adgroup not found' && group !== null) await recordMissingRows(ctx, 'adGroup', [group]);
  else return false;
  return true;
}

async function recordMissingRows(ctx: SyncContext, kind: Kind, missing: readonly AnyRow[]): Promise<void> {
  if (missing.length === 0) return;
  const ids = missing.map(({ id }): RowId => id);
  const told = new Set(ctx.state.tally.refused.map((one) => rowKey(one.kind, one.id)));
  const proven = new Set((await ctx.ports.outbox.recordMissing({ kind, ids })).proven);
  for (const row of missing) {
    if (kind === 'campaign' || kind === 'adGroup') {
      ctx.state.absent.push({ kind, id: row.id });
      ctx.state.noted.add(`absent ${rowKey(kind, row.id)}`);
    }
    if (isDeleted(row)) continue;
    if (ctx.state.isRefresh) noteGoneRow(ctx, row, proven.has(row.id));
    if (ctx.state.isRefresh || proven.has(row.id)) continue;
    if (!told.has(rowKey(kind, row.id))) ctx.state.tally.refused.push({ kind, id: row.id, message: MISSED });
  }
}

/** Notes values of a list that can't be read. @returns the fully readable rows; the others keep their local values */
export function readableOnly<T extends Pick<RemoteRecord, 'remoteId' | 'misread'>>(
  ctx: SyncContext,
  kind: Kind,
  where: string,
  list: Listed<T>,
): readonly T[] {
  for (const value of list.broken ?? []) add(ctx, { kind, id: null, label: where, field: null, value });
  return list.filter(({ remoteId, misread }) => {
    if (misread === undefined) return true;
    const id = rowForRemoteId(ctx, kind, remoteId);
    const row = id === null ? undefined : ctx.index.rows.get(rowKey(kind, id));
    const label = row === undefined ? remoteId : rowLabel(row);
    for (const { field, value } of misread) add(ctx, { kind, id: id === 0 ? null : id, label, field, value });
    return false;
  });
}

/** A run may read the same list more than once; a value is noted once. */
function add(ctx: SyncContext, found: Unreadable): void {
  const { kind, label, field, value } = found;
  if (isNew(ctx, `unreadable ${JSON.stringify([kind, label, field, value])}`)) ctx.state.notes.unreadable.push(found);
}

function isNew({ state: { noted } }: SyncContext, key: string): boolean {
  const isFirst = !noted.has(key);
  noted.add(key);
  return isFirst;
}

function noteGoneRow(ctx: SyncContext, row: AnyRow, asked: boolean): void {
  const { kind, id } = row;
  const found: GoneRow = { kind, id, label: rowLabel(row), asked };
  if (isNew(ctx, `gone ${rowKey(kind, id)}`)) ctx.state.notes.gone.push(found);
}

/**
 * Whether profiles were refused because the campaign has another type, which has none (document, "SBA list (V2)", 422,
 * and "Ad group media", 404).
 */
const isOfOtherType = (failure: ReadFailure): boolean =>
  failure.kind === 'refused' && (failure.status === 422 || /not allowed for this campaign type/i.test(failure.message));

/**
 * Notes a list that the service refuses, once per run.
 *
 * @param path the rows to which the list belongs, the campaign first
 */
export function noteNotRead(ctx: SyncContext, path: readonly (AnyRow | null)[], failure: ReadFailure): void {
  if (failure.kind !== 'refused') return;
  const label = path.flatMap((row) => (row === null ? [] : [rowLabel(row)])).join(' > ');
  const found: NotRead = { call: failure.call ?? '', label, status: failure.status, message: failure.message };
  if (isNew(ctx, `not read ${found.call} ${label}`)) ctx.state.notes.notRead.push(found);
}

export const NO_NOTES: RunNotes = { gone: [], unreadable: [], notRead: [] };

/** The notes of a run for its answer, with a limited number of each sort. */
export const listedNotes = ({ gone, unreadable, notRead }: RunNotes): ReadNotes => ({
  counts: { gone: gone.length, unreadable: unreadable.length, notRead: notRead.length },
  gone: gone.slice(0, NOTES_LISTED),
  unreadable: unreadable.slice(0, NOTES_LISTED),
  notRead: notRead.slice(0, NOTES_LISTED),
});

/** Notifies the user of the notes, once per run. */
export async function tellNotes(ctx: SyncContext): Promise<void> {
  const { gone, unreadable, notRead } = ctx.state.notes;
  const asked = gone.filter((one) => one.asked);
  const missed = gone.filter((one) => !one.asked);
  const messages = [
    asked.length === 0
      ? ''
      : `${namesOf(asked)}: deleted on the service. In the conflicts of the Sync tab, create it again or delete it here too.`,
    missed.length === 0
      ? ''
      : `${namesOf(missed)}: no longer listed by the service. Refresh again after 2 minutes. If it is still missing, you choose what to do.`,
    unreadable.length === 0 ? '' : unreadableText(unreadable),
    ...notRead
      .slice(0, NAMED)
      .map(
        ({ call, label, status, message }) =>
          `"${label}" was not read completely: the service responded to ${call} with status ${status}: ${message}`,
      ),
  ];
  for (const message of messages) {
    if (message === '') continue;
    notify(ctx, 'warning', message);
  }
}

const NAMED = 3;

function namesOf(rows: readonly { readonly label: string }[]): string {
  const names = rows.slice(0, NAMED).map(({ label }) => `"${label}"`);
  const others = rows.length - names.length;
  return others === 0 ? names.join(', ') : `${names.join(', ')} and ${others} more`;
}

function unreadableText(found: readonly Unreadable[]): string {
  const [first] = found;
  if (first === undefined) return '';
  const { label, field, value } = first;
  const what =
    field === null ? `a row without a valid ID (${value}) in "${label}"` : `"${label}", field ${field}: ${value}`;
  const others = found.length > 1 ? ` and ${found.length - 1} more` : '';
  return `The service sent values that can't be read: ${what}${others}. These rows keep their current values. The other rows were read. Refresh again later, or report this to the support of the service.`;
}

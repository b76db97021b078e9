import type { GoneRow, NotRead, Unreadable } from '../../shared/api/sync.ts';
import { isUndecided } from '../../shared/lifecycle/states.ts';
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
  momentOf,
  notify,
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

/** Kinds of which the service may be asked what it has, in the order in which they are read. */
export type Readable = Kind | 'review';

export const ALL_BELOW: readonly Readable[] = [...COMPARED_KINDS.filter((kind) => kind !== 'campaign'), 'review'];

/**
 * What has to be read before a campaign's changes are planned: what was changed, so that a change of somebody else
 * is noticed, and what may be there already under an identity of its own.
 */
export function kindsToPull(ctx: SyncContext, tree: CampaignTree): readonly Readable[] {
  if (tree.campaign.remoteId === null) return [];
  const mayDiffer = (row: AnyRow): boolean =>
    isChanged(row) && (row.remoteId !== null || hasOwnIdentity(ctx, row.kind));
  const isOpen = tree.adGroups.some(isUndecided);
  return ALL_BELOW.filter((kind) => (kind === 'review' ? isOpen : rowsIn(tree, kind).some(mayDiffer)));
}

const HAS_OWN_IDENTITY: ReadonlySet<Kind> = new Set(['adItem', 'keyword', 'placementMultiplier', 'platformMultiplier']);

/** Where a campaign takes one ad group only, the one that is there under the same name is the one that was drafted. */
export const hasOwnIdentity = ({ options }: SyncContext, kind: Kind): boolean =>
  HAS_OWN_IDENTITY.has(kind) || (kind === 'adGroup' && options.profile.campaign.adGroupsMax === 1);

/**
 * Reads kinds of one campaign and merges them: local edits stay, disagreements become conflicts.
 *
 * A read that is refused concerns this campaign alone and is remembered as trouble; any other failure ends the run.
 */
export async function pullCampaign(ctx: SyncContext, tree: CampaignTree, kinds: readonly Readable[]): Promise<void> {
  for (const kind of kinds) {
    const groups = NEEDS_GROUP.has(kind) ? tree.adGroups.filter(({ remoteId }) => remoteId !== null) : [null];
    for (const group of groups) {
      // What hangs from something that is gone is gone with it, and told with it.
      if (ctx.state.isRefresh && isGone(ctx, tree.campaign)) return;
      if (ctx.state.isRefresh && group !== null && isGone(ctx, group)) continue;
      const done = await pullKind(ctx, tree, kind, group);
      if (done.ok) continue;
      stopFor(ctx, done.error);
      ctx.state.troubled.add(tree.campaign.id);
      const isTold = isOfOtherType(done.error) || (await reportMissingParent(ctx, tree, group, done.error));
      if (!isTold) noteNotRead(ctx, [tree.campaign, group], done.error);
      if (ctx.state.stop !== null) return;
    }
  }
}

const NEEDS_GROUP: ReadonlySet<Readable> = new Set<Readable>(['keyword', 'sbaProfile', 'videoProfile', 'review']);

/** Names the list in which rows of a kind stand; that of campaigns holds all of them. */
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
  // A list of one ad group says nothing of the rows of another.
  const asked = rowsIn(tree, kind).filter((row) => group === null || row.adGroupId === group.id);
  await reportMissing(ctx, asked, kind, seen.value);
  for (const { remoteId } of settled) {
    if (rowForRemoteId(ctx, kind, remoteId) === null) ctx.index.owners.set(`${kind}:${remoteId}`, UNKNOWN_ROW);
  }
  return ok(null);
}

/** A delete whose answer was lost: the service shows the row as permanently off, so nothing is left to send. */
async function closeAgreed(
  ctx: SyncContext,
  tree: CampaignTree,
  kind: Kind,
  listedRows: readonly ListedRow[],
): Promise<void> {
  const off = listedRows.filter(({ values }) => values['status'] === 'deleted' || values['state'] === 'archived');
  const owners = new Set(off.map(({ remoteId }) => rowForRemoteId(ctx, kind, remoteId)));
  const ids = rowsIn(tree, kind).flatMap((row) => (isDeleted(row) && owners.has(row.id) ? [row.id] : []));
  if (ids.length > 0) await ctx.ports.outbox.closeAgreedDeletions({ kind, ids });
}

/** Local rows that were never sent and are there already: they take over the id instead of being created again. */
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
    if (rowForRemoteId(ctx, kind, listedRow.remoteId) !== null) continue;
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

/** What is not mentioned by the service is not there: a local value for it remains a change. */
const shownOf = (row: AnyRow, listedRow: ListedRow): AnyValues =>
  Object.fromEntries(Object.keys(row.values).map((field) => [field, listedRow.values[field] ?? null]));

/** The identity that a kind has beside its id; the same for a local row and for what a read shows. */
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
  // Without its group a row has no place here; it appears once the group is known.
  if (isBelowGroup && adGroupId === null) return [];
  const video = kind === 'videoProfile' ? videoOf(ctx, listedRow) : null;
  const values = video === null ? listedRow.values : { ...listedRow.values, video };
  return [{ kind, remoteId: listedRow.remoteId, campaignId: tree.campaign.id, adGroupId, values }];
}

/** The row of the video that a profile shows; by its name where the answer has no id and one video alone has the name. */
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

/** Reads that the document has refused for an id that is not there; others may answer with nothing (document, "Errors"). */
const REFUSES_UNKNOWN: ReadonlySet<Readable> = new Set<Readable>([
  'placementMultiplier',
  'platformMultiplier',
  'sbaProfile',
]);

/** Whether an answer with so many elements shows that the ids it was asked by are there. */
const provesExistence = (kind: Readable, elements: number): boolean => elements > 0 || REFUSES_UNKNOWN.has(kind);

/** Writes down, once for all reads so far, which ids the service has answered for. */
export async function saveConfirmation(ctx: SyncContext): Promise<void> {
  const ids = [...ctx.state.confirmed.values()];
  ctx.state.confirmed.clear();
  if (ids.length > 0) await ctx.ports.outbox.confirmRemoteIds({ ids });
}

/**
 * The last net: a service that carries a request out after the settle window can still make a second of something
 * we sent. When a read shows a thing nobody here knows beside one of ours that looks the same, the user is told.
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

/** What makes two things of a kind without an identity of its own look the same; empty for kinds that have one. */
function lookOf(kind: Kind, { values }: ListedRow): string {
  if (kind === 'campaign' || kind === 'adGroup') return String(values['name'] ?? '');
  return kind === 'sbaProfile' ? [values['brand'], values['headline']].filter(Boolean).join(': ') : '';
}

/** Kinds whose list a run looks through for rows that it is about to change, each under its id. */
const LISTED: ReadonlySet<Kind> = new Set<Kind>(['adItem', 'keyword']);

/**
 * Rows that a read of the service lacks: somebody deleted them there. A run looks for those it is about to change, whose
 * edits are not sent; a refresh for all. The second such read makes it a conflict, which the user settles; until then they
 * are told, and looked for again.
 *
 * @param rows those that the list would show: a list of one ad group says nothing of the rows of another
 */
export async function reportMissing(
  ctx: SyncContext,
  rows: readonly AnyRow[],
  kind: Kind,
  list: Listed<Pick<ListedRow, 'remoteId'>>,
): Promise<void> {
  const isLooked = ctx.state.isRefresh || (ctx.state.phase === 'pulling' && LISTED.has(kind));
  // A row that cannot be told apart may be any of them.
  if (!isLooked || list.broken !== undefined) return;
  const there = new Set(list.map(({ remoteId }) => remoteId));
  const missing = rows.filter(
    (row) =>
      row.remoteId !== null &&
      !there.has(row.remoteId) &&
      (isChanged(row) || (ctx.state.isRefresh && !isSwitchedOff(row))),
  );
  if (missing.length > 0) await note(ctx, kind, await settledRows(ctx, kind, missing));
}

/** Permanently off: whether a list still shows it differs (document, "Ad item"). */
const isSwitchedOff = ({ base }: AnyRow): boolean => {
  const values: Readonly<Record<string, unknown>> = base ?? {};
  return values['status'] === 'deleted' || values['state'] === 'archived';
};

/** A row whose send is not settled is looked for by the resolving. */
async function settledRows(ctx: SyncContext, kind: Kind, rows: readonly AnyRow[]): Promise<readonly AnyRow[]> {
  if (!ctx.state.isRefresh) return rows;
  const live = await ctx.ports.outbox.live();
  const open = new Set(live.flatMap(({ ops }) => ops.filter((op) => op.kind === kind).map(({ rowId }) => rowId)));
  return rows.filter(({ id }) => !open.has(id));
}

/** Whether a read of this run has not found it. */
export const isGone = (ctx: SyncContext, { kind, id }: Pick<AnyRow, 'kind' | 'id'>): boolean =>
  ctx.state.noted.has(`absent ${rowKey(kind, id)}`);

/**
 * A read that is refused because its campaign or ad group is not there (document, "Errors", 404).
 *
 * @returns whether that is what the refusal says
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
  if (message === 'campaign not found') await note(ctx, 'campaign', [campaign]);
  else if (message === 'adgroup not found' && group !== null) await note(ctx, 'adGroup', [group]);
  else return false;
  return true;
}

async function note(ctx: SyncContext, kind: Kind, missing: readonly AnyRow[]): Promise<void> {
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

/** Notes what of a list could not be read. @returns the rows of which all can; the others keep what they have here */
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

/** The same list may be read more than once in a run. */
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
 * Profiles are asked for in vain where the campaign turns out to be of another type: it has none (document, "SBA list (V2)", 422,
 * and "Ad group media", 404).
 */
const isOfOtherType = (failure: ReadFailure): boolean =>
  failure.kind === 'refused' && (failure.status === 422 || /not allowed for this campaign type/i.test(failure.message));

/**
 * Notes a list that the service refuses, once for a run.
 *
 * @param path the rows that the list hangs from, the campaign first
 */
export function noteNotRead(ctx: SyncContext, path: readonly (AnyRow | null)[], failure: ReadFailure): void {
  if (failure.kind !== 'refused') return;
  const label = path.flatMap((row) => (row === null ? [] : [rowLabel(row)])).join(' > ');
  const found: NotRead = { call: failure.call ?? '', label, status: failure.status, message: failure.message };
  const { notRead } = ctx.state.notes;
  if (!notRead.some((one) => one.call === found.call && one.label === label)) notRead.push(found);
}

/** Tells what was noted, once for a run. */
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

import type { GoneRow, NotRead, Unreadable } from '../../shared/api/sync.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { type AnyRow, isChanged, isDeleted, type Row } from '../../shared/model/row.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { rowLabel } from '../../shared/rules/rule.ts';
import type { Listed, RemoteRecord } from '../api/fetch-records.ts';
import type { ReadFailure } from '../api/request-outcome.ts';
import { normalizeMessage } from '../api/service-message.ts';
import { MISSED } from '../store/outbox/outbox-types.ts';
import type { SyncContext } from './context.ts';
import type { ListedRow } from './remote-rows.ts';
import { rowForRemoteId, rowKey } from './row-index.ts';

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

/** Switched off for good: whether a list still shows it differs (document, "Ad item"). */
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
  ctx.state.absent.some((one) => one.kind === kind && one.id === id);

/**
 * A read that is refused because its campaign or ad group is not there (document, "Errors", 404).
 *
 * @returns whether that is what the refusal says
 */
export async function reportMissingParent(
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
  const { epoch } = ctx.options;
  const { proven } = await ctx.ports.outbox.noteMissing({ epoch, kind, ids });
  for (const row of missing) {
    if (kind === 'campaign' || kind === 'adGroup') ctx.state.absent.push({ kind, id: row.id });
    if (isDeleted(row)) continue;
    if (ctx.state.isRefresh) noteGoneRow(ctx, row, proven.includes(row.id));
    if (ctx.state.isRefresh || proven.includes(row.id)) continue;
    const isTold = ctx.state.tally.refused.some((one) => one.kind === kind && one.id === row.id);
    if (!isTold) ctx.state.tally.refused.push({ kind, id: row.id, message: MISSED });
  }
}

/**
 * What reads come upon beside values: rows that hold something no field can have, rows that are gone, and lists the service
 * refuses. None of it ends a read; all of it is told, in the report and as one notice.
 */

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
    const label = row === undefined ? `${remoteId}` : rowLabel(row);
    for (const { field, value } of misread) add(ctx, { kind, id: id === 0 ? null : id, label, field, value });
    return false;
  });
}

/** The same list may be read more than once in a run. */
function add(ctx: SyncContext, found: Unreadable): void {
  const { unreadable } = ctx.state.notes;
  const isSame = (one: Unreadable): boolean =>
    one.kind === found.kind && one.label === found.label && one.field === found.field && one.value === found.value;
  if (!unreadable.some(isSame)) unreadable.push(found);
}

function noteGoneRow(ctx: SyncContext, row: AnyRow, asked: boolean): void {
  const { kind, id } = row;
  const found: GoneRow = { kind, id, label: rowLabel(row), asked };
  if (!ctx.state.notes.gone.some((one) => one.kind === kind && one.id === id)) ctx.state.notes.gone.push(found);
}

/** A brand profile is asked for in vain where the campaign turns out to have none (document, "SBA list (V2)", 422). */
const OTHER_KIND = 422;

export function noteNotRead(
  ctx: SyncContext,
  tree: CampaignTree,
  group: Row<'adGroup'> | null,
  failure: ReadFailure,
): void {
  if (failure.kind !== 'refused' || failure.status === OTHER_KIND) return;
  const label = [tree.campaign, ...(group === null ? [] : [group])].map((row) => rowLabel(row)).join(' > ');
  const found: NotRead = { call: failure.call ?? '', label, status: failure.status, message: failure.message };
  ctx.state.notes.notRead.push(found);
}

/** Tells what was noted, once for a run. */
export async function tellNotes(ctx: SyncContext): Promise<void> {
  const { gone, unreadable, notRead } = ctx.state.notes;
  const asked = gone.filter((one) => one.asked);
  const missed = gone.filter((one) => !one.asked);
  const messages = [
    asked.length === 0
      ? ''
      : `${namesOf(asked)}: gone on the service. Open Conflicts and choose: create it again, or delete it here too.`,
    missed.length === 0
      ? ''
      : `${namesOf(missed)}: no longer listed by the service. Refresh again in two minutes or later; if it is still missing, you are asked what to do.`,
    unreadable.length === 0 ? '' : unreadableText(unreadable),
    ...notRead
      .slice(0, NAMED)
      .map(
        ({ call, label, status, message }) =>
          `"${label}" was not read completely: the service answered ${call} with status ${status}: ${message}`,
      ),
  ];
  for (const message of messages) {
    if (message === '') continue;
    ctx.ports.emit({ type: 'notice', workspaceId: ctx.options.workspaceId, severity: 'warning', message, params: {} });
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
    field === null ? `a row without a usable id (${value}) in "${label}"` : `"${label}", field ${field}: ${value}`;
  const others = found.length > 1 ? ` and ${found.length - 1} more` : '';
  return `The service sent values that can't be read: ${what}${others}. These rows keep their values here; the other rows were read. Refresh again later, or report it to the service's support.`;
}

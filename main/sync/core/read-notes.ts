import type { GoneRow, NotRead, Unreadable } from '../../../shared/contract/sync.ts';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { AnyRow, Row } from '../../../shared/model/row.ts';
import { rowLabel } from '../../../shared/rules/row-label.ts';
import type { ReadFailure } from '../../api/outcome.ts';
import type { Listed, RemoteRecord } from '../../api/read.ts';
import { ownerOf, rowKey } from './books.ts';
import type { RoundContext } from './context.ts';
import { tell, type Work } from './effects.ts';

/**
 * What reads come upon beside values: rows that hold something no field can have, rows that are gone, and lists the service
 * refuses. None of it ends a read; all of it is told, in the report and as one notice.
 */

/** Notes what of a list could not be read. @returns the rows of which all can; the others keep what they have here */
export function readableOnly<T extends Pick<RemoteRecord, 'remoteId' | 'misread'>>(
  ctx: RoundContext,
  kind: Kind,
  where: string,
  list: Listed<T>,
): readonly T[] {
  for (const value of list.broken ?? []) add(ctx, { kind, id: null, label: where, field: null, value });
  return list.filter(({ remoteId, misread }) => {
    if (misread === undefined) return true;
    const id = ownerOf(ctx, kind, remoteId);
    const row = id === null ? undefined : ctx.rows.get(rowKey(kind, id));
    const label = row === undefined ? `${remoteId}` : rowLabel(row);
    for (const { field, value } of misread) add(ctx, { kind, id: id === 0 ? null : id, label, field, value });
    return false;
  });
}

/** The same list may be read more than once in a round. */
function add(ctx: RoundContext, found: Unreadable): void {
  const { unreadable } = ctx.notes;
  const isSame = (one: Unreadable): boolean =>
    one.kind === found.kind && one.label === found.label && one.field === found.field && one.value === found.value;
  if (!unreadable.some(isSame)) unreadable.push(found);
}

export function noteGoneRow(ctx: RoundContext, row: AnyRow, asked: boolean): void {
  const { kind, id } = row;
  const found: GoneRow = { kind, id, label: rowLabel(row), asked };
  if (!ctx.notes.gone.some((one) => one.kind === kind && one.id === id)) ctx.notes.gone.push(found);
}

/** A brand profile is asked for in vain where the campaign turns out to have none (document, "SBA list (V2)", 422). */
const OTHER_KIND = 422;

export function noteNotRead(
  ctx: RoundContext,
  tree: CampaignTree,
  group: Row<'adGroup'> | null,
  failure: ReadFailure,
): void {
  if (failure.kind !== 'refused' || failure.status === OTHER_KIND) return;
  const label = [tree.campaign, ...(group === null ? [] : [group])].map((row) => rowLabel(row)).join(' > ');
  const found: NotRead = { call: failure.call ?? '', label, status: failure.status, message: failure.message };
  ctx.notes.notRead.push(found);
}

/** Tells what was noted, once for a round. */
export function* tellNotes(ctx: RoundContext): Work<void> {
  const { gone, unreadable, notRead } = ctx.notes;
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
    yield* tell({ type: 'notice', workspaceId: ctx.workspaceId, severity: 'warning', message, params: {} });
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

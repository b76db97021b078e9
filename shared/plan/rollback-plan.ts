import { finalStatus } from '../lifecycle/states.ts';
import { type CampaignTree, treeRows } from '../model/campaign-tree.ts';
import type { Cell } from '../model/field-types.ts';
import type { AnyValues } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';
import { type AnyRow, cellOf, isDeleted, rowKey } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import type { Capabilities, Plan, Verb } from './plan-types.ts';

/** One edit that reverts a sent change; applied as an ordinary edit, so it is planned and reviewed like any other. */
export interface InverseChange {
  readonly kind: Kind;
  readonly id: RowId;
  readonly field: string;
  readonly value: Cell;
}

/** A change that no call of the service can revert, and why. */
export interface NotReversible {
  readonly kind: Kind;
  readonly id: RowId;
  readonly why: 'created-for-good' | 'fixed-after-create' | 'logo-replaced' | 'review-asked' | 'video-uploaded';
}

/** Reasons why no call of the service can revert a change, as text. */
export const NOT_REVERSIBLE: Readonly<Record<string, string>> = {
  'created-for-good': "the service can't delete it",
  'fixed-after-create': "can't be changed after it was created",
  'logo-replaced': 'the previous logo is no longer available',
  'review-asked': 'submitted for review; you can cancel the review while it is open',
  'video-uploaded': "the video stays in the service's library",
  'switched-off-for-good': 'deleting is permanent on the service; add it again',
};

/**
 * The rollback of a plan once it is sent, and what can't be rolled back: the same computation as the real rollback, on
 * the planned changes. Computed before the sync, from the base of the plan.
 */
export function rollbackPlan(
  plan: Pick<Plan, 'batches' | 'uploads'>,
  trees: readonly CampaignTree[],
  can: Capabilities,
): Pick<SentRollback, 'changes' | 'irreversible'> {
  const rows = new Map(trees.flatMap(treeRows).map((row) => [rowKey(row.kind, row.id), row]));
  const sent = plan.batches.flatMap((batch) =>
    batch.elements.map(({ kind, id, changed }): SentChange => {
      const row = rows.get(rowKey(kind, id)) ?? null;
      const fields = Object.fromEntries(changed.map((field) => [field, cellOf(row?.values, field)]));
      return { kind, id, verb: batch.verb, sent: fields, base: row?.base ?? null, row };
    }),
  );
  const { changes, irreversible } = rollbackSent(sent, can);
  const uploads = plan.uploads.map(({ mediaId: id }) => ({
    kind: 'media' as const,
    id,
    why: 'video-uploaded' as const,
  }));
  return { changes, irreversible: [...uploads, ...irreversible] };
}

/** How an existing row is disabled by a call that the connection offers. */
function switchedOff(kind: Kind, can: Capabilities): { readonly field: string; readonly value: Cell } | null {
  if (kind === 'adItem' || kind === 'sbaProfile') return { field: 'status', value: 'disabled' };
  if (kind === 'keyword' && can.keywordUpdate) return { field: 'state', value: 'paused' };
  if (kind === 'adGroup' && can.adGroupUpdate) return { field: 'status', value: 'disabled' };
  if (kind === 'videoProfile' && can.videoProfileUpdate) return { field: 'status', value: 'disabled' };
  return null;
}

/** One element accepted by the service. `base` has the earlier values of the fields in `sent`; null for a create. */
export interface SentChange {
  readonly kind: Kind;
  readonly id: RowId;
  readonly verb: Verb;
  readonly sent: AnyValues;
  readonly base: AnyValues | null;
  /** The row as it is now; null if it was removed. */
  readonly row: AnyRow | null;
}

/** A field that is not rolled back, because it was changed since. */
interface ChangedSince {
  readonly kind: Kind;
  readonly id: RowId;
  readonly field: string;
  readonly sent: Cell;
  readonly now: Cell;
}

/** The edits that roll back a sync, and the changes that can't be rolled back. */
export interface SentRollback {
  readonly changes: readonly (InverseChange & { readonly now: Cell })[];
  readonly irreversible: readonly (Omit<NotReversible, 'why'> & {
    readonly why: NotReversible['why'] | 'switched-off-for-good';
  })[];
  readonly changedSince: readonly ChangedSince[];
}

/**
 * The edits that restore the service's values before a sync, the last change first. They are ordinary edits: they are
 * checked, can be viewed, and are sent with the next sync.
 *
 *   updated, value still as sent           the earlier value
 *   updated, and changed again since       not changed, and reported
 *   created                                disabled, where a call can do that
 *   deleted, archived, logo, review, file  permanent
 *
 * @param sent elements of one sync in the order in which they were sent
 */
export function rollbackSent(sent: readonly SentChange[], can: Capabilities): SentRollback {
  const created = new Set(sent.filter(({ verb }) => verb === 'create').map(keyOf));
  const latest = new Map<string, { readonly one: SentChange; readonly field: string; before: Cell; sent: Cell }>();
  const changes: SentRollback['changes'][number][] = [];
  const irreversible: SentRollback['irreversible'][number][] = [];
  for (const one of sent) {
    const { kind, id, verb } = one;
    if (one.row === null) continue;
    // A new profile had no earlier logo; it is disabled below.
    if (verb === 'logo' && created.has(keyOf(one))) continue;
    if (verb === 'submit') irreversible.push({ kind, id, why: 'review-asked' });
    else if (verb === 'logo') irreversible.push({ kind, id, why: 'logo-replaced' });
    else if (verb === 'upload') irreversible.push({ kind, id, why: 'video-uploaded' });
    else if (verb === 'update' && finalStatus(kind, one.sent) !== null)
      irreversible.push({ kind, id, why: 'switched-off-for-good' });
    else if (verb === 'update' && !created.has(keyOf(one))) collect(latest, one);
  }
  const changedSince: ChangedSince[] = [];
  for (const { one, field, before, sent: last } of latest.values()) {
    const { kind, id } = one;
    const now = cellOf(one.row?.values, field);
    if (now !== last) changedSince.push({ kind, id, field, sent: last, now });
    else if (now !== before) changes.push({ kind, id, field, value: before, now });
  }
  for (const one of sent) {
    if (one.verb !== 'create' || one.row === null || isDeleted(one.row)) continue;
    const { kind, id } = one;
    const off = switchedOff(kind, can);
    const now = off === null ? null : cellOf(one.row.values, off.field);
    if (off === null) irreversible.push({ kind, id, why: 'created-for-good' });
    else if (now !== off.value) changes.push({ kind, id, ...off, now });
  }
  return { changes: changes.toReversed(), irreversible, changedSince };
}

/** For several changes of one field, keeps the value before the first and the last one sent. */
function collect(
  latest: Map<string, { readonly one: SentChange; readonly field: string; before: Cell; sent: Cell }>,
  one: SentChange,
): void {
  for (const [field, sent] of Object.entries(one.sent)) {
    const before = one.base?.[field];
    if (before === undefined) continue;
    const key = `${keyOf(one)} ${field}`;
    const known = latest.get(key);
    if (known !== undefined) known.sent = sent;
    else if (before !== sent) latest.set(key, { one, field, before, sent });
  }
}

const keyOf = ({ kind, id }: SentChange): string => rowKey(kind, id);

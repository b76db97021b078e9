import type { CampaignTree } from '../model/campaign-tree.ts';
import type { Cell } from '../model/field-types.ts';
import type { AnyValues } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';
import { type AnyRow, isDeleted, type Row } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import type { Capabilities, Plan, PlanElement, Verb } from './plan-types.ts';

/** One edit that takes a sent change back; staged as an ordinary edit, so it is planned and read like any other. */
export interface InverseChange {
  readonly kind: Kind;
  readonly id: RowId;
  readonly field: string;
  readonly value: Cell;
}

/** What no call of the service takes back, and why. */
export interface NotReversible {
  readonly kind: Kind;
  readonly id: RowId;
  readonly why: 'created-for-good' | 'fixed-after-create' | 'logo-replaced' | 'review-asked' | 'video-uploaded';
}

export type InversePlan = ReturnType<typeof rollbackPlan>;

/**
 * The edits that would undo a plan once it is sent: old values back, created things switched off. Computed
 * before the sync, from the base the plan started from; the last change of the plan is taken back first.
 */
export function rollbackPlan(plan: Plan, trees: readonly CampaignTree[], can: Capabilities) {
  const rows = rowsByKey(trees);
  const changes: InverseChange[] = [];
  const irreversible: NotReversible[] = plan.uploads.map((upload) => {
    return { kind: 'media', id: upload.mediaId, why: 'video-uploaded' };
  });
  for (const batch of plan.batches.toReversed()) {
    for (const element of batch.elements) {
      const { kind, id } = element;
      if (batch.verb === 'submit') irreversible.push({ kind, id, why: 'review-asked' });
      else if (batch.verb === 'logo') irreversible.push({ kind, id, why: 'logo-replaced' });
      else if (batch.verb === 'create') {
        const off = switchedOff(kind, can);
        if (off === null) irreversible.push({ kind, id, why: 'created-for-good' });
        else changes.push({ kind, id, ...off });
      } else changes.push(...oldValues(element, rows.get(`${kind}:${id}`)));
    }
  }
  return { changes, irreversible };
}

function oldValues(element: PlanElement, row: Row | undefined): InverseChange[] {
  const base: AnyValues | null | undefined = row?.base;
  if (base === null || base === undefined) return [];
  const { kind, id } = element;
  return element.changed.map((field) => ({ kind, id, field, value: base[field] ?? null }));
}

/** How a thing that exists is switched off by a call the connection offers. */
export function switchedOff(kind: Kind, can: Capabilities): { readonly field: string; readonly value: Cell } | null {
  if (kind === 'adItem' || kind === 'sbaProfile') return { field: 'status', value: 'disabled' };
  if (kind === 'keyword' && can.keywordUpdate) return { field: 'state', value: 'paused' };
  if (kind === 'adGroup' && can.adGroupUpdate) return { field: 'status', value: 'disabled' };
  if (kind === 'videoProfile' && can.videoProfileUpdate) return { field: 'status', value: 'disabled' };
  return null;
}

function rowsByKey(trees: readonly CampaignTree[]): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  for (const tree of trees) {
    const { campaign, media: _media, ...lists } = tree;
    for (const row of [campaign, ...Object.values(lists).flat()]) rows.set(`${row.kind}:${row.id}`, row);
  }
  return rows;
}

/** One element the service has taken. `base` holds what it had before, of the fields in `sent`; null for a create. */
export interface SentChange {
  readonly kind: Kind;
  readonly id: RowId;
  readonly verb: Verb;
  readonly sent: AnyValues;
  readonly base: AnyValues | null;
  /** The row as it is now; null when it has left. */
  readonly row: AnyRow | null;
}

/** A field that is left as it is, because somebody has changed it since. */
interface ChangedSince {
  readonly kind: Kind;
  readonly id: RowId;
  readonly field: string;
  readonly sent: Cell;
  readonly now: Cell;
}

/** What takes a sync back, and what does not. */
export interface SentRollback {
  readonly changes: readonly (InverseChange & { readonly now: Cell })[];
  readonly irreversible: readonly (Omit<NotReversible, 'why'> & {
    readonly why: NotReversible['why'] | 'switched-off-for-good';
  })[];
  readonly changedSince: readonly ChangedSince[];
}

/**
 * The edits that bring back what the service had before a sync, the last change first. They are ordinary edits: they are
 * checked, can be looked at, and go to the service with the next sync.
 *
 *   updated, and still as it was sent      the value before
 *   updated, and changed again since       left alone, and said
 *   created                                switched off, where a call does that
 *   deleted, archived, logo, review, file  for good
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
    if (verb === 'submit') irreversible.push({ kind, id, why: 'review-asked' });
    else if (verb === 'logo') irreversible.push({ kind, id, why: 'logo-replaced' });
    else if (verb === 'upload') irreversible.push({ kind, id, why: 'video-uploaded' });
    else if (verb === 'update' && isOff(one)) irreversible.push({ kind, id, why: 'switched-off-for-good' });
    else if (verb === 'update' && !created.has(keyOf(one))) collect(latest, one);
  }
  const changedSince: ChangedSince[] = [];
  for (const { one, field, before, sent: last } of latest.values()) {
    const { kind, id } = one;
    const now = cellOf(one.row, field);
    if (now !== last) changedSince.push({ kind, id, field, sent: last, now });
    else if (now !== before) changes.push({ kind, id, field, value: before, now });
  }
  for (const one of sent) {
    if (one.verb !== 'create' || one.row === null || isDeleted(one.row)) continue;
    const { kind, id } = one;
    const off = switchedOff(kind, can);
    const now = off === null ? null : cellOf(one.row, off.field);
    if (off === null) irreversible.push({ kind, id, why: 'created-for-good' });
    else if (now !== off.value) changes.push({ kind, id, ...off, now });
  }
  return { changes: changes.toReversed(), irreversible, changedSince };
}

/** Of several changes of one field the value before the first counts, and the one sent last. */
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

const keyOf = ({ kind, id }: SentChange): string => `${kind}:${id}`;
const isOff = ({ sent }: SentChange): boolean => sent['status'] === 'deleted' || sent['state'] === 'archived';
const cellOf = (row: AnyRow | null, field: string): Cell => (row?.values as AnyValues | undefined)?.[field] ?? null;

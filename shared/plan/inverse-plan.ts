import type { CampaignTree } from '../model/campaign-tree.ts';
import type { Cell } from '../model/field-types.ts';
import type { AnyValues } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';
import type { Row } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import type { Capabilities, Plan, PlanElement } from './plan-types.ts';

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

export interface InversePlan {
  readonly changes: readonly InverseChange[];
  readonly irreversible: readonly NotReversible[];
}

/**
 * The edits that would undo a plan once it is sent: old values back, created things switched off. Computed
 * before the sync, from the base the plan started from; the last change of the plan is taken back first.
 */
export function rollbackPlan(plan: Plan, trees: readonly CampaignTree[], can: Capabilities): InversePlan {
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

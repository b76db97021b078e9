import type { AnyValues } from '../../../shared/model/fields.ts';
import type { RemoteIdSource } from '../../../shared/model/kinds.ts';
import { asRowId, type RemoteId, type RowId } from '../../../shared/model/scalars.ts';
import { asNumber } from '../db/db.ts';
import { isCurrentOwner } from '../outbox/save-intent.ts';
import { tableOf } from '../schema/tables.ts';
import type { RemoteRow } from '../types.ts';
import type { WriterStore } from '../writer/store.ts';
import { recordRemoteId } from './record-remote-ids.ts';

/** A campaign that the service has and this workspace lacks, or lacks a part of. */
export interface InsertedCampaign {
  readonly epoch: number;
  readonly source: RemoteIdSource;
  readonly campaign: { readonly id: RemoteId; readonly values: Partial<AnyValues> };
  readonly adGroups: readonly { readonly id: RemoteId; readonly values: Partial<AnyValues> }[];
}

/**
 * Makes rows of a campaign and of ad groups that are on the service. They are rows the service has said nothing more of:
 * what is not in `values` is empty and unread, so nothing is changed, nothing is missing, and nothing would be sent. Of
 * rows that are here already only empty fields are filled.
 *
 * @returns the row of the campaign; null when another process has taken the workspace over
 */
export function insertCampaign(store: WriterStore, args: InsertedCampaign): { readonly campaignId: RowId | null } {
  const { db } = store;
  const { source, campaign, adGroups } = args;
  if (!isCurrentOwner(db, args.epoch)) return { campaignId: null };
  const nowMs = store.nowMs();
  recordRemoteId(db, 'campaign', campaign.id, source, nowMs);
  merge(store, { kind: 'campaign', remoteId: campaign.id, campaignId: null, adGroupId: null, values: campaign.values });
  const campaignId = rowOf(store, 'campaign', campaign.id);
  for (const { id, values } of adGroups) {
    recordRemoteId(db, 'adGroup', id, source, nowMs);
    merge(store, { kind: 'adGroup', remoteId: id, campaignId, adGroupId: null, values });
  }
  return { campaignId };
}

function merge(store: WriterStore, row: RemoteRow): void {
  const { kind, remoteId } = row;
  const id = remoteId === null ? null : rowOf(store, kind, remoteId);
  const found = id === null ? null : store.readRow({ kind, id });
  const said: AnyValues = found === null ? {} : ((found.base ?? found.values) as AnyValues);
  const values = Object.fromEntries(
    Object.entries(row.values).filter(([field, value]) => value != null && (said[field] ?? null) === null),
  );
  store.mergeRemoteRows([{ ...row, values }]);
}

function rowOf({ db }: WriterStore, kind: RemoteRow['kind'], remoteId: RemoteId): RowId | null {
  const found = db.get(`SELECT id FROM ${tableOf(kind).name} WHERE remote_id = ?`, remoteId);
  return found === undefined ? null : asRowId(asNumber(found[0]));
}

import type { Row } from '../../model/row.ts';
import type { WireObject, WireValue } from '../plan-types.ts';
import { type Built, idOf, pick } from './wire.ts';

/** `POST /api/v1/adGroups`. */
export function adGroupCreate(row: Row<'adGroup'>, campaign: Row<'campaign'>): Built {
  const status = row.values.status ?? 'enabled';
  const body: WireObject = { name: row.values.name, campaignId: idOf(campaign), status };
  return { body, sent: { name: row.values.name, status } };
}

/** `PUT /api/v1/adGroups` (extension): the ids and what changed. */
export function adGroupUpdate(row: Row<'adGroup'>, campaign: Row<'campaign'>, changed: readonly string[]): Built {
  const body: Record<string, WireValue> = { campaignId: idOf(campaign), adGroupId: idOf(row) };
  if (changed.includes('name')) body['name'] = row.values.name;
  if (changed.includes('status')) body['status'] = row.values.status;
  return { body, sent: pick(row.values, changed) };
}

/** `POST /api/v1/review`: asks for the review of everything in the group. */
export function reviewSubmit(group: Row<'adGroup'>, campaign: Row<'campaign'>): Built {
  return { body: { campaignId: idOf(campaign), adGroupId: idOf(group) }, sent: {} };
}

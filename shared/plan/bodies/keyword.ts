import { isDeleted, type Row } from '../../model/row.ts';
import type { DeploymentProfile } from '../../profile/profile.ts';
import type { WireObject, WireValue } from '../plan-types.ts';
import { amount, type Built, idOf, pick, withoutNulls } from './wire.ts';

/**
 * `POST /api/v1/keywords`, in the words of the deployment (wire shapes, section 4). In seed words an element
 * carries its one text as a list; `joinKeywordLists` makes the request of a whole batch. New keywords are
 * born enabled there, so another state stays a change for a later update.
 */
export function keywordCreate(
  row: Row<'keyword'>,
  campaign: Row<'campaign'>,
  group: Row<'adGroup'>,
  dialect: DeploymentProfile['wire']['dialect'],
): Built {
  const { text, matchType, bid } = row.values;
  const ids = { campaignId: idOf(campaign), adGroupId: idOf(group) };
  if (dialect === 'family') {
    const state = row.values.state ?? 'enabled';
    const body = withoutNulls({ ...ids, keywordText: text, matchType, bid: amount(bid), state });
    return { body, sent: { text, matchType, bid, state } };
  }
  const body = withoutNulls({ ...ids, keywords: [text ?? ''], matchType, bid: amount(bid) });
  return { body, sent: { text, matchType, bid, state: 'enabled' } };
}

/** `PUT /api/v1/keywords` (extension): bid and state; text and match type never change. A deleted keyword is archived. */
export function keywordUpdate(row: Row<'keyword'>, changed: readonly string[]): Built {
  const values = isDeleted(row) ? { ...(row.base ?? row.values), state: 'archived' as const } : row.values;
  const body: Record<string, WireValue> = { keywordId: idOf(row) };
  if (changed.includes('bid')) body['bid'] = amount(values.bid);
  if (changed.includes('state')) body['state'] = values.state;
  return { body, sent: pick(values, changed) };
}

/** The one request object of a batch in seed words: the elements differ in their text alone. */
export function joinKeywordLists(bodies: readonly WireObject[]): WireObject {
  const [first, ...rest] = bodies;
  if (first === undefined) return {};
  const texts = [first, ...rest].flatMap((body) => (Array.isArray(body['keywords']) ? body['keywords'] : []));
  return { ...first, keywords: texts };
}

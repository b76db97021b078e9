import { isDeleted, type Row } from '../../model/row.ts';
import { amount, type Built, idOf, withoutNulls } from './wire.ts';

/**
 * `POST` and `PUT /api/v1/adItems` take the same flat object, whole. The update is keyed by the item id, and
 * the one sent is the one last read (wire shapes, section 5). A deleted row is an update to `deleted`.
 */
export function adItemBody(row: Row<'adItem'>, campaign: Row<'campaign'>, group: Row<'adGroup'>): Built {
  const gone = isDeleted(row);
  const itemId = row.base?.itemId ?? row.values.itemId;
  const bid = gone ? (row.base?.bid ?? row.values.bid) : row.values.bid;
  const status = gone ? 'deleted' : (row.values.status ?? 'enabled');
  const body = withoutNulls({
    campaignId: idOf(campaign),
    adGroupId: idOf(group),
    itemId,
    bid: amount(bid),
    status,
  });
  return { body, sent: { itemId, bid, status } };
}

import { kindCode } from '../../../shared/model/kinds.ts';
import { DELETED, NEW } from '../../../shared/model/row.ts';
import { asRowId, type RowId } from '../../../shared/model/scalars.ts';
import { asNumber, asText, asTextOrNull } from '../db/db.ts';
import type { WriterStore } from '../writer/store.ts';

/** An item that is still to be sent. */
export interface DraftItem {
  readonly id: RowId;
  readonly itemId: string;
  readonly name: string | null;
  readonly campaign: string;
}

/** What the workspace knows of item ids: those of drafts, those on the service, and what the service has made of old ones. */
export interface ItemProvenance {
  readonly drafts: readonly DraftItem[];
  readonly known: readonly { readonly itemId: string; readonly name: string | null }[];
  /**
   * Ids that were sent and under which the service does not list the row any more: it keeps the row and shows it under
   * its new id (wire shapes, section 5, "Migration").
   */
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
}

export function itemProvenance({ db }: WriterStore): ItemProvenance {
  const drafts = db.all(
    `SELECT k.id, k.itemId, k.itemName, c.name FROM ad_item k JOIN campaign c ON c.id = k.campaign_id
     WHERE k.dirty <> 0 AND k.dirty & ${NEW} AND NOT k.dirty & ${DELETED} AND k.itemId IS NOT NULL ORDER BY k.id`,
  );
  const known = db.all(
    `SELECT itemId, max(itemName) FROM ad_item WHERE remote_id IS NOT NULL AND itemId IS NOT NULL GROUP BY itemId`,
  );
  const renamed = db.all(
    `SELECT DISTINCT json_extract(o.sent, '$.itemId'), k.itemId FROM outbox_op o JOIN ad_item k ON k.id = o.row_id
     WHERE o.kind = ${kindCode('adItem')} AND o.state = 'DONE' AND k.remote_id IS NOT NULL
       AND k.itemId IS NOT NULL AND json_extract(o.sent, '$.itemId') <> k.itemId`,
  );
  return {
    drafts: drafts.map(([id, itemId, name, campaign]) => ({
      id: asRowId(asNumber(id)),
      itemId: asText(itemId),
      name: asTextOrNull(name),
      campaign: asTextOrNull(campaign) ?? '',
    })),
    known: known.map(([itemId, name]) => ({ itemId: asText(itemId), name: asTextOrNull(name) })),
    renamed: renamed.map(([from, to]) => ({ from: asText(from), to: asText(to) })),
  };
}

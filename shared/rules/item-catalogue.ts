import type { Row } from '../model/row.ts';
import { type Report, type RuleEnv, rulesOf } from './rule.ts';

/** New ad items against what the item search has said of their ids (document, "Per-element failures"). */
export const itemCatalogueRules = rulesOf('adItem', 'item', 'Errors', {
  'id-unconfirmed': {
    bit: 8,
    severity: 'warning',
    fields: ['itemId'],
    needs: 'catalogue',
    text: 'Item id "{itemId}" has not been seen in the item search: it may be unknown, unpublished or not yours. Look it up; a sync does so before it sends.',
  },
  'not-in-catalogue': {
    bit: 19,
    severity: 'error',
    fields: ['itemId'],
    needs: 'catalogue',
    text: 'The item search does not know item id "{itemId}"; the service answers "Item Id not found". Find the item with the item search.',
  },
  unreadable: {
    bit: 20,
    severity: 'warning',
    fields: ['itemId'],
    needs: 'catalogue',
    text: 'Item "{label}" is in the catalogue, but could not be read when it was last looked up. A sync looks again before it sends; take another item if this stays.',
  },
  unpublished: {
    bit: 21,
    severity: 'error',
    fields: ['itemId'],
    needs: 'catalogue',
    text: 'Item "{label}" is not published; the service answers "Cannot upload unpublished item". Publish it, or take another item.',
  },
  'not-owned': {
    bit: 22,
    severity: 'error',
    fields: ['itemId'],
    needs: 'catalogue',
    text: 'Item "{label}" or its base item belongs to somebody else, and the service refuses it. Take an item of your own.',
  },
});

const RULE_OF = {
  'not-found': 'not-in-catalogue',
  unreadable: 'unreadable',
  unpublished: 'unpublished',
  'not-owned': 'not-owned',
} as const;

/** An id in one of the two formats; of any other the format is what is wrong. */
const USABLE = /^(?:\d{10}|prod\d+)$/;
/** Sources that vouch for an id: the search it was picked from, and the service itself. */
const TRUSTED: ReadonlySet<string | null> = new Set(['search', 'service']);

/** @param item a row that the service has not got yet; what is there already needs no proof */
export function checkItemInCatalogue(
  item: Row<'adItem'>,
  itemId: string,
  { catalogue }: RuleEnv,
  report: Report,
): void {
  if (!USABLE.test(itemId)) return;
  const verdict = catalogue?.verdict(itemId) ?? null;
  if (verdict === null) {
    if (!TRUSTED.has(item.values.itemIdSource)) report.add(itemCatalogueRules['id-unconfirmed'], item, { itemId });
  } else if (verdict !== 'found') report.add(itemCatalogueRules[RULE_OF[verdict]], item, { itemId });
}

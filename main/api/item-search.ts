import type { FoundItem as Item } from '../../shared/api/items.ts';
import type { ItemCheckStatus } from '../../shared/model/item-check.ts';
import { err, ok } from '../../shared/result.ts';
import { listIn, type Read, readJson } from './fetch-records.ts';
import type { Http } from './http.ts';
import { isJsonList, type JsonValue } from './lossless-json.ts';
import { hundredthsOf, recordFieldsOf, textOf } from './parse-record.ts';
import { messageIn, normalizeMessage } from './service-message.ts';

/** One element of a search response. A search by IDs also returns elements for items that can't be added. */
export interface FoundItem extends Item {
  /** `found` for a result; null for a failure message that the document does not have. */
  readonly verdict: ItemCheckStatus | null;
}

/** Searches the catalog by text or by IDs (document, "POST /api/v1/itemSearch"). Returned IDs are used unchanged. */
export async function searchItems(
  http: Http,
  wanted: { readonly text: string } | { readonly ids: readonly string[] },
): Read<readonly FoundItem[]> {
  const terms = 'text' in wanted ? { searchText: wanted.text } : { searchItemIds: wanted.ids };
  // The advertiser ID is inserted as text because it may exceed the exact range of a JavaScript number.
  const body = `{"advertiserId":${http.connection.advertiserId},${JSON.stringify(terms).slice(1)}`;
  const answer = await readJson(http, { method: 'POST', path: '/api/v1/itemSearch', body });
  if (!answer.ok) return answer;
  const list = listIn(answer.value);
  if (list !== null) return ok(list.map(item).filter((found) => found !== null));
  return err({ kind: 'service', status: 200, message: messageIn(answer.value) ?? 'The answer is not a list.' });
}

function item(element: JsonValue): FoundItem | null {
  const members = recordFieldsOf(element);
  const itemId = textOf(members?.get('itemId'));
  if (members === null || itemId === null) return null;
  const isFailure = textOf(members.get('code'))?.toLowerCase() === 'failure';
  return {
    itemId,
    name: textOf(members.get('itemName', 'name')) ?? '',
    suggestedBidCents: hundredthsOf(members.get('suggestedBid')),
    imageUrl: textOf(members.get('itemImageUrl')),
    pageUrl: textOf(members.get('itemPageUrl')),
    variants: variantsIn(members.get('variantItems')),
    verdict: isFailure ? verdictOf(textOf(members.get('details')) ?? '') : 'found',
  };
}

function variantsIn(list: JsonValue | undefined): Item['variants'] {
  if (!isJsonList(list)) return [];
  return list.flatMap((element): Item['variants'] => {
    const members = recordFieldsOf(element);
    const itemId = textOf(members?.get('variantItemId', 'itemId'));
    if (members === null || itemId === null) return [];
    const name = textOf(members.get('variantItemName', 'itemName')) ?? '';
    return [{ itemId, name, imageUrl: textOf(members.get('variantImageUrl', 'itemImageUrl')) }];
  });
}

/** Beginnings of the document's "Per-element failures"; the requested ID may follow. */
const VERDICTS: readonly (readonly [beginning: string, ItemCheckStatus])[] = [
  ['Item Id not found', 'not-found'],
  ['ITEMID_NOT_FOUND', 'not-found'],
  ['Item not found', 'unreadable'],
  ['Cannot upload unpublished item', 'unpublished'],
  ['Cannot upload item. item or base item not owned', 'not-owned'],
];

function verdictOf(details: string): ItemCheckStatus | null {
  const folded = normalizeMessage(details);
  return VERDICTS.find(([beginning]) => folded.startsWith(normalizeMessage(beginning)))?.[1] ?? null;
}

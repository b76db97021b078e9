import type { ItemCheckResult } from '../../shared/model/item-fact.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { FoundItem } from '../api/item-search.ts';
import type { ReadFailure } from '../api/outcome.ts';
import type { PartnerApi } from '../api/partner-api.ts';
import type { Workspace } from '../workspace/store.ts';

type Searching = Pick<PartnerApi, 'searchItems'>;
type Noting = Pick<Workspace, 'outbox' | 'setServiceFields'>;

/** Most ids in one search: an answer holds no more elements (wire shapes, section 5, "Ad items"). */
const IDS_AT_ONCE = 200;

/** Searches the catalogue and writes down what was said of each id, so that the rules know it offline. */
export async function searchAndSave(
  api: Searching,
  workspace: Noting,
  wanted: Parameters<PartnerApi['searchItems']>[0],
): Promise<Result<readonly FoundItem[], ReadFailure>> {
  const found = await api.searchItems(wanted);
  if (!found.ok) return found;
  const facts = found.value.flatMap(({ itemId, name, verdict, variants }): ItemCheckResult[] => {
    if (verdict === null) return [];
    // A variant that a found item lists can be added like the item itself.
    const listed = variants.map((variant) => factOf(variant.itemId, variant.name, 'found'));
    return [factOf(itemId, name, verdict), ...listed];
  });
  const nameless = facts.length === 0 ? [] : await workspace.outbox.noteItems(facts);
  if (nameless.length > 0) {
    await workspace.setServiceFields(
      nameless.map(({ id, name }) => ({ kind: 'adItem', id, field: 'itemName', value: name })),
    );
  }
  return found;
}

const factOf = (itemId: string, name: string, verdict: ItemCheckResult['verdict']): ItemCheckResult => ({
  itemId,
  verdict,
  name: name === '' ? null : name,
});

/** How a look at the items that are about to be sent went. */
export interface ItemLookupResult {
  readonly asked: number;
  readonly found: number;
  /** Ids of which the search said that they cannot be added. */
  readonly refused: readonly string[];
}

/**
 * Looks up every new item that no search has confirmed: ids from sheets, typed ids, and ids refused before. An id of
 * which the answer says nothing stays unconfirmed.
 */
export async function lookUpNewItems(
  api: Searching,
  workspace: Noting,
  cancelled: AbortSignal,
): Promise<Result<ItemLookupResult, ReadFailure>> {
  const ids = await workspace.outbox.itemsToConfirm();
  let found = 0;
  let asked = 0;
  const refused: string[] = [];
  for (let at = 0; at < ids.length && !cancelled.aborted; at += IDS_AT_ONCE) {
    const part = ids.slice(at, at + IDS_AT_ONCE);
    const answer = await searchAndSave(api, workspace, { ids: part });
    if (!answer.ok) return answer;
    asked += part.length;
    for (const { itemId, verdict } of answer.value) {
      if (verdict === 'found') found++;
      else if (verdict !== null) refused.push(itemId);
    }
  }
  return ok({ asked, found, refused });
}

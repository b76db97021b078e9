import type { FoundItem } from '../api/item-search.ts';
import type { KnownItem } from '../pictures/pictures.ts';
import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';
import { readProblem } from './sync.ts';

export const itemsRouter = ({ open }: CoreParts) => ({
  search: os.items.search.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    const sync = await account.sync();
    // The service takes exactly one of the two (document, "POST /api/v1/itemSearch").
    const found = await sync.searchItems(
      input.ids !== null && input.ids.length > 0 ? { ids: input.ids } : { text: input.text ?? '' },
    );
    if (!found.ok) throw readProblem(found.error, errors);
    await account.pictures.noteItems(knownItems(found.value));
    return found.value
      .filter(({ verdict }) => verdict === 'found')
      .map(({ verdict: _, variants, ...item }) => ({ ...item, variants: [...variants] }));
  }),
  about: os.items.about.handler(async ({ input, errors }) => {
    const { itemId } = input;
    const { pictures, sync } = await opened(open, input.workspaceId, errors);
    const known = await pictures.item(itemId);
    if (known !== null) return { itemId, name: known.name, pageUrl: known.pageUrl };
    const found = await (await sync()).searchItems({ ids: [itemId] });
    if (!found.ok) return null;
    const items = knownItems(found.value);
    await pictures.noteItems(items);
    const item = items.find((one) => one.itemId === itemId);
    return item === undefined ? null : { itemId, name: item.name, pageUrl: item.pageUrl };
  }),
  confirm: os.items.confirm.handler(async ({ input, errors }) => {
    const sync = await (await opened(open, input.workspaceId, errors)).sync();
    const confirmed = await sync.confirmItems();
    if (!confirmed.ok) throw readProblem(confirmed.error, errors);
    return { ...confirmed.value, refused: [...confirmed.value.refused] };
  }),
});

/** What is remembered of a search: items and their variants, which are shown on the page of their item. */
const knownItems = (found: readonly FoundItem[]): readonly KnownItem[] =>
  found.flatMap(({ itemId, name, imageUrl, pageUrl, variants, verdict }) =>
    verdict === 'found'
      ? [...variants.map((variant) => ({ ...variant, pageUrl })), { itemId, name, imageUrl, pageUrl }]
      : [],
  );

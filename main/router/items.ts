import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';
import { readProblem } from './sync.ts';

export const itemsRouter = ({ open }: CoreParts) => ({
  search: os.items.search.handler(async ({ input, errors }) => {
    const sync = await (await opened(open, input.workspaceId, errors)).sync();
    // The service takes exactly one of the two (document, "POST /api/v1/itemSearch").
    const found = await sync.searchItems(
      input.ids !== null && input.ids.length > 0 ? { ids: input.ids } : { text: input.text ?? '' },
    );
    if (!found.ok) throw readProblem(found.error, errors);
    return found.value.filter(({ verdict }) => verdict === 'found').map(({ verdict: _, ...item }) => item);
  }),
  confirm: os.items.confirm.handler(async ({ input, errors }) => {
    const sync = await (await opened(open, input.workspaceId, errors)).sync();
    const confirmed = await sync.confirmItems();
    if (!confirmed.ok) throw readProblem(confirmed.error, errors);
    return { ...confirmed.value, refused: [...confirmed.value.refused] };
  }),
});

import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const newsRouter = ({ open }: CoreParts) => ({
  list: os.news.list.handler(async ({ input, errors }) => {
    const { news } = await opened(open, input.workspaceId, errors);
    return [...(await news.list())];
  }),
  note: os.news.note.handler(async ({ input, errors }) => {
    const { news } = await opened(open, input.workspaceId, errors);
    return [...(await news.note(input.entry))];
  }),
  clear: os.news.clear.handler(async ({ input, errors }) => {
    const { news } = await opened(open, input.workspaceId, errors);
    return [...(await news.clear())];
  }),
});

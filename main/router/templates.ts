import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const templatesRouter = ({ open }: CoreParts) => ({
  list: os.templates.list.handler(async ({ input, errors }) => {
    const { templates } = await opened(open, input.workspaceId, errors);
    return [...(await templates.list())];
  }),
  save: os.templates.save.handler(async ({ input, errors }) => {
    const { templates } = await opened(open, input.workspaceId, errors);
    const saved = await templates.save(input.template);
    if (!saved.ok) throw errors.BAD_TOOL({ data: { at: 0, problem: saved.error } });
    return [...saved.value];
  }),
  remove: os.templates.remove.handler(async ({ input, errors }) => {
    const { templates } = await opened(open, input.workspaceId, errors);
    return [...(await templates.remove(input.name))];
  }),
});

import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const rulesRouter = ({ open }: CoreParts) => ({
  list: os.rules.list.handler(async ({ input, errors }) => {
    const { rules } = await opened(open, input.workspaceId, errors);
    return [...(await rules.list())];
  }),
  save: os.rules.save.handler(async ({ input, errors }) => {
    const { rules } = await opened(open, input.workspaceId, errors);
    const saved = await rules.save(input.rule);
    if (!saved.ok) throw errors.BAD_RULE({ data: saved.error });
    return [...saved.value];
  }),
  remove: os.rules.remove.handler(async ({ input, errors }) => {
    const { rules } = await opened(open, input.workspaceId, errors);
    return [...(await rules.remove(input.id))];
  }),
});

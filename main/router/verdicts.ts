import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const verdictsRouter = ({ open }: CoreParts) => ({
  rejections: os.verdicts.rejections.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    const { total, rejections } = await workspace.rejections(input.from, input.count, input.words);
    return { total, rejections: [...rejections] };
  }),
});

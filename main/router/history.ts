import { notWritable, opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const historyRouter = ({ open }: CoreParts) => ({
  log: os.history.log.handler(async ({ input, errors }) => {
    const { workspaceId, from, count, ...filter } = input;
    return (await opened(open, workspaceId, errors)).workspace.log(from, count, filter);
  }),
  compare: os.history.compare.handler(async ({ input, errors }) => {
    const { workspaceId, before, after, campaignId, from, count } = input;
    const { workspace } = await opened(open, workspaceId, errors);
    const page = await workspace.compare(before, after, campaignId, from, count);
    if (!page.ok) throw errors.NO_MOMENT({ data: { step: page.error.step } });
    return page.value;
  }),
  restore: os.history.restore.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    const restored = await workspace.restore(input.to, input.scope, input.label);
    if (restored.ok) return restored.value;
    const problem = restored.error;
    switch (problem.kind) {
      case 'no-moment':
        throw errors.NO_MOMENT({ data: { step: problem.step } });
      case 'no-row':
        throw errors.NO_ROW({ data: problem.ref });
      default:
        throw notWritable(problem, errors.NOT_WRITABLE);
    }
  }),
});

import { RULES } from '../../shared/rules/registry.ts';
import { STAGES, stageOf } from '../../shared/rules/stages.ts';
import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const rulesRouter = ({ open, options }: CoreParts) => ({
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
  check: os.rules.check.handler(async ({ input, errors }) => {
    const { workspace } = await opened(open, input.workspaceId, errors);
    // Asking for findings waits for checks that an edit has left for later.
    await workspace.findings(0, 0, null);
    const now = options.clock.nowMs();
    const { lastRefreshAt } = await workspace.summary();
    return {
      stages: STAGES.map((stage) => ({
        stage,
        rules: RULES.filter((rule) => stageOf(rule) === stage).length,
        at: stage === 'service' ? lastRefreshAt : now,
      })),
    };
  }),
  muted: os.rules.muted.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    return [...(await account.muted.list())];
  }),
  mute: os.rules.mute.handler(async ({ input, errors }) => {
    const account = await opened(open, input.workspaceId, errors);
    const muted = await account.muted.set(input.rule, input.muted);
    if (!muted.ok) throw errors.BAD_RULE({ data: muted.error });
    return [...muted.value];
  }),
});

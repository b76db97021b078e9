import type { CampaignTemplate } from '../../../shared/api/campaigns.ts';
import { enTemplates } from '../../texts/en-templates.ts';
import { type ActionContext, runAction } from './action-context.ts';

/** Templates of the open account. False means that nothing was kept or removed, which was said. */
export interface TemplateActions {
  saveTemplate(template: CampaignTemplate): Promise<boolean>;
  removeTemplate(name: string): Promise<boolean>;
}

export function templateActions(doing: ActionContext): TemplateActions {
  const { client } = doing.connection;
  const told = (done: unknown, text: string): boolean => {
    doing.queries.refetch(`templates ${doing.store.getState().workspaceId}`);
    if (done !== null) doing.notes.tell(text);
    return done !== null;
  };
  return {
    saveTemplate: async (template) =>
      told(
        await runAction(doing, (workspaceId) => client.templates.save({ workspaceId, template })),
        enTemplates.saved(template.name),
      ),
    removeTemplate: async (name) =>
      told(
        await runAction(doing, (workspaceId) => client.templates.remove({ workspaceId, name })),
        enTemplates.removed(name),
      ),
  };
}

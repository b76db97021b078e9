import { type CampaignTemplate, TEMPLATES_MAX, TemplatesText } from '../shared/contract/templates.ts';
import { err, ok, type Result } from '../shared/result.ts';
import { createPersistedList } from './kept-list.ts';
import type { Workspace } from './workspace/store.ts';

/** The templates of one workspace, kept in its file, so that backups have them too. */
export interface CampaignTemplates {
  list(): Promise<readonly CampaignTemplate[]>;
  /** Keeps the template, in the place of the one with its name; the error is a sentence. */
  save(template: CampaignTemplate): Promise<Result<readonly CampaignTemplate[], string>>;
  /** Takes a template away; one that is not there is gone already. */
  remove(name: string): Promise<readonly CampaignTemplate[]>;
}

const KEY = 'campaign-templates';

export function createCampaignTemplates(workspace: Pick<Workspace, 'getMeta' | 'setMeta'>): CampaignTemplates {
  const kept = createPersistedList(workspace, KEY, (text) => TemplatesText.parse(text ?? '[]'));
  return {
    list: kept.read,
    save: (template) =>
      kept.tryChange((known) => {
        const others = without(known, template.name);
        if (others.length >= TEMPLATES_MAX)
          return err(`There are ${TEMPLATES_MAX} templates already. Remove one first.`);
        return ok([...others, template].toSorted((a, b) => (a.name < b.name ? -1 : 1)));
      }),
    remove: (name) => kept.change((known) => without(known, name)),
  };
}

const without = (templates: readonly CampaignTemplate[], name: string): readonly CampaignTemplate[] =>
  templates.filter((template) => template.name !== name);

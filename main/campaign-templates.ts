import { type CampaignTemplate, TEMPLATES_MAX, TemplatesText } from '../shared/contract/templates.ts';
import { createTurns } from '../shared/in-turn.ts';
import { err, ok, type Result } from '../shared/result.ts';
import type { Workspace } from './workspace/port.ts';

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
  const read = async (): Promise<readonly CampaignTemplate[]> =>
    TemplatesText.parse((await workspace.getMeta(KEY)) ?? '[]');
  const write = async (templates: readonly CampaignTemplate[]): Promise<readonly CampaignTemplate[]> => {
    const sorted = templates.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    await workspace.setMeta(KEY, JSON.stringify(sorted));
    return sorted;
  };
  /** One after the other: each change starts from what the one before has written. */
  const inTurn = createTurns();
  return {
    list: read,
    save: (template) =>
      inTurn(async () => {
        const others = (await read()).filter(({ name }) => name !== template.name);
        if (others.length >= TEMPLATES_MAX)
          return err(`There are ${TEMPLATES_MAX} templates already. Remove one first.`);
        return ok(await write([...others, template]));
      }),
    remove: (name) => inTurn(async () => write((await read()).filter((template) => template.name !== name))),
  };
}

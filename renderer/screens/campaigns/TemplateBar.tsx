import { ActionIcon } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { CampaignTemplate } from '../../../shared/contract/templates.ts';
import { templateActions } from '../../actions/template-actions.ts';
import { useActions } from '../../app/desk.ts';
import { templates } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enTemplates } from '../../messages/en-templates.ts';
import { STARTERS } from './starters.ts';

interface TemplateBarProps {
  readonly workspaceId: string;
  /** Name of the template the form began with; empty for none. */
  readonly chosen: string;
  /** The campaign that the form was filled from, if any. */
  readonly like: string | null;
  /** Null takes everything out of the form again. */
  readonly onChoose: (template: CampaignTemplate | null) => void;
}

/** What a new campaign begins with: nothing, a form that was kept under a name, or a starting point of its type. */
export function TemplateBar({ workspaceId, chosen, like, onChoose }: TemplateBarProps) {
  const actions = useActions(templateActions);
  const kept = useQuery(templates(workspaceId)).data ?? [];
  const isKept = kept.some(({ name }) => name === chosen);
  const remove = async (): Promise<void> => {
    if (await actions.removeTemplate(chosen)) onChoose(null);
  };
  return (
    <div className="template-bar">
      <label>
        {enTemplates.from}
        <select
          className="input"
          value={chosen}
          onChange={(event) => onChoose([...kept, ...STARTERS].find(({ name }) => name === event.target.value) ?? null)}
        >
          <option value="">{like === null ? enTemplates.empty : enTemplates.like(like)}</option>
          {kept.length > 0 && <Templates label={enTemplates.kept} templates={kept} />}
          <Templates label={enTemplates.starting} templates={STARTERS} />
        </select>
      </label>
      {isKept && (
        <ActionIcon
          variant="default"
          size={24}
          aria-label={enTemplates.remove(chosen)}
          title={enTemplates.remove(chosen)}
          onClick={() => void remove()}
        >
          <IconTrash size={16} stroke={1.5} />
        </ActionIcon>
      )}
    </div>
  );
}

function Templates({ label, templates: listed }: { label: string; templates: readonly CampaignTemplate[] }) {
  return (
    <optgroup label={label}>
      {listed.map(({ name }) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </optgroup>
  );
}

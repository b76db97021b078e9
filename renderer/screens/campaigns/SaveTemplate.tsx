import { Button, TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { isUnseen } from '../../../shared/model/invisible-text.ts';
import { templateActions } from '../../actions/template-actions.ts';
import { useActions } from '../../app/desk.ts';
import { enTemplates } from '../../messages/en-templates.ts';
import type { CampaignShape } from '../../store/dialog.ts';
import type { CampaignDraft } from './draft.ts';
import { storedForm } from './draft-of.ts';

interface SaveTemplateProps {
  readonly shape: CampaignShape;
  readonly draft: CampaignDraft;
  /** The name the form was kept under before, offered again. */
  readonly name: string;
}

/** Keeps the form as it is under a name. */
export function SaveTemplate({ shape, draft, name: before }: SaveTemplateProps) {
  const actions = useActions(templateActions);
  const [name, setName] = useState<string | null>(null);
  if (name === null) return <Button onClick={() => setName(before)}>{enTemplates.save}</Button>;
  const save = async (): Promise<void> => {
    if (isUnseen(name)) return;
    // A template is for another time: its days would be over by then.
    if (await actions.saveTemplate({ name: name.trim(), shape, form: storedForm(draft) })) setName(null);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    // Enter would create the campaign otherwise.
    event.preventDefault();
    void save();
  };
  return (
    <div className="template-save">
      <TextInput
        size="xs"
        ref={takeFocus}
        aria-label={enTemplates.name}
        placeholder={enTemplates.name}
        title={enTemplates.nameHint}
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Button onClick={() => void save()} disabled={isUnseen(name)}>
        {enTemplates.saveNow}
      </Button>
    </div>
  );
}

const takeFocus = (input: HTMLInputElement | null): void => input?.focus();

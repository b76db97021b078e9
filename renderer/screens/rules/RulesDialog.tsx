import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { useAppContext } from '../../app/desk.ts';
import { saveText } from '../../app/save-text.ts';
import { type ListedRule, userRules } from '../../data/account-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { enRules as texts } from '../../messages/en-rules.ts';
import { errorText } from '../../messages/errors.ts';
import { Empty } from '../../ui/Empty.tsx';
import { takeFocus } from '../../ui/take-focus.ts';
import { RuleForm } from './RuleForm.tsx';
import { RuleList } from './RuleList.tsx';
import { asFileText, newRule } from './rule-form.ts';
import { ImportRules } from './TakeIn.tsx';

type Place = { readonly at: 'list' } | { readonly at: 'rule'; readonly rule: ListedRule } | { readonly at: 'take-in' };
const LIST: Place = { at: 'list' };

/**
 *   list --New rule, Edit--> form --Save, Back--> list
 *      \--Take in rules--> text --Take them in, Back--> list
 */
export function RulesDialog({ workspaceId }: { readonly workspaceId: string }) {
  const { dismiss } = useAppContext().store.getState();
  const [place, setPlace] = useState<Place>(LIST);
  const { data: rules, error } = useQuery(userRules(workspaceId));
  const toList = (): void => setPlace(LIST);
  return (
    <Modal opened onClose={dismiss} title={texts.title} size={860}>
      {place.at === 'rule' && <RuleForm workspaceId={workspaceId} rule={place.rule} onDone={toList} />}
      {place.at === 'take-in' && <ImportRules onDone={toList} />}
      {place.at === 'list' && (
        <>
          <p className="quiet">{texts.intro}</p>
          {error !== null && (
            <p className="note-error" role="alert">
              {errorText(error)}
            </p>
          )}
          {rules === undefined && error === null && <p className="quiet">{texts.loading}</p>}
          {rules?.length === 0 && <Empty title={texts.none} text={texts.noneText} />}
          {rules !== undefined && rules.length > 0 && (
            <RuleList workspaceId={workspaceId} rules={rules} onEdit={(rule) => setPlace({ at: 'rule', rule })} />
          )}
          <Group justify="space-between" mt="md">
            <Group gap="xs">
              <Button disabled={rules === undefined} onClick={() => setPlace({ at: 'take-in' })}>
                {texts.takeIn}
              </Button>
              <Button
                disabled={rules === undefined || rules.length === 0}
                onClick={() => saveText(texts.fileName, asFileText(rules ?? []), 'application/json')}
              >
                {texts.saveAsFile}
              </Button>
            </Group>
            <Group gap="xs">
              <Button onClick={dismiss}>{en.close}</Button>
              <Button
                variant="filled"
                ref={rules === undefined ? null : takeFocus}
                data-autofocus
                disabled={rules === undefined}
                onClick={() => setPlace({ at: 'rule', rule: newRule() })}
              >
                {texts.add}
              </Button>
            </Group>
          </Group>
        </>
      )}
    </Modal>
  );
}

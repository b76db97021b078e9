import { Button, Group, Modal } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Account } from '../../../shared/api/accounts.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { countText, momentText, plural } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { takeFocus, takeIdleFocus } from '../../components/take-focus.ts';
import ui from '../../components/ui.module.css';
import { OfflineNotice } from '../shell/OfflineNotice.tsx';
import { PlanChanges, SyncPlan } from './SyncPlan.tsx';
import { SyncRunPage, useSyncRun } from './SyncRun.tsx';
import { syncDialogActions } from './sync-actions.ts';
import { syncTexts } from './text.ts';

const texts = {
  title: 'Run a saved plan',
  explain:
    'Choose a plan file, or drop one here. Adslate plans the same changes again and shows what differs. Nothing is sent before you confirm it.',
  choose: 'Choose a plan file…',
  another: 'Choose another file…',
  reading: 'Reading the plan…',
  wishes: ({ submit, campaigns, rows }: { submit: boolean; campaigns: number | null; rows: number | null }) =>
    [
      campaigns === null ? '' : plural(campaigns, 'campaign'),
      rows === null ? '' : `${countText(rows)} selected ${rows === 1 ? 'row' : 'rows'}`,
      campaigns === null && rows === null ? 'all changes' : '',
      submit ? 'submit for review' : 'no review',
    ]
      .filter((part) => part !== '')
      .join(' · '),
  draftsOf: (time: string) => `Changes of ${time}`,
  same: 'Nothing changed since the plan was saved.',
  changed: "The plan changed since it was saved, so it can't be sent. Plan again to see and send the new plan.",
  run: 'Run this plan',
  again: 'Plan again',
} as const;

interface RunPlanDialogProps {
  readonly account: Account;
  /** The file that was dropped; null to choose one. */
  readonly file: File | null;
}

/**
 * A saved plan beside what would be sent now:
 *
 *   no file --chosen or dropped--> read --nothing changed--> Run this plan --> running --> report
 *                                    '---changed, line by line--> Plan again --> the new plan --> Send now --^
 */
export function RunPlanDialog({ account, file }: RunPlanDialogProps) {
  const actions = useActions(syncDialogActions);
  const { workspaceId } = account;
  const { dismiss } = useAppContext().store.getState();
  const picker = useRef<HTMLInputElement>(null);
  const [grant, setGrant] = useState<string | null>(null);
  const [isNew, setNew] = useState(false);
  const run = useSyncRun(workspaceId);
  const opened = useQuery(
    useApi().sync.openPlan.queryOptions({ input: grant === null || run.asked ? skipToken : { workspaceId, grant } }),
  );
  const { data } = opened;

  const take = async (chosen: File | null): Promise<void> => {
    if (chosen === null) return;
    setNew(false);
    setGrant(await actions.grantPlan(chosen));
  };
  const taking = useRef(take);
  useEffect(() => {
    taking.current = take;
  });
  useEffect(() => void taking.current(file), [file]);

  if (run.isShown) {
    return (
      <Modal opened onClose={dismiss} title={syncTexts.title} size={760}>
        <SyncRunPage workspaceId={workspaceId} report={run.report} />
      </Modal>
    );
  }
  const isSame = data !== undefined && data.changed.lines.length === 0;
  const isEmpty = data !== undefined && data.plan.requests + data.plan.uploads.length === 0;
  const canSend = !isEmpty && account.mode !== 'read-only';
  const sendText =
    account.mode === 'confirm' ? syncTexts.confirmTo(account.name) : isNew ? syncTexts.confirm : texts.run;
  return (
    <Modal opened onClose={dismiss} title={texts.title} size={760}>
      <div>
        {grant === null && <p>{texts.explain}</p>}
        <Problem of={opened.error} />
        {grant !== null && data === undefined && opened.error === null && <p>{texts.reading}</p>}
        {data !== undefined && (
          <>
            <OfflineNotice />
            <p className={ui['quiet']}>
              {data.fileName} · {data.draftsOf !== null && `${texts.draftsOf(momentText(data.draftsOf))} · `}
              {texts.wishes(data)}
            </p>
            {!isNew && <p role="status">{isSame ? texts.same : texts.changed}</p>}
            {!isNew && !isSame && <PlanChanges changed={data.changed} />}
            {(isNew || isSame) && <SyncPlan workspaceId={workspaceId} plan={data.plan} />}
            {isNew && isEmpty && <p>{syncTexts.nothing}</p>}
          </>
        )}
        <input
          ref={picker}
          type="file"
          hidden
          aria-label={texts.choose}
          accept=".adslate-plan,.txt,.json"
          onChange={(event) => {
            void take(event.target.files?.[0] ?? null);
            // The same file may be chosen again after it was saved again.
            event.target.value = '';
          }}
        />
        <Group justify="space-between" mt="md">
          <Button ref={grant === null ? takeFocus : null} onClick={() => picker.current?.click()}>
            {grant === null ? texts.choose : texts.another}
          </Button>
          <Group gap="xs">
            <Button onClick={dismiss}>{syncTexts.cancel}</Button>
            {data !== undefined && !isNew && !isSame && (
              <Button variant="filled" onClick={() => setNew(true)}>
                {texts.again}
              </Button>
            )}
            {data !== undefined && (isNew || isSame) && (
              <Button
                ref={canSend ? takeIdleFocus : null}
                variant="filled"
                disabled={!canSend}
                onClick={() => void run.begin(() => actions.runPlan(data.plan.planId))}
              >
                {sendText}
              </Button>
            )}
          </Group>
        </Group>
      </div>
    </Modal>
  );
}

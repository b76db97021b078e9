import { Button, Group, Modal } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Account } from '../../../shared/api/accounts.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { takeFocus, takeIdleFocus } from '../../components/take-focus.ts';
import { en } from '../../texts/en.ts';
import { enPlanFile as text } from '../../texts/en-plan-file.ts';
import { errorText } from '../../texts/errors.ts';
import { momentText } from '../../texts/numbers.ts';
import { OfflineNotice } from '../shell/OfflineNotice.tsx';
import { PlanChanges, SyncPlan } from './SyncPlan.tsx';
import { SyncRunPage, useSyncRun } from './SyncRun.tsx';
import { syncDialogActions } from './sync-actions.ts';

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
  const api = useApi();
  const { store } = useAppContext();
  const actions = useActions(syncDialogActions);
  const { workspaceId } = account;
  const { dismiss } = store.getState();
  const picker = useRef<HTMLInputElement>(null);
  const [grant, setGrant] = useState<string | null>(null);
  /** Whether the new plan takes the place of the saved one. */
  const [isNew, setNew] = useState(false);
  const run = useSyncRun(workspaceId);
  const opened = useQuery(
    api.sync.openPlan.queryOptions({ input: grant === null || run.asked ? skipToken : { workspaceId, grant } }),
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
      <Modal opened onClose={dismiss} title={en.sync.title} size={760}>
        <SyncRunPage workspaceId={workspaceId} report={run.report} />
      </Modal>
    );
  }
  const isSame = data !== undefined && data.changed.lines.length === 0;
  const isEmpty = data !== undefined && data.plan.requests + data.plan.uploads.length === 0;
  const canSend = !isEmpty && account.mode !== 'read-only';
  const sendText = account.mode === 'confirm' ? en.sync.confirmTo(account.name) : isNew ? en.sync.confirm : text.run;
  return (
    <Modal opened onClose={dismiss} title={text.title} size={760}>
      <div className="sync-dialog">
        {grant === null && <p>{text.explain}</p>}
        {opened.error !== null && (
          <p className="note-error" role="alert">
            {errorText(opened.error)}
          </p>
        )}
        {grant !== null && data === undefined && opened.error === null && <p>{text.reading}</p>}
        {data !== undefined && (
          <>
            <OfflineNotice />
            <p className="quiet">
              {data.fileName} · {data.draftsOf !== null && `${text.draftsOf(momentText(data.draftsOf))} · `}
              {text.wishes(data)}
            </p>
            {!isNew && <p role="status">{isSame ? text.same : text.changed}</p>}
            {!isNew && !isSame && <PlanChanges changed={data.changed} />}
            {(isNew || isSame) && <SyncPlan workspaceId={workspaceId} plan={data.plan} />}
            {isNew && isEmpty && <p>{en.sync.nothing}</p>}
          </>
        )}
        <input
          ref={picker}
          type="file"
          hidden
          aria-label={text.choose}
          accept=".adslate-plan,.txt,.json"
          onChange={(event) => {
            void take(event.target.files?.[0] ?? null);
            // The same file may be chosen again after it was saved again.
            event.target.value = '';
          }}
        />
        <Group justify="space-between" mt="md">
          <Button ref={grant === null ? takeFocus : null} onClick={() => picker.current?.click()}>
            {grant === null ? text.choose : text.another}
          </Button>
          <Group gap="xs">
            <Button onClick={dismiss}>{en.sync.cancel}</Button>
            {data !== undefined && !isNew && !isSame && (
              <Button variant="filled" onClick={() => setNew(true)}>
                {text.again}
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

import { Button, Checkbox, Group, Modal } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Account } from '../../../shared/contract/accounts.ts';
import type { ChosenRows, PlanView } from '../../../shared/contract/sync.ts';
import { useDesk, useView } from '../../app/desk.ts';
import { plan, report as reportQuestion } from '../../data/sync-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { errorText } from '../../messages/errors.ts';
import { Empty } from '../../ui/Empty.tsx';
import { takeFocus, takeIdleFocus } from '../../ui/take-focus.ts';
import { WaitingForNetwork } from '../frame/WaitingForNetwork.tsx';
import { PlanSheet } from './PlanSheet.tsx';
import { Progress } from './Progress.tsx';
import { Report, useNeedsYou } from './Report.tsx';
import { WaitingList } from './WaitingList.tsx';

interface Run {
  readonly asked: boolean;
  /** Null until main has named the run. */
  readonly id: string | null;
}

interface SyncDialogProps {
  readonly account: Account;
  /** The rows that are sent; null for everything. */
  readonly chosen?: ChosenRows | null;
}

const countChosen = ({ rows }: ChosenRows): number => rows.reduce((sum, { ids }) => sum + ids.length, 0);

const NOT_ASKED: Run = { asked: false, id: null };

/**
 *   plan --Send now--> running --the run ends--> report
 *
 * Closing the dialog stops nothing; the Sync tab goes on showing the run.
 */
export function SyncDialog({ account, chosen = null }: SyncDialogProps) {
  const { store, actions } = useDesk();
  const { workspaceId } = account;
  const [submit, setSubmit] = useState(true);
  const [run, setRun] = useState<Run>(NOT_ASKED);
  const planned = useQuery(run.asked ? null : plan(workspaceId, chosen, submit));
  const last = useQuery(reportQuestion(workspaceId)).data;
  const progress = useView((s) => s.syncs[workspaceId]);
  const { dismiss, announce } = store.getState();
  const running = last?.state === 'running';
  // The report of an earlier run stays readable until this one has a report of its own.
  const done = !running && last != null && last.runId === run.id;

  const needsYou = useNeedsYou();
  const ended = done && last != null ? en.sync.result(last.live, last.inReview, needsYou(last)) : null;

  useEffect(() => {
    if (ended !== null) announce(ended);
  }, [ended, announce]);

  const start = async (): Promise<void> => {
    setRun({ asked: true, id: null });
    const id = await actions.startSync(submit, chosen);
    setRun(id === null ? NOT_ASKED : { asked: true, id });
  };
  const showErrors = (): void => {
    dismiss();
    store.getState().showTab('findings');
  };
  const empty = planned.data !== undefined && planned.data.requests === 0 && planned.data.uploads.length === 0;
  const canSend = planned.data !== undefined && !empty && account.mode !== 'read-only';
  return (
    <Modal opened onClose={dismiss} title={en.sync.title} size={760}>
      {run.asked || running ? (
        <div className="sync-dialog">
          {!done &&
            (progress === undefined || progress.phase === 'done' ? (
              <p>{en.sync.running}</p>
            ) : (
              <Progress progress={progress} />
            ))}
          {done && last != null && <Report report={last} />}
          {done && <WaitingList workspaceId={workspaceId} />}
          <Group justify="flex-end" mt="md" gap="xs">
            {!done && <Button onClick={() => void actions.stopSync()}>{en.sync.stop}</Button>}
            <Button ref={takeFocus} variant={done ? 'filled' : 'default'} onClick={dismiss}>
              {en.close}
            </Button>
          </Group>
        </div>
      ) : (
        <div className="sync-dialog">
          <WaitingForNetwork />
          {chosen !== null && <p className="quiet">{en.sync.onlySome(countChosen(chosen))}</p>}
          {planned.error !== null && <p className="note-error">{errorText(planned.error)}</p>}
          {planned.data === undefined && planned.error === null && <p>{en.sync.planning}</p>}
          {empty && <NothingToSend plan={planned.data} onErrors={showErrors} />}
          {planned.data !== undefined && <PlanSheet workspaceId={workspaceId} plan={planned.data} />}
          <Group justify="space-between" mt="md">
            {empty ? (
              <span />
            ) : (
              <Checkbox
                size="xs"
                checked={submit}
                label={en.sync.submit}
                onChange={(event) => setSubmit(event.currentTarget.checked)}
              />
            )}
            <Group gap="xs">
              <Button onClick={dismiss}>{en.sync.cancel}</Button>
              <Button
                data-autofocus
                ref={canSend ? takeIdleFocus : null}
                variant="filled"
                disabled={!canSend}
                onClick={() => void start()}
              >
                {account.mode === 'confirm' ? en.sync.confirmTo(account.name) : en.sync.confirm}
              </Button>
            </Group>
          </Group>
        </div>
      )}
    </Modal>
  );
}

interface NothingToSendProps {
  readonly plan: PlanView | undefined;
  readonly onErrors: () => void;
}

/** No request: because both sides agree, or because all that was changed has to stay here for now. */
function NothingToSend({ plan, onErrors }: NothingToSendProps) {
  if (plan === undefined || plan.errors + plan.leftOut.length === 0) {
    return <Empty title={en.sync.nothing} text={en.sync.nothingText} />;
  }
  if (plan.errors === 0) return <Empty title={en.sync.notYet} text={en.sync.notYetWaiting} />;
  return (
    <Empty title={en.sync.notYet} text={en.sync.notYetErrors}>
      <Button onClick={onErrors}>{en.sync.showErrors}</Button>
    </Empty>
  );
}

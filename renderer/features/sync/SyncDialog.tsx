import { Button, Checkbox, Group, Modal, NumberInput } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '../../../shared/api/accounts.ts';
import type { ChosenRows, PlanView } from '../../../shared/api/sync.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { errorText } from '../../app/error-text.ts';
import { countText } from '../../app/locale/numbers.ts';
import { Empty } from '../../components/Empty.tsx';
import { MomentInput } from '../../components/MomentInput.tsx';
import { takeIdleFocus } from '../../components/take-focus.ts';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { OfflineNotice } from '../shell/OfflineNotice.tsx';
import { PendingSync } from './PendingSync.tsx';
import { SyncPlan } from './SyncPlan.tsx';
import { SyncRunPage, useSyncRun } from './SyncRun.tsx';
import styles from './sync.module.css';
import { syncDialogActions } from './sync-actions.ts';
import { syncTexts } from './text.ts';

const texts = {
  nothingText: 'You have no unsynced changes. Refresh to get changes from the service.',
  notYet: "Can't sync yet",
  notYetErrors: 'Rows with errors are not sent. Fix the errors first.',
  notYetWaiting: 'Your changes are pending. See the reasons below.',
  showErrors: 'Show errors',
  onlySome: (n: number) =>
    `Only ${n === 1 ? 'the selected row' : `the ${countText(n)} selected rows`}. A selected campaign or ad group includes all changes in it. Nothing else is sent.`,
  submit: 'Also submit for review',
  deadline: 'Deadline',
  deadlineHelp: 'Nothing is sent after this time. Leave it empty for no deadline.',
  open: 'Send when healthy…',
  explain:
    'Adslate checks the service every minute. It sends this plan when the service responds without a break, or reports why not.',
  after: 'Not before',
  minutes: 'Minutes without a failure',
  schedule: 'Schedule sync',
  back: 'Back',
  planFileOpen: 'Run a saved plan…',
} as const;

interface SyncDialogProps {
  readonly account: Account;
  /** The rows that are sent; null for everything. */
  readonly chosen?: ChosenRows | null;
}

const countChosen = ({ rows }: ChosenRows): number => rows.reduce((sum, { ids }) => sum + ids.length, 0);

/**
 *   plan --Send now--> running --the run ends--> report
 *
 * Closing the dialog stops nothing; the Sync tab goes on showing the run.
 */
export function SyncDialog({ account, chosen = null }: SyncDialogProps) {
  const { store } = useAppContext();
  const actions = useActions(syncDialogActions);
  const { workspaceId } = account;
  const [submit, setSubmit] = useState(true);
  const [deadline, setDeadline] = useState<number | null>(null);
  const run = useSyncRun(workspaceId);
  const planned = useQuery(
    useApi().sync.plan.queryOptions({ input: run.asked ? skipToken : { workspaceId, chosen, submit } }),
  );
  const { dismiss, show } = store.getState();

  const schedule = async (health: Health): Promise<void> => {
    if (await actions.scheduleSync({ submit, chosen, deadline, ...health })) dismiss();
  };
  const showErrors = (): void => {
    dismiss();
    store.getState().showTab('findings');
  };
  const empty = planned.data !== undefined && planned.data.requests === 0 && planned.data.uploads.length === 0;
  const canSend = planned.data !== undefined && !empty && account.mode !== 'read-only';
  return (
    <Modal opened onClose={dismiss} title={syncTexts.title} size={760}>
      {run.isShown ? (
        <SyncRunPage workspaceId={workspaceId} report={run.report} />
      ) : (
        <div>
          <OfflineNotice />
          <PendingSync workspaceId={workspaceId} />
          {chosen !== null && <p className={ui['quiet']}>{texts.onlySome(countChosen(chosen))}</p>}
          {planned.error !== null && <p className={ui['note-error']}>{errorText(planned.error)}</p>}
          {planned.data === undefined && planned.error === null && <p>{syncTexts.planning}</p>}
          {empty && <NothingToSend plan={planned.data} onErrors={showErrors} />}
          {planned.data !== undefined && <SyncPlan workspaceId={workspaceId} plan={planned.data} />}
          {canSend && (
            <SendTimes deadline={deadline} onDeadline={setDeadline} onSchedule={(health) => void schedule(health)} />
          )}
          <Group justify="space-between" mt="md">
            {empty ? (
              <span />
            ) : (
              <Checkbox
                checked={submit}
                label={texts.submit}
                onChange={(event) => setSubmit(event.currentTarget.checked)}
              />
            )}
            <Group gap="xs">
              <Button onClick={() => show({ name: 'run-plan', file: null })}>{texts.planFileOpen}</Button>
              <Button onClick={dismiss}>{syncTexts.cancel}</Button>
              <Button
                data-autofocus
                ref={canSend ? takeIdleFocus : null}
                variant="filled"
                disabled={!canSend}
                onClick={() => void run.begin(() => actions.startSync(submit, chosen, deadline))}
              >
                {account.mode === 'confirm' ? syncTexts.confirmTo(account.name) : syncTexts.confirm}
              </Button>
            </Group>
          </Group>
        </div>
      )}
    </Modal>
  );
}

/** No request: because both sides agree, or because all that was changed has to stay here for now. */
function NothingToSend({ plan, onErrors }: { readonly plan: PlanView | undefined; readonly onErrors: () => void }) {
  if (plan === undefined || plan.errors + plan.leftOut.length === 0) {
    return <Empty title={syncTexts.nothing} text={texts.nothingText} />;
  }
  if (plan.errors === 0) return <Empty title={texts.notYet} text={texts.notYetWaiting} />;
  return (
    <Empty title={texts.notYet} text={texts.notYetErrors}>
      <Button onClick={onErrors}>{texts.showErrors}</Button>
    </Empty>
  );
}

interface Health {
  /** In milliseconds since 1970; 0 for at once. */
  readonly after: number;
  readonly healthyMinutes: number;
}

interface SendTimesProps {
  /** In milliseconds since 1970; null for none. */
  readonly deadline: number | null;
  readonly onDeadline: (deadline: number | null) => void;
  readonly onSchedule: (health: Health) => void;
}

/** Until when the plan may be sent, and whether it waits until the service is healthy. */
function SendTimes({ deadline, onDeadline, onSchedule }: SendTimesProps) {
  const now = useNow();
  const [isOpen, setOpen] = useState(false);
  const [after, setAfter] = useState<number | null>(null);
  const [minutes, setMinutes] = useState(5);
  return (
    <section className={styles['send-times']} aria-label={texts.deadline}>
      <Group gap="xs" align="end">
        <MomentInput label={texts.deadline} help={texts.deadlineHelp} onChange={onDeadline} />
        {!isOpen && <Button onClick={() => setOpen(true)}>{texts.open}</Button>}
      </Group>
      {isOpen && (
        <>
          <p className={ui['quiet']}>{texts.explain}</p>
          <Group gap="xs" align="end">
            <MomentInput label={texts.after} onChange={setAfter} />
            <NumberInput
              size="xs"
              w={190}
              label={texts.minutes}
              min={1}
              max={1440}
              allowDecimal={false}
              value={minutes}
              onChange={(value) => setMinutes(Number(value))}
            />
            <Button
              variant="filled"
              disabled={minutes < 1 || (deadline !== null && Math.max(after ?? 0, now) >= deadline)}
              onClick={() => onSchedule({ after: after ?? 0, healthyMinutes: minutes })}
            >
              {texts.schedule}
            </Button>
            <Button onClick={() => setOpen(false)}>{texts.back}</Button>
          </Group>
        </>
      )}
    </section>
  );
}

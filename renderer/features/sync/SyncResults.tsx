import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SyncReport } from '../../../shared/api/sync.ts';
import { serviceAnsweredText } from '../../../shared/error-help/connection-errors.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { countText, momentText, plural } from '../../app/locale/numbers.ts';
import { useAccount } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import ui from '../../components/ui.module.css';
import { PendingSync } from './PendingSync.tsx';
import { PlanChanges } from './PlanTechnical.tsx';
import { RefusalGroups } from './RefusalGroups.tsx';
import { Conflicts, UnresolvedRequests, UploadHosts } from './SyncTab.tsx';
import styles from './sync.module.css';
import { syncDialogActions } from './sync-actions.ts';

export const rollbackTexts = {
  /** Changes are rows, but a rollback also names uploads and reviews, which are none. */
  notReversible: (n: number) =>
    plural(n, 'new or deleted row, upload or review', 'new or deleted rows, uploads or reviews'),
} as const;

const texts = {
  parts: { sent: 'sent', failed: 'failed', unresolved: 'unconfirmed', notSent: 'not sent' },
  changes: (n: number) => (n === 1 ? 'change' : 'changes'),
  bar: 'Results',
  attention: 'Needs attention',
  sent: 'Sent',
  rollback: 'Rollback',
  restorable: (n: number) =>
    `${plural(n, 'value')} can be restored as ${n === 1 ? 'an unsynced change' : 'unsynced changes'}.`,
  restore: (n: number) => `Restore ${plural(n, 'value')}`,
  forGood: (n: number) => `${rollbackTexts.notReversible(n)} can't be rolled back.`,
  inbox: 'Open inbox',
  notUploaded: 'Not uploaded',
  notUploadedFile: (file: string, reason: string) => `"${file}": ${reason}`,
  unreadable: "Values from the service that can't be read. These rows keep their current values",
  unreadableValue: (label: string, field: string | null, value: string) =>
    field === null ? `a row in "${label}" without a valid ID: ${value}` : `"${label}", ${field}: ${value}`,
  stoppedBy: {
    unreachable: "Can't reach the service. Unsent changes are kept, and can be sent once it responds.",
    credentials: 'The key and token are missing, or the service did not accept them. Enter them again, then sync.',
    disk: "Can't write to the disk: it is full or write-protected. Free up space, then sync again.",
    defect:
      'Adslate stopped because of an internal error. Sync again. If it happens again, save the diagnostic report in About.',
    service: 'The service sent an unexpected response. Nothing was marked as sent.',
    'rate-limited': 'Rate limited: the service accepts no more requests for now. Unsent changes are kept.',
    security: 'The connection was not secure, so Adslate stopped sending.',
    'plan-changed': 'The account changed after you approved the plan, so nothing was sent. Open the plan again.',
    deadline: 'The deadline has passed, so nothing more was sent.',
    team: 'The right to sync ended, so nothing more was sent. Unsent changes are kept. Sync again later.',
  },
} as const;

const PARTS = ['sent', 'failed', 'unresolved', 'notSent'] as const;

/** The results of a sync: a bar of all results, and first what needs the user, with its actions. */
export function SyncResults({ workspaceId, report }: { readonly workspaceId: string; readonly report: SyncReport }) {
  const api = useApi();
  const { store } = useAppContext();
  const account = useAccount(workspaceId);
  const questions = useQuery(api.sync.questions.queryOptions({ input: { workspaceId } })).data ?? [];
  const conflicts = useQuery(api.sync.conflicts.queryOptions({ input: { workspaceId } })).data ?? [];
  const { changes, refused, refusedMore, failedUploads, unreadable, unreadableMore, stoppedBy } = report;
  const parts = PARTS.filter((part) => changes[part] > 0);
  const attention =
    refused.length +
    refusedMore +
    failedUploads.length +
    questions.length +
    conflicts.length +
    unreadable.length +
    unreadableMore;
  return (
    <>
      {changes.total > 0 && (
        <section className={styles['result-bar']} aria-label={texts.bar}>
          <div className={styles['result-parts']} aria-hidden="true">
            {parts.map((part) => (
              <span key={part} className={styles[`part-${part}`]} style={{ flexGrow: changes[part] }} />
            ))}
          </div>
          <p className={styles['result-legend']}>
            {parts.map((part) => (
              <span key={part}>
                <span className={`${styles['part-key']} ${styles[`part-${part}`]}`} aria-hidden="true" />
                <span className={styles['marked']}>{countText(changes[part])}</span> {texts.changes(changes[part])}{' '}
                {texts.parts[part]}
              </span>
            ))}
            <span className={ui['toolbar-gap']} />
            {parts.length > 1 && (
              <span className={`${ui['quiet']} ${ui['numeric']}`}>
                {parts.map((part) => countText(changes[part])).join(' + ')} = {countText(changes.total)}
              </span>
            )}
          </p>
        </section>
      )}
      {stoppedBy !== null && (
        <p className={`${styles['padded']} ${ui['note-error']}`} role="note">
          {stoppedText(stoppedBy)}
        </p>
      )}
      {stoppedBy?.cause === 'credentials' && account?.practice === false && (
        <div className={styles['padded']}>
          <Button onClick={() => store.getState().show({ name: 'connect', account })}>
            {appTexts.renewCredentials}
          </Button>
        </div>
      )}
      {stoppedBy?.changed !== undefined && <PlanChanges changed={stoppedBy.changed} />}
      <div className={styles['padded']}>
        <PendingSync workspaceId={workspaceId} saysWhy={stoppedBy === null} isPrimary />
      </div>
      {attention > 0 && (
        <section aria-label={texts.attention} className={styles['padded']}>
          <h2 className={styles['list-title']}>
            {texts.attention} <span className={ui['badge']}>{countText(attention)}</span>
          </h2>
          {refused.length > 0 && <RefusalGroups refused={refused} />}
          {refusedMore > 0 && (
            <p className={ui['quiet']}>
              {appTexts.sync.more(refusedMore)}{' '}
              <button type="button" className={ui['link']} onClick={() => store.getState().openInbox(null)}>
                {texts.inbox}
              </button>
            </p>
          )}
          {questions.length > 0 && <UnresolvedRequests questions={questions} />}
          {conflicts.length > 0 && <Conflicts workspaceId={workspaceId} conflicts={conflicts} />}
          {failedUploads.length > 0 && (
            <>
              <h3 className={ui['group-title']}>{texts.notUploaded}</h3>
              <ul className={ui['lines']}>
                {failedUploads.map(({ id, file, reason }) => (
                  <li key={id}>{texts.notUploadedFile(file, reason)}</li>
                ))}
              </ul>
            </>
          )}
          {unreadable.length > 0 && (
            <>
              <h3 className={ui['group-title']}>{texts.unreadable}</h3>
              <ul className={ui['lines']}>
                {unreadable.map(({ kind, label, field, value }) => (
                  <li key={`${kind} ${label} ${field} ${value}`}>{texts.unreadableValue(label, field, value)}</li>
                ))}
                {unreadableMore > 0 && <li>{appTexts.sync.more(unreadableMore)}</li>}
              </ul>
            </>
          )}
        </section>
      )}
      <div className={styles['padded']}>
        <UploadHosts workspaceId={workspaceId} />
      </div>
      {changes.sent > 0 && (
        <h2 className={`${styles['padded']} ${styles['list-title']}`}>
          {texts.sent} <span className={ui['badge']}>{countText(changes.sent)}</span>
        </h2>
      )}
    </>
  );
}

/** Rolls back a sync that has just ended: its old values become unsynced changes with one click. */
export function RestoreValues({ workspaceId, runId }: { readonly workspaceId: string; readonly runId: string }) {
  const { openSync } = useAppContext().store.getState();
  const actions = useActions(syncDialogActions);
  const { data } = useQuery(useApi().rollback.preview.queryOptions({ input: { workspaceId, runId } }));
  if (data === undefined || data.changes === 0) return null;
  const stage = async (): Promise<void> => {
    // The next plan shows the restored values.
    if (await actions.stageRollback(runId)) openSync();
  };
  return (
    <section aria-label={texts.rollback}>
      <h2>{texts.rollback}</h2>
      <p className={ui['quiet']}>
        {texts.restorable(data.changes)} {data.forGood > 0 && texts.forGood(data.forGood)}
      </p>
      <Button onClick={() => void stage()}>{texts.restore(data.changes)}</Button>
    </section>
  );
}

/** Why a sync stopped. If a response caused it, status and request are shown for the service's support. */
export function stoppedText({ cause, detail, status, call, retryAt }: NonNullable<SyncReport['stoppedBy']>) {
  if (cause === 'plan-changed') return texts.stoppedBy[cause];
  if (status === undefined || cause === 'security') {
    return (
      <>
        {texts.stoppedBy[cause]} <span className={ui['quiet']}>{detail}</span>
      </>
    );
  }
  const said = { status, call: call ?? '', detail, retryAt: retryAt ?? null };
  return serviceAnsweredText(said, (at) => momentText(new Date(at).toISOString()));
}

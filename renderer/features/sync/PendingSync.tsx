import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PendingSyncView } from '../../../shared/api/sync.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';

import { plural, timeText } from '../../app/locale/numbers.ts';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import styles from './sync.module.css';

const texts = {
  resume: 'Resume',
  resumeNow: 'Resume now',
  cancel: 'Cancel sync',
  titles: {
    paused: 'Sync paused',
    waiting: 'Sync waiting for the service',
    scheduled: 'Sync scheduled',
  } as Readonly<Record<PendingSyncView['state'], string>>,
  left: (n: number) => `${plural(n, 'change')} left to send.`,
  edited: (n: number) =>
    n > 0
      ? `${plural(n, 'change')} made since then ${n === 1 ? 'is' : 'are'} included.`
      : `${plural(-n, 'change')} fewer than before.`,
  editing: 'Edits you make before then are included.',
  reviewed: 'If the plan changes before then, nothing is sent.',
  resumesAt: (time: string) => `Resumes at ${time} if the service responds.`,
  checksAt: (time: string) => `Next check at ${time}.`,
  healthy: (minutes: number) =>
    `Starts when the service has responded for ${plural(minutes, 'minute')} without a break.`,
  healthySince: (time: string) => `Responding since ${time}.`,
  deadlineAt: (time: string) => `Nothing is sent after ${time}.`,
} as const;

/** The sync that is paused, waits for the service or is scheduled: what it waits for, until when, and how to go on. */
export function PendingSync({ workspaceId }: { readonly workspaceId: string }) {
  const { actions } = useAppContext();
  const now = useNow();
  const pending = useQuery(useApi().sync.pending.queryOptions({ input: { workspaceId } })).data ?? null;
  if (pending === null) return null;
  const { state } = pending;
  return (
    <section className={styles['pending-sync']} aria-label={texts.titles[state]}>
      <h2 className={ui['group-title']}>{texts.titles[state]}</h2>
      <p role="status">{linesOf(pending, (at) => timeText(at, now)).join(' ')}</p>
      {pending.problem !== null && <p className={ui['quiet']}>{pending.problem}</p>}
      <Group gap="xs">
        {state !== 'scheduled' && (
          <Button variant="filled" onClick={() => void actions.resumeSync()}>
            {state === 'paused' ? texts.resume : texts.resumeNow}
          </Button>
        )}
        {state === 'waiting' && (
          <Button onClick={() => void actions.pauseSync()}>{dialogTexts.pendingSync.pause}</Button>
        )}
        <Button onClick={() => void actions.stopSync()}>{texts.cancel}</Button>
      </Group>
    </section>
  );
}

function linesOf(pending: PendingSyncView, time: (at: number) => string): readonly string[] {
  const { state, left, leftThen, nextAt, deadline, health } = pending;
  const since = left === leftThen ? '' : texts.edited(left - leftThen);
  return [
    texts.left(left),
    since,
    state === 'scheduled' ? texts.reviewed : since === '' ? texts.editing : '',
    ...(health === null ? [] : [texts.healthy(health.minutes)]),
    ...(health === null || health.since === null ? [] : [texts.healthySince(time(health.since))]),
    ...(nextAt === null ? [] : [(state === 'waiting' ? texts.resumesAt : texts.checksAt)(time(nextAt))]),
    ...(deadline === null ? [] : [texts.deadlineAt(time(deadline))]),
  ].filter((line) => line !== '');
}

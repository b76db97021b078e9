import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PendingSyncView } from '../../../shared/api/sync.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { useNow } from '../../components/use-now.ts';
import { enPendingSync as texts } from '../../texts/en-pending-sync.ts';
import { timeText } from '../../texts/numbers.ts';

/** The sync that is paused, waits for the service or is scheduled: what it waits for, until when, and how to go on. */
export function PendingSync({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const { actions } = useAppContext();
  const now = useNow();
  const pending = useQuery(api.sync.pending.queryOptions({ input: { workspaceId } })).data ?? null;
  if (pending === null) return null;
  const { state } = pending;
  return (
    <section className="pending-sync" aria-label={texts.titles[state]}>
      <h2 className="group-title">{texts.titles[state]}</h2>
      <p role="status">{linesOf(pending, (at) => timeText(at, now)).join(' ')}</p>
      {pending.problem !== null && <p className="quiet">{pending.problem}</p>}
      <Group gap="xs">
        {state !== 'scheduled' && (
          <Button variant="filled" onClick={() => void actions.resumeSync()}>
            {state === 'paused' ? texts.resume : texts.resumeNow}
          </Button>
        )}
        {state === 'waiting' && <Button onClick={() => void actions.pauseSync()}>{texts.pause}</Button>}
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

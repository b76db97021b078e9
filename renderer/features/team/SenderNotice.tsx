import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useActions, useApi } from '../../app/app-context.ts';
import { plural, timeText } from '../../app/locale/numbers.ts';
import { appTexts } from '../../app/texts.ts';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { useNow } from '../../components/use-now.ts';
import styles from './team.module.css';
import { teamActions } from './team-actions.ts';

const texts = {
  syncs: (name: string, time: string) => `${name} has been syncing since ${time}. You can sync when that sync ends.`,
  stopped: (name: string, computer: string, time: string) =>
    `The sync of ${name} on ${computer} stopped at ${time}, before it had ended.`,
  unconfirmed: (n: number) => `${plural(n, 'row')} unconfirmed:`,
  next: 'After you take over, the next sync reads these rows. Nothing is sent twice.',
  takeOver: 'Take over sync',
} as const;

/** Shows a colleague's sync. If it broke off: what is unconfirmed, and the button to take over. */
export function SenderNotice({ workspaceId }: { readonly workspaceId: string }) {
  const actions = useActions(teamActions);
  const now = useNow();
  const [busy, during] = useBusy();
  const status = useQuery(useApi().team.status.queryOptions({ input: { workspaceId } })).data ?? null;
  const sender = status?.sender ?? null;
  if (status === null || sender === null || sender.desk === status.desk) return null;
  const { member, computer, since, until, isOver, unconfirmed, firstUnconfirmed } = sender;
  if (!isOver) return <p role="status">{texts.syncs(member.display, timeText(since, now))}</p>;
  const left = unconfirmed - firstUnconfirmed.length;
  return (
    <section className={styles['notice']} aria-label={texts.takeOver}>
      <p>{texts.stopped(member.display, computer, timeText(until, now))}</p>
      {unconfirmed > 0 && (
        <>
          <p>
            {texts.unconfirmed(unconfirmed)} {firstUnconfirmed.map(({ label }) => label).join(', ')}
            {left > 0 && ` ${appTexts.sync.more(left)}`}
          </p>
          <p className={ui['quiet']}>{texts.next}</p>
        </>
      )}
      {status.member.roles.includes('sync') && (
        <Button loading={busy} onClick={() => void during(actions.takeOver())}>
          {texts.takeOver}
        </Button>
      )}
    </section>
  );
}

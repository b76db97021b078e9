import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { TeamStatus } from '../../../shared/api/team.ts';
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
  signOffs: 'Sign-offs are shown as last read.',
  reconnects: 'Check your network connection, or ask the admin of the team. Adslate reconnects automatically.',
  away: {
    offline: (time: string) => `The database of your team has not responded since ${time}, so nothing can be sent.`,
    'no-access': 'You no longer have access to your team, so nothing can be sent. Ask the admin of the team.',
    damaged: 'Sharing with your team stopped, so nothing can be sent. See the reason in Settings > Team.',
    'old-version': 'Your team uses a newer Adslate, so nothing can be sent. Update Adslate.',
    locked: 'Credentials are locked, so nothing can be sent. Unlock them in Settings.',
    'no-password': 'Nothing can be sent without the password of your team. Enter it in Settings > Team.',
    closed: 'Your team is closed, so nothing can be sent. Ask an admin to open it again.',
    moved: 'Your team moved to another database, so nothing can be sent. Connect to it in Settings > Team.',
  },
} as const;

interface SenderNoticeProps {
  readonly workspaceId: string;
  /** Says beside a plan why nothing of it can be sent; the settings show the connection in any case. */
  readonly isBesidePlan?: boolean;
}

/** Shows a colleague's sync. If it broke off: what is unconfirmed, and the button to take over. */
export function SenderNotice({ workspaceId, isBesidePlan = false }: SenderNoticeProps) {
  const actions = useActions(teamActions);
  const now = useNow();
  const [busy, during] = useBusy();
  const status = useQuery(useApi().team.status.queryOptions({ input: { workspaceId } })).data ?? null;
  const sender = status?.sender ?? null;
  const away = status === null || !isBesidePlan ? null : awayText(status, timeText(status.since, now));
  // Who syncs is unknown then, and nobody can take over.
  if (away !== null)
    return (
      <p className={ui['note-warning']} role="status">
        {away}
      </p>
    );
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

function awayText({ state, approvals }: TeamStatus, time: string): string | null {
  if (state === 'online' || state === 'connecting' || state === 'restoring') return null;
  if (state !== 'offline') return texts.away[state];
  return [texts.away.offline(time), ...(approvals === 0 ? [] : [texts.signOffs]), texts.reconnects].join(' ');
}

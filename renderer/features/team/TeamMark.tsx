import { useQuery } from '@tanstack/react-query';
import type { TeamStatus } from '../../../shared/api/team.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { countText, timeText } from '../../app/locale/numbers.ts';
import { Dot } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import styles from './team.module.css';

const texts = {
  shared: 'Shared',
  notShared: (n: number) => `${countText(n)} not shared yet`,
  offline: (time: string) => `Team offline since ${time}`,
  connecting: 'Connecting to your team…',
  'no-access': 'No access to your team',
  restoring: 'Team is being restored',
  damaged: 'Sharing stopped',
  'old-version': 'Update Adslate to share',
  locked: 'Unlock credentials to share',
  'no-password': 'Enter the password of your team',
  closed: 'Team is closed',
  moved: 'Team has moved',
  syncs: (name: string) => `${name} is syncing`,
  stopped: (name: string) => `Sync of ${name} stopped`,
} as const;

/** The state of team sharing in the status bar: what is shared, and who is syncing. Both open the team settings. */
export function TeamMark({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useAppContext();
  const now = useNow();
  const status = useQuery(useApi().team.status.queryOptions({ input: { workspaceId } })).data ?? null;
  if (status === null) return null;
  const { sender, desk } = status;
  const [tone, text] = markOf(status, timeText(status.since, now));
  const open = (): void => store.getState().openSettings('team');
  return (
    <>
      <button type="button" className={styles['mark']} title={status.problem ?? undefined} onClick={open}>
        <Dot tone={tone} text={text} />
      </button>
      {sender !== null && sender.desk !== desk && (
        <button type="button" className={`${styles['mark']} ${sender.isOver ? ui['note-warning'] : ''}`} onClick={open}>
          {(sender.isOver ? texts.stopped : texts.syncs)(sender.member.display)}
        </button>
      )}
      <span className={ui['spoken-only']} role="status">
        {text}
      </span>
    </>
  );
}

function markOf({ state, notShared }: TeamStatus, since: string): readonly ['good' | 'off' | 'bad', string] {
  const left = notShared === 0 ? '' : ` · ${texts.notShared(notShared)}`;
  if (state === 'online') return notShared === 0 ? ['good', texts.shared] : ['off', texts.notShared(notShared)];
  if (state === 'offline') return ['off', texts.offline(since) + left];
  return [state === 'connecting' ? 'off' : 'bad', texts[state] + left];
}

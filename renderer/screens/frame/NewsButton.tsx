import { ActionIcon, Popover } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import { useAppContext, useView } from '../../app/desk.ts';
import { accounts } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enNotifications as texts } from '../../messages/en-news.ts';
import { countText, timeText } from '../../messages/numbers.ts';
import type { AppNotification } from '../../store/news-slice.ts';
import { Empty } from '../../ui/Empty.tsx';
import { useNow } from '../../ui/use-now.ts';
import { QuietHours } from './QuietHours.tsx';

const SIGNS = { good: '✓', bad: '!', plain: 'i' } as const;
const BADGES = { good: 'badge badge-good', bad: 'badge badge-error', plain: 'badge' } as const;

/** A bell with the number of things that happened unseen, and the list of them. */
export function NotificationsButton() {
  const { store } = useAppContext();
  const [opened, setOpened] = useState(false);
  const news = useView((s) => s.news);
  const unread = useView((s) => s.unread);
  const open = (next: boolean): void => {
    setOpened(next);
    if (next) store.getState().readNews();
  };
  return (
    <Popover opened={opened} onChange={open} position="bottom-end" width={420} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={texts.button(unread)}
          title={texts.button(unread)}
          className="news-button"
          onClick={() => open(!opened)}
        >
          <IconBell size={18} stroke={1.5} aria-hidden="true" />
          {unread > 0 && (
            <span className="news-count" aria-hidden="true">
              {countText(unread)}
            </span>
          )}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.title} className="news">
        <div className="news-head">
          <h2 className="plain-heading">{texts.title}</h2>
          {news.length > 0 && (
            <button type="button" className="chip" onClick={() => store.getState().clearNews()}>
              {texts.clear}
            </button>
          )}
        </div>
        {news.length === 0 ? (
          <Empty title={texts.none} text={texts.noneText} />
        ) : (
          <ul className="lines news-list" aria-label={texts.title}>
            {news.map((entry) => (
              <NewsLine key={entry.id} entry={entry} onGo={() => setOpened(false)} />
            ))}
          </ul>
        )}
        <QuietHours />
      </Popover.Dropdown>
    </Popover>
  );
}

function NewsLine({ entry, onGo }: { readonly entry: AppNotification; readonly onGo: () => void }) {
  const { store, actions } = useAppContext();
  const now = useNow();
  const here = useView((s) => s.workspaceId);
  const account = useQuery(accounts).data?.find(({ workspaceId }) => workspaceId === entry.workspaceId);
  const go = (): void => {
    onGo();
    if (account !== undefined && account.workspaceId !== here) actions.openAccount(account.workspaceId);
    const { showTab, openLaunch, goTo, show } = store.getState();
    if (entry.place === 'sync') goTo({ kind: 'campaign', campaignId: null });
    if (entry.place === 'sync') showTab('sync');
    if (entry.place === 'reviews') openLaunch('reviews');
    if (entry.place === 'changes') goTo({ kind: 'campaign', campaignId: null });
    if (entry.place === 'changes') showTab('changes');
    if (entry.place === 'media') goTo({ kind: 'media', campaignId: null });
    if (entry.place === 'reports') store.getState().openReports();
    if (entry.place === 'backups') show({ name: 'backups' });
    if (entry.place === 'access') show({ name: 'secrets' });
  };
  const where = account !== undefined && account.workspaceId !== here ? account.name : '';
  return (
    <li className="news-line">
      <span className={BADGES[entry.tone]} aria-hidden="true">
        {SIGNS[entry.tone]}
      </span>
      <span className="news-text">
        {entry.text}
        <span className="quiet news-when">
          {timeText(entry.at, now)} {where}
        </span>
      </span>
      {entry.place !== null && (
        <button type="button" className="chip" aria-label={`${texts.go}: ${entry.text}`} onClick={go}>
          {texts.go}
        </button>
      )}
    </li>
  );
}

import { Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { INBOX_GROUPS, type InboxEntry } from '../../../shared/api/overview.ts';
import { type ActionContext, runAction } from '../../app/actions.ts';
import { useActions, useApi, useAppContext, useView } from '../../app/app-context.ts';
import { countText, dayText, plural, timeText } from '../../app/locale/numbers.ts';
import { Waiting } from '../../app/Problem.tsx';
import { Chip } from '../../components/Chip.tsx';
import { ChipChoice } from '../../components/ChipChoice.tsx';
import { useNow } from '../../components/use-now.ts';
import { EntryDetail, type OtherDetails } from './EntryDetail.tsx';
import { entryPlace, entryTitle, ICONS, showEntryRows } from './entry.ts';
import styles from './inbox.module.css';
import { toneOf } from './NeedsAttention.tsx';
import { RejectionHistory } from './RejectionHistory.tsx';

const texts = {
  list: 'Entries',
  tabs: 'Entries to show',
  open: (n: number) => `Open ${countText(n)}`,
  done: 'Done',
  groups: {
    requests: 'Change requests',
    reviews: 'Reviews',
    sync: 'Last sync',
    conflicts: 'Conflicts',
    'before-sync': 'Before the next sync',
    notifications: 'Notifications',
  },
  none: 'Nothing needs attention.',
  nextCheck: (time: string) => `Next check at ${time}.`,
  noneDone: 'Entries you mark as done or snooze are listed here.',
  clear: 'Clear notifications',
  snooze: 'Snooze',
  until: { tomorrow: 'Until tomorrow', monday: 'Until Monday', 'submit-by': 'Until the submit-by date' },
  snoozed: (day: string) => `Snoozed until ${day}`,
  markDone: 'Done',
  reopen: 'Open again',
  show: (n: number) => `Show ${plural(n, 'row')}`,
  openCampaign: 'Open campaign',
} as const;

const inboxActions = (context: ActionContext) => {
  const { client } = context.connection;
  return {
    snooze: (id: string, until: keyof typeof texts.until) =>
      runAction(context, (workspaceId) => client.inbox.snooze({ workspaceId, id, until })),
    setDone: (id: string, isDone: boolean) =>
      runAction(context, (workspaceId) => client.inbox.setDone({ workspaceId, id, isDone })),
    clear: async () => {
      const cleared = await runAction(context, (workspaceId) => client.notifications.clear({ workspaceId }));
      if (cleared === null) return;
      context.store.getState().clearNotifications();
      void context.queries.invalidateQueries({ queryKey: context.api.inbox.list.key() });
    },
  };
};

interface InboxProps {
  readonly workspaceId: string;
  readonly others: OtherDetails;
}

/** Entries that need the user, with the actions that resolve them, and notifications. */
export function InboxScreen({ workspaceId, others }: InboxProps) {
  const api = useApi();
  const { store } = useAppContext();
  const actions = useActions(inboxActions);
  const chosenId = useView((s) => s.inboxEntry);
  const [tab, setTab] = useState<'open' | 'done'>('open');
  const list = useRef<HTMLDivElement>(null);
  const detail = useRef<HTMLDivElement>(null);
  const { data, error } = useQuery(api.inbox.list.queryOptions({ input: { workspaceId } }));
  const all = data?.entries ?? [];
  const isAside = (entry: InboxEntry): boolean => entry.isDone || entry.snoozedUntil !== null;
  const open = all.filter((entry) => !isAside(entry));
  const entries = tab === 'open' ? open : all.filter(isAside);
  const groups = INBOX_GROUPS.map((group) => ({ group, entries: entries.filter((entry) => entry.group === group) }));
  const inOrder = groups.flatMap((group) => group.entries);
  const chosen = inOrder.find(({ id }) => id === chosenId) ?? inOrder[0];
  const shown = useRef(chosen?.id);
  useLayoutEffect(() => {
    // The focused entry was resolved and removed.
    if (shown.current !== undefined && document.activeElement === document.body) list.current?.focus();
    shown.current = chosen?.id;
  }, [chosen?.id]);
  if (data === undefined) return <Waiting error={error} />;
  const choose = (entry: InboxEntry | undefined): void => {
    if (entry === undefined) return;
    store.getState().chooseInboxEntry(entry.id);
    document.getElementById(optionId(entry))?.scrollIntoView({ block: 'nearest' });
  };
  const putAside = (entry: InboxEntry): void => {
    const at = inOrder.indexOf(entry);
    store.getState().chooseInboxEntry((inOrder[at + 1] ?? inOrder[at - 1])?.id ?? null);
    void actions.setDone(entry.id, tab === 'open');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // React passes on the keys of a menu, which is elsewhere on the page.
    if (!event.currentTarget.contains(event.target as Node)) return;
    const at = chosen === undefined ? -1 : inOrder.indexOf(chosen);
    // Letters select an entry of a list.
    const isTyped = event.target instanceof Element && event.target.matches('input, textarea, select');
    const inList = list.current?.contains(event.target as Node) === true;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      const primary = detail.current?.querySelector<HTMLElement>('[data-primary]:not(:disabled)');
      (primary ?? detail.current?.querySelector<HTMLElement>('[data-detail] button:not(:disabled)'))?.click();
    } else if (event.key === 'Escape' && isTyped) list.current?.focus();
    else if (event.altKey || event.ctrlKey || event.metaKey || isTyped) return;
    else if (event.key === 'ArrowDown' && inList) choose(inOrder[at + 1]);
    else if (event.key === 'ArrowUp' && inList) choose(inOrder[at - 1]);
    else if (event.key === 'Enter' && inList) {
      detail.current
        ?.querySelector<HTMLElement>('[data-detail] :is(input, textarea, select, button:not(:disabled))')
        ?.focus();
    } else if (event.key.toLowerCase() === 'e' && chosen !== undefined) putAside(chosen);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the list and of the details beside it
    <div className={styles['screen']} onKeyDown={onKeyDown}>
      <div className={styles['side']}>
        <ChipChoice
          label={texts.tabs}
          choices={[
            { value: 'open' as const, name: texts.open(open.length) },
            { value: 'done' as const, name: texts.done },
          ]}
          chosen={tab}
          onChoose={setTab}
        />
        <div
          ref={list}
          className={styles['list']}
          role="listbox"
          tabIndex={0}
          aria-label={texts.list}
          aria-activedescendant={chosen === undefined ? undefined : optionId(chosen)}
        >
          {groups.map(
            ({ group, entries: own }) =>
              own.length > 0 && (
                <div key={group} role="group" aria-label={texts.groups[group]}>
                  <div className={styles['group']} aria-hidden="true">
                    {texts.groups[group]}
                  </div>
                  {own.map((entry) => (
                    <Option key={entry.id} entry={entry} isChosen={entry === chosen} onChoose={() => choose(entry)} />
                  ))}
                </div>
              ),
          )}
        </div>
        {tab === 'open' && entries.some(({ group }) => group === 'notifications') && (
          <Chip onClick={() => void actions.clear()}>{texts.clear}</Chip>
        )}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the focused entry stays when a new one precedes it */}
      <div
        ref={detail}
        className={styles['detail']}
        onFocus={() => chosen !== undefined && store.getState().chooseInboxEntry(chosen.id)}
      >
        {chosen === undefined && (tab === 'open' ? <Nothing workspaceId={workspaceId} /> : <p>{texts.noneDone}</p>)}
        {chosen !== undefined && (
          <>
            <header className={styles['detail-head']}>
              <h1>{entryTitle(chosen)}</h1>
              <SnoozeMenu entry={chosen} onSnooze={(until) => void actions.snooze(chosen.id, until)} />
              <button type="button" className={styles['verb']} onClick={() => putAside(chosen)}>
                {tab === 'open' ? texts.markDone : texts.reopen}
              </button>
              {chosen.kind !== null && chosen.rows > 0 && <ShowRows entry={chosen} />}
            </header>
            <div key={chosen.id} data-detail tabIndex={-1}>
              <EntryDetail workspaceId={workspaceId} entry={chosen} others={others} />
            </div>
          </>
        )}
        {tab === 'done' && <RejectionHistory workspaceId={workspaceId} />}
      </div>
    </div>
  );
}

/** An ID for the DOM, which must not contain spaces. */
const optionId = ({ id }: InboxEntry): string => `inbox-${id.replace(/[^\w-]+/gu, '-').slice(0, 120)}`;

interface OptionProps {
  readonly entry: InboxEntry;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Option({ entry, isChosen, onChoose }: OptionProps) {
  const now = useNow();
  const Icon = ICONS[entry.is];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
    <div
      id={optionId(entry)}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className={styles['option']}
      onClick={onChoose}
    >
      <span className={styles['icon']} data-tone={toneOf(entry)} aria-hidden="true">
        <Icon size={14} stroke={1.75} />
      </span>
      <span className={styles['option-text']}>
        <span>{entryTitle(entry)}</span>
        <span>{entry.snoozedUntil === null ? entryPlace(entry) : texts.snoozed(dayText(entry.snoozedUntil))}</span>
      </span>
      {entry.at !== null && <time>{timeText(entry.at, now)}</time>}
    </div>
  );
}

/** Shows the rows of an entry: several in a filtered list, a single row in its campaign. */
function ShowRows({ entry }: { readonly entry: InboxEntry }) {
  const app = useAppContext();
  const { kind, rowId, campaignId, field, rows } = entry;
  const open = (): void =>
    rows === 1 && kind !== null && rowId !== null
      ? app.store.getState().reveal(kind, campaignId, rowId, field)
      : showEntryRows(app, entry);
  return (
    <button type="button" className={styles['verb']} onClick={open}>
      {rows === 1 ? texts.openCampaign : texts.show(rows)}
    </button>
  );
}

interface SnoozeProps {
  readonly entry: InboxEntry;
  readonly onSnooze: (until: keyof typeof texts.until) => void;
}

function SnoozeMenu({ entry, onSnooze }: SnoozeProps) {
  const days = (['tomorrow', 'monday', 'submit-by'] as const).filter(
    (until) => until !== 'submit-by' || entry.submitBy !== null,
  );
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <button type="button" className={styles['verb']}>
          {texts.snooze}
          <IconChevronDown size={12} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {days.map((until) => (
          <Menu.Item key={until} onClick={() => onSnooze(until)}>
            {texts.until[until]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Nothing({ workspaceId }: { readonly workspaceId: string }) {
  const now = useNow();
  const next = useQuery(useApi().accountStatus.get.queryOptions({ input: { workspaceId } })).data?.nextPollAt ?? null;
  return (
    <p className={styles['nothing']}>
      {texts.none} {next !== null && texts.nextCheck(timeText(next, now))}
    </p>
  );
}

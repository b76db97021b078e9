import { Modal } from '@mantine/core';
import {
  IconArrowRight,
  IconBookmark,
  IconHistory,
  IconPencil,
  IconSettings,
  IconTerminal2,
  type TablerIcon,
} from '@tabler/icons-react';
import { skipToken, useQuery } from '@tanstack/react-query';
import { createElement, type ReactNode, useEffect, useEffectEvent, useId } from 'react';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import type { DeepLink } from '../../../shared/model/deep-link.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import { offeringText } from '../../../shared/plan/capabilities.ts';
import { type CommandContext, useApi, useView } from '../../app/app-context.ts';
import { COMMANDS, type CommandId, extensionOf, whyNotNow } from '../../app/commands.ts';
import { followLink, readLink } from '../../app/deep-links.ts';
import { KIND_NAMES } from '../../app/field-names.ts';
import { plural } from '../../app/locale/numbers.ts';
import { isOffered, SETTINGS } from '../../app/settings-list.ts';
import { FIRST_ROWS, useRows } from '../../app/shared-queries.ts';
import { keysOf } from '../../app/shortcuts.ts';
import { rangeOf } from '../../app/store/selection-slice.ts';
import { appTexts } from '../../app/texts.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import { StatusShape } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import { stateOf } from '../../grid/columns.ts';
import { commandIcon } from './command-icons.ts';
import { PaletteInput } from './PaletteInput.tsx';
import styles from './palette.module.css';

const texts = {
  none: 'No matching commands or campaigns.',
  groups: {
    recent: 'Recent',
    rows: 'With the selected row',
    go: 'Go to',
    views: 'Saved views',
    campaigns: 'Campaigns',
    settings: 'Settings',
    commands: 'Commands',
  },
  selected: (kind: string, n: number) => `${kind}, ${plural(n, 'row')} selected`,
  withRows: (n: number) => `With the ${plural(n, 'selected row')}`,
  choose: 'choose',
  run: 'run',
  fill: 'fill in',
  shortcuts: 'all shortcuts',
} as const;

type GroupName = keyof typeof texts.groups;
const GROUPS = Object.keys(texts.groups) as GroupName[];

interface Entry {
  readonly key: string;
  readonly group: GroupName;
  readonly name: string;
  /** The service ID of a campaign, which the search finds too. */
  readonly id?: string | null;
  readonly hint: string | null;
  readonly icon?: ReactNode;
  /** For a command that needs an extension: whether the service supports it. */
  readonly note?: string | undefined;
  /** Why the command can't run now. */
  readonly whyNot?: string;
  readonly run: () => void;
}

/** The most entries shown: every command, list and setting, and a hundred campaigns. Typing finds the others. */
const SHOWN_MAX = COMMANDS.length + KINDS.length + SETTINGS.length + 100;

const COMMAND_IDS: ReadonlySet<string> = new Set(COMMANDS.map(({ id }) => id));

/** Added to the score of a match in other search terms, which puts it after every match in a name. */
const BY_OTHER_WORDS = 4;

/** Added to the score of a command that can't run now, which puts it after all that can. */
const LAST = 10;

interface PaletteProps {
  readonly account: { readonly workspaceId: string; readonly practice: boolean } | null;
}

/**
 * All commands and places by name, in groups: commands for the selected rows, places, views, campaigns by name or ID,
 * settings and other commands. Type, arrow keys, Enter. Without a text, the commands run last come first.
 */
export function Palette({ account }: PaletteProps) {
  const workspaceId = account?.workspaceId ?? null;
  const context = useCommandContext();
  const { store } = context.app;
  const { dismiss, chooseInPalette, enterPalette, show, typeInPalette } = store.getState();
  const { text, at, isEntered } = useView((s) => s.palette);
  const id = useId();
  const api = useApi();
  const input = workspaceId === null ? skipToken : { workspaceId };
  const offered = useQuery(api.accounts.capabilities.queryOptions({ input })).data;
  const views = useQuery(api.views.saved.queryOptions({ input })).data ?? [];
  const { campaigns, isRead } = useCampaigns(workspaceId, text);
  const isEmpty = text.trim() === '';
  const selected = selectedRows(context);
  const link = readLink(text, context.app.connection);
  const entries: readonly Entry[] = [
    ...commandEntries(context, isEmpty, offered),
    // Commands that can't run now are listed only in a search.
    ...(isEmpty ? [] : unavailableEntries(context)),
    ...(workspaceId === null ? [] : KINDS).map(
      (kind): Entry => ({
        key: `list ${kind}`,
        group: 'go',
        name: KIND_NAMES[kind].many,
        hint: null,
        run: () => store.getState().goTo({ kind, campaignId: null }),
      }),
    ),
    ...views.map(
      (view): Entry => ({
        key: `view ${view.id}`,
        group: 'views',
        name: view.name,
        hint: KIND_NAMES[view.view.kind].many,
        run: () => {
          store.getState().openSavedView(view);
          store.getState().restoreKind(view.view.kind, view.layout);
        },
      }),
    ),
    ...campaigns.map(
      (row): Entry => ({
        key: `campaign ${row.id}`,
        group: 'campaigns',
        name: row.campaignName,
        id: row.remoteId,
        hint: row.remoteId,
        icon: <StatusShape state={stateOf(row).state} text="" />,
        run: () => store.getState().goTo({ kind: 'campaign', campaignId: row.id }),
      }),
    ),
    ...(isEmpty ? [] : SETTINGS).flatMap(({ id: setting, section, name, text: hint }): readonly Entry[] =>
      isOffered(section, account)
        ? [
            {
              key: `setting ${setting ?? section}`,
              group: 'settings',
              name,
              hint: section === 'deployment' ? hint : null,
              run: () => store.getState().openSettings(section, { setting }),
            },
          ]
        : [],
    ),
  ];
  const matches = scored(entries, text, nameOf, alsoOf)
    .map(({ entry, score }) => ({ entry, score: entry.whyNot === undefined ? score : score + LAST }))
    .toSorted((one, other) => one.score - other.score)
    .slice(0, SHOWN_MAX);
  const groups = inGroups([...(link === null ? [] : [{ entry: linkEntry(context, link), score: -1 }]), ...matches]);
  const found = groups.flatMap(([, members]) => members);
  const chosen = found.length === 0 ? 0 : ((at % found.length) + found.length) % found.length;

  useEffect(() => {
    // Arrow keys could move the selection out of view; above the first entry, the name of its group is shown too.
    const option = document.getElementById(`${id}-${chosen}`);
    (option?.previousElementSibling ?? option)?.scrollIntoView({ block: 'nearest' });
    option?.scrollIntoView({ block: 'nearest' });
  }, [id, chosen]);

  const run = (entry: Entry | undefined): void => {
    if (entry === undefined || entry.whyNot !== undefined) return;
    dismiss();
    entry.run();
  };
  const runEntered = useEffectEvent(() => {
    enterPalette(false);
    run(found[chosen]);
  });
  // An Enter pressed before the list is shown runs an entry that the user has not seen: so all campaigns must be
  // loaded, unless the full name was typed.
  const canRunUnseen = isRead || (!isEmpty && matches[0]?.score === 0);
  useEffect(() => {
    if (isEntered && canRunUnseen) runEntered();
  }, [isEntered, canRunUnseen]);
  const chosenName = found[chosen]?.name;
  return (
    <Modal
      opened
      onClose={dismiss}
      title={appTexts.palette.title}
      withCloseButton={false}
      size={560}
      yOffset={92}
      padding={0}
      radius={10}
      classNames={{ header: ui['spoken-only'] ?? '' }}
    >
      <PaletteInput
        list={{ id, chosenId: found[chosen] === undefined ? undefined : `${id}-${chosen}` }}
        aside={selected === 0 ? null : texts.selected(KIND_NAMES[store.getState().kind].many, selected)}
        onEnter={() => run(found[chosen])}
        onFill={() => chosenName !== undefined && typeInPalette(chosenName.replace(/…$/u, ''))}
        onHelp={() => show({ name: 'shortcuts' })}
      />
      <div id={id} role="listbox" aria-label={appTexts.palette.title} className={styles['palette-list']}>
        {found.length === 0 && <p className={styles['palette-none']}>{texts.none}</p>}
        {groups.map(([group, members]) => {
          const first = found.findIndex((entry) => entry.group === group);
          const title = group === 'rows' && selected > 1 ? texts.withRows(selected) : texts.groups[group];
          return (
            <div key={group} role="group" aria-label={title}>
              <div className={styles['palette-group']} aria-hidden="true">
                {title}
              </div>
              {members.map((entry, i) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the text field, which keeps the focus.
                <div
                  key={entry.key}
                  id={`${id}-${first + i}`}
                  role="option"
                  tabIndex={-1}
                  title={entry.note}
                  aria-selected={first + i === chosen}
                  aria-disabled={entry.whyNot !== undefined}
                  className={styles['palette-entry']}
                  onClick={() => run(entry)}
                  // A list that changes under a resting pointer fires this event too, but must not change the
                  // selection.
                  onPointerMove={({ movementX, movementY }) => {
                    if (movementX !== 0 || movementY !== 0) chooseInPalette(first + i);
                  }}
                >
                  {entry.icon ?? <EntryIcon of={entry} />}
                  <span className={ui['nav-name']}>
                    <Marked name={entry.name} text={text} />
                  </span>
                  {entry.hint !== null &&
                    (COMMAND_IDS.has(entry.key) && entry.whyNot === undefined ? (
                      <kbd>{entry.hint}</kbd>
                    ) : (
                      <span className={styles['palette-hint']}>{entry.hint}</span>
                    ))}
                </div>
              ))}
            </div>
          );
        })}
      </div>
      <p className={styles['palette-foot']} aria-hidden="true">
        <kbd>↑↓</kbd> {texts.choose} <kbd>Enter</kbd> {texts.run} <kbd>Tab</kbd> {texts.fill}
        <span className={styles['palette-gap']} />
        <kbd>?</kbd> {texts.shortcuts}
      </p>
    </Modal>
  );
}

/** The entry for a pasted link. */
const linkEntry = ({ app }: CommandContext, link: DeepLink): Entry => ({
  key: 'link',
  group: 'go',
  name: appTexts.links.open,
  hint: KIND_NAMES[link.kind].one,
  run: () => void followLink(app, link),
});

const ICONS: Readonly<Record<GroupName, TablerIcon>> = {
  recent: IconHistory,
  rows: IconPencil,
  go: IconArrowRight,
  views: IconBookmark,
  campaigns: IconArrowRight,
  settings: IconSettings,
  commands: IconTerminal2,
};

/** Recent commands share the icon of their group; other commands have their own. */
function EntryIcon({ of: { key, group } }: { readonly of: Entry }) {
  const icon = (group === 'recent' ? undefined : commandIcon(key)) ?? ICONS[group];
  return createElement(icon, { size: 16, stroke: 1.5, 'aria-hidden': true });
}

/** A name with the typed words in bold. */
function Marked({ name, text }: { readonly name: string; readonly text: string }) {
  const words = text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return name;
  const pattern = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'gi');
  return name.split(pattern).map((part, i) =>
    // Splitting by a pattern with one group puts each match at an odd index.
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a name have no other key than their index.
    i % 2 === 1 ? <b key={i}>{part}</b> : part,
  );
}

/** The number of selected rows that still exist in the open list; 0 when the list is not shown. */
function selectedRows({ app }: CommandContext): number {
  if (app.store.getState().place !== 'rows') return 0;
  const { top, bottom } = rangeOf(app.store.getState(), 1);
  const last = (app.openView.current?.source.length() ?? 0) - 1;
  return Math.max(0, Math.min(bottom, last) - top + 1);
}

interface Campaigns {
  readonly campaigns: readonly WindowRow[];
  /** False while some campaigns are still being read. */
  readonly isRead: boolean;
}

/** The campaigns of the palette: all of a typical account, or matches of the text in a larger one. */
function useCampaigns(workspaceId: string | null, text: string): Campaigns {
  const asked = useRows(workspaceId ?? '', workspaceId === null ? null : { kind: 'campaign' });
  const first = asked.data?.rows ?? [];
  // Symbols and OR have a special meaning in a search, but not in a name.
  const words = (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`).join(' ');
  const asks = workspaceId !== null && first.length === FIRST_ROWS && words !== '';
  const found = useRows(workspaceId ?? '', asks ? { kind: 'campaign', filter: words } : null);
  const more = found.data?.rows ?? [];
  const known = new Set(first.map(({ id }) => id));
  return {
    campaigns: [...first, ...more.filter(({ id }) => !known.has(id))],
    isRead: !asked.isLoading && !found.isLoading,
  };
}

/** Commands that open the settings, whatever their area. */
const SETTINGS_COMMANDS: ReadonlySet<CommandId> = new Set<CommandId>([
  'sync.known-ids',
  'sync.refresh-outdated',
  'items.repair',
  'locale.choose',
  'account.secrets',
  'account.settings',
  'account.deployment',
  'account.rules',
  'account.backups',
  'account.team',
  'practice.clock',
  'app.about',
  'help.shortcuts',
  'help.first-steps',
  'theme.light',
  'theme.dark',
  'theme.system',
]);
/** Row commands that need no selection. */
const ROWLESS: ReadonlySet<CommandId> = new Set<CommandId>(['rows.add', 'rows.paste-table', 'rows.duplicates']);
const ROW_COMMANDS: ReadonlySet<CommandId> = new Set<CommandId>([
  'sync.plan-selected',
  'team.ask-selected',
  'campaign.like',
  'review.submit',
  'review.cancel',
]);

/** The group of a command: by its topic, usually the first word of its ID. */
function groupOf(id: CommandId): GroupName {
  if (SETTINGS_COMMANDS.has(id)) return 'settings';
  if (ROW_COMMANDS.has(id) || (/^(cells|rows|bulk)\./.test(id) && !ROWLESS.has(id))) return 'rows';
  return /^(go|launch|reports|tab)\.|^view\.next/.test(id) ? 'go' : 'commands';
}

function commandEntries(
  context: CommandContext,
  recentFirst: boolean,
  offered: Parameters<typeof offeringText>[1],
): readonly Entry[] {
  const { keys, kind, recentCommands, noteCommand } = context.app.store.getState();
  return COMMANDS.filter((command) => command.id !== 'app.palette' && command.when(context))
    .map(
      (command): Entry => ({
        key: command.id,
        group: recentFirst && recentCommands.includes(command.id) ? 'recent' : groupOf(command.id),
        name: command.title,
        hint: command.gridKey ?? keysOf(command, keys),
        note: offeringText(extensionOf(command.id, kind), offered)?.text,
        run: () => {
          noteCommand(command.id);
          command.run(context);
        },
      }),
    )
    .toSorted((one, other) =>
      one.group === 'recent' && other.group === 'recent'
        ? recentCommands.indexOf(one.key) - recentCommands.indexOf(other.key)
        : 0,
    );
}

/** Commands of this account that can't run now, with the reason in place of the shortcut. */
const unavailableEntries = (context: CommandContext): readonly Entry[] =>
  COMMANDS.flatMap((command): readonly Entry[] => {
    const whyNot = command.when(context) ? null : whyNotNow(command, context);
    if (whyNot === null) return [];
    return [{ key: command.id, group: 'commands', name: command.title, hint: whyNot, whyNot, run: () => {} }];
  });

const nameOf = ({ name, id = null }: Entry): string => (id === null ? name : `${name} ${id}`);

/** Other search terms for commands. */
const ALSO: Readonly<Partial<Record<string, string>>> = {
  'rows.add': 'new keywords items placements platforms',
  'bulk.set': 'change many rows',
  'bulk.amount': 'change raise lower percent amounts',
  'rows.label': 'add new remove delete tag tags color',
  'rows.duplicates': 'same keywords items',
  'rows.time-machine': 'history earlier',
  'view.matrix': 'keyword multiplier',
  'sheet.import': 'csv xlsx excel spreadsheet archive upload add keywords items',
  'help.first-steps': 'help guide tutorial',
  'help.shortcuts': 'help keys',
  'app.about': 'help version',
} satisfies Partial<Record<CommandId, string>>;

const alsoOf = ({ key }: Entry): string => ALSO[key] ?? '';

interface Scored<T> {
  readonly entry: T;
  /** Lower is better; 0 for an exact name. */
  readonly score: number;
}

/**
 * The entries that contain every typed word, best first: the exact name, names that start with the text, names with a
 * word that starts with it, then the others. Equal entries keep their order.
 */
export const rank = <T,>(
  entries: readonly T[],
  text: string,
  name: (entry: T) => string,
  also?: (entry: T) => string,
): readonly T[] => scored(entries, text, name, also).map(({ entry }) => entry);

function scored<T>(
  entries: readonly T[],
  text: string,
  name: (entry: T) => string,
  also: (entry: T) => string = () => '',
): readonly Scored<T>[] {
  const typed = text.trim().toLowerCase();
  if (typed === '') return entries.map((entry) => ({ entry, score: 0 }));
  const words = typed.split(/\s+/);
  return entries
    .flatMap((entry) => {
      const said = name(entry).toLowerCase();
      const others = words.filter((word) => !said.includes(word));
      if (others.length === 0) return [{ entry, score: scoreOf(said, typed, words[0] ?? '') }];
      return others.every((word) => also(entry).includes(word)) ? [{ entry, score: BY_OTHER_WORDS }] : [];
    })
    .toSorted((a, b) => a.score - b.score);
}

/** An exact name comes before longer names that start with it; the dots at its end are ignored. */
function scoreOf(name: string, typed: string, firstWord: string): number {
  if (name.replace(/…$/u, '') === typed) return 0;
  if (name.startsWith(typed)) return 1;
  return name.includes(` ${firstWord}`) ? 2 : 3;
}

/** Entries by group: first the group with the best entry, otherwise in the default order. */
function inGroups(found: readonly Scored<Entry>[]): readonly (readonly [GroupName, readonly Entry[]])[] {
  const byGroup = Map.groupBy(found, ({ entry }) => entry.group);
  return GROUPS.flatMap((group) => {
    const members = byGroup.get(group);
    return members === undefined ? [] : [{ group, members, best: members[0]?.score ?? 0 }];
  })
    .toSorted((one, other) => one.best - other.best)
    .map(({ group, members }) => [group, members.map(({ entry }) => entry)]);
}

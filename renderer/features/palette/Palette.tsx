import { Modal } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId } from 'react';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import { offeringText } from '../../../shared/plan/capabilities.ts';
import { type CommandContext, useApi, useView } from '../../app/app-context.ts';
import { COMMANDS, commandTexts, extensionOf } from '../../app/commands.ts';
import { KIND_NAMES } from '../../app/field-names.ts';
import { FIRST_ROWS, useRows } from '../../app/shared-queries.ts';
import { keysOf } from '../../app/shortcuts.ts';
import { appTexts } from '../../app/texts.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import ui from '../../components/ui.module.css';
import { PaletteInput } from './PaletteInput.tsx';
import styles from './palette.module.css';

const texts = {
  none: 'No matching commands or campaigns.',
  goTo: 'Go to campaign',
  goToList: 'Go to list',
} as const;

interface Entry {
  readonly key: string;
  readonly name: string;
  /** Of a campaign: its id at the service, which finds it as well. */
  readonly id?: string | null;
  readonly hint: string | null;
  /** Of a command that an extension carries: whether it is offered here. */
  readonly note?: string | undefined;
  readonly run: () => void;
}

/** Every command, every list and a hundred campaigns; of more, the text that is typed finds the one that is meant. */
const SHOWN_MAX = COMMANDS.length + KINDS.length + 100;

/** Every command by name, those last run first, every list, and every campaign by name or id: type, arrow keys, Enter. */
export function Palette({ workspaceId }: { readonly workspaceId: string | null }) {
  const context = useCommandContext();
  const { store } = context.desk;
  const { dismiss, chooseInPalette, enterPalette } = store.getState();
  const { text, at, isEntered } = useView((s) => s.palette);
  const id = useId();
  const offered = useQuery(
    useApi().accounts.capabilities.queryOptions({ input: workspaceId === null ? skipToken : { workspaceId } }),
  ).data;
  const { campaigns, isRead } = useCampaigns(workspaceId, text);
  const entries: readonly Entry[] = [
    ...commandEntries(context, text.trim() === '', offered),
    ...(workspaceId === null ? [] : KINDS).map((kind) => ({
      key: `list ${kind}`,
      name: KIND_NAMES[kind].many,
      hint: texts.goToList,
      run: () => store.getState().goTo({ kind, campaignId: null }),
    })),
    ...campaigns.map((row) => ({
      key: `campaign ${row.id}`,
      name: row.campaignName,
      id: row.remoteId,
      hint: texts.goTo,
      run: () => store.getState().goTo({ kind: 'campaign', campaignId: row.id }),
    })),
  ];
  const found = rank(entries, text, ({ name, id: number = null }) =>
    number === null ? name : `${name} ${number}`,
  ).slice(0, SHOWN_MAX);
  const chosen = found.length === 0 ? 0 : ((at % found.length) + found.length) % found.length;

  useEffect(() => {
    // Far down the list the arrow keys would go on out of sight.
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, chosen]);

  const run = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    dismiss();
    entry.run();
  };
  const runEntered = useEffectEvent(() => {
    enterPalette(false);
    run(found[chosen]);
  });
  useEffect(() => {
    // Enter that came before the list: run without a look at it, so only what is chosen among all there is.
    if (isEntered && isRead) runEntered();
  }, [isEntered, isRead]);
  return (
    <Modal opened onClose={dismiss} title={appTexts.palette.title} size={520} yOffset={80} padding="sm">
      <PaletteInput
        list={{ id, chosenId: found[chosen] === undefined ? undefined : `${id}-${chosen}` }}
        onEnter={() => run(found[chosen])}
      />
      <div id={id} role="listbox" aria-label={appTexts.palette.title} className={styles['palette-list']}>
        {found.length === 0 && <p className={ui['quiet']}>{texts.none}</p>}
        {found.map((entry, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the text field, which keeps the focus.
          <div
            key={entry.key}
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            title={entry.note}
            aria-selected={i === chosen}
            className={
              i === chosen ? `${styles['palette-entry']} ${styles['palette-chosen']}` : styles['palette-entry']
            }
            onClick={() => run(entry)}
            onPointerMove={() => chooseInPalette(i)}
          >
            <span className={ui['nav-name']}>{entry.name}</span>
            {entry.hint !== null && <kbd>{entry.hint}</kbd>}
          </div>
        ))}
      </div>
    </Modal>
  );
}

interface Campaigns {
  readonly campaigns: readonly WindowRow[];
  /** False while some of them are still on their way. */
  readonly isRead: boolean;
}

/** The campaigns to choose from: all of a usual account, and what the text finds where there are more. */
function useCampaigns(workspaceId: string | null, text: string): Campaigns {
  const asked = useRows(workspaceId ?? '', workspaceId === null ? null : { kind: 'campaign' });
  const first = asked.data?.rows ?? [];
  // Signs have a meaning of their own in a search, and none in a name that is looked for.
  const words = text.replace(/[^\p{L}\p{N}\s]/gu, ' ').trim();
  const asks = workspaceId !== null && first.length === FIRST_ROWS && words !== '';
  const found = useRows(workspaceId ?? '', asks ? { kind: 'campaign', filter: words } : null);
  const more = found.data?.rows ?? [];
  const known = new Set(first.map(({ id }) => id));
  return {
    campaigns: [...first, ...more.filter(({ id }) => !known.has(id))],
    isRead: !asked.isLoading && !found.isLoading,
  };
}

function commandEntries(
  context: CommandContext,
  recentFirst: boolean,
  offered: Parameters<typeof offeringText>[1],
): readonly Entry[] {
  const { keys, kind, recentCommands, noteCommand } = context.desk.store.getState();
  const entries = COMMANDS.filter((command) => command.id !== 'app.palette' && command.when(context)).map(
    (command): Entry => ({
      key: command.id,
      name: commandTexts[command.id],
      hint: command.gridKey ?? keysOf(command, keys),
      note: offeringText(extensionOf(command.id, kind), offered)?.text,
      run: () => {
        noteCommand(command.id);
        command.run(context);
      },
    }),
  );
  if (!recentFirst) return entries;
  const recent = recentCommands.flatMap((id) => entries.find(({ key }) => key === id) ?? []);
  return [...recent, ...entries.filter((entry) => !recent.includes(entry))];
}

/**
 * The entries that contain every typed word, best first: the one whose name is the text, then those whose name starts
 * with it, then those with a word that starts with it, then the rest; ties keep their order.
 */
export function rank<T>(entries: readonly T[], text: string, nameOf: (entry: T) => string): readonly T[] {
  const typed = text.trim().toLowerCase();
  if (typed === '') return entries;
  const words = typed.split(/\s+/);
  const scored = entries.flatMap((entry) => {
    const name = nameOf(entry).toLowerCase();
    if (!words.every((word) => name.includes(word))) return [];
    return [{ entry, score: scoreOf(name, typed, words[0] ?? '') }];
  });
  return scored.sort((a, b) => a.score - b.score).map(({ entry }) => entry);
}

/** A name that was typed whole is meant, though another one begins with it; its dots are no part of it. */
function scoreOf(name: string, typed: string, firstWord: string): number {
  if (name.replace(/…$/u, '') === typed) return 0;
  if (name.startsWith(typed)) return 1;
  return name.includes(` ${firstWord}`) ? 2 : 3;
}

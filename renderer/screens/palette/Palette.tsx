import { Modal } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import type { WindowRow } from '../../../shared/contract/workspace.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import { COMMANDS, type CommandContext } from '../../app/commands.ts';
import { keysOf } from '../../app/shortcuts.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import { FIRST_ROWS, firstRows } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { KIND_NAMES } from '../../messages/fields.ts';
import { rank } from './rank.ts';

/** As soon as it is there: the dialog would do it a moment later, and a quick typist has begun by then. */
const takeFocus = (input: HTMLInputElement | null): void => input?.focus();

interface Entry {
  readonly key: string;
  readonly name: string;
  /** Of a campaign: its id at the service, which finds it as well. */
  readonly id?: string | null;
  readonly hint: string | null;
  readonly run: () => void;
}

/** Every command, every list and a hundred campaigns; of more, the text that is typed finds the one that is meant. */
const SHOWN_MAX = COMMANDS.length + KINDS.length + 100;

/** Every command by name, those last run first, every list, and every campaign by name or id: type, arrow keys, Enter. */
export function Palette({ workspaceId }: { readonly workspaceId: string | null }) {
  const context = useCommandContext();
  const { store } = context.desk;
  const { dismiss } = store.getState();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const campaigns = useCampaigns(workspaceId, text);
  const entries: readonly Entry[] = [
    ...commandEntries(context, text.trim() === ''),
    ...(workspaceId === null ? [] : KINDS).map((kind) => ({
      key: `list ${kind}`,
      name: KIND_NAMES[kind].many,
      hint: en.palette.goToList,
      run: () => store.getState().goTo({ kind, campaignId: null }),
    })),
    ...campaigns.map((row) => ({
      key: `campaign ${row.id}`,
      name: row.campaignName,
      id: row.remoteId,
      hint: en.palette.goTo,
      run: () => store.getState().goTo({ kind: 'campaign', campaignId: row.id }),
    })),
  ];
  const found = rank(entries, text, ({ name, id: number = null }) =>
    number === null ? name : `${name} ${number}`,
  ).slice(0, SHOWN_MAX);
  const chosen = Math.min(at, found.length - 1);

  useEffect(() => {
    // Far down the list the arrow keys would go on out of sight.
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, chosen]);

  const run = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    dismiss();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setAt((chosen + 1) % Math.max(1, found.length));
    else if (event.key === 'ArrowUp') setAt((chosen + found.length - 1) % Math.max(1, found.length));
    else if (event.key === 'Enter') run(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Modal opened onClose={dismiss} title={en.palette.title} size={520} yOffset={80} padding="sm">
      <input
        className="input palette-input"
        role="combobox"
        ref={takeFocus}
        data-autofocus
        aria-label={en.palette.placeholder}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found[chosen] === undefined ? undefined : `${id}-${chosen}`}
        aria-autocomplete="list"
        placeholder={en.palette.placeholder}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" aria-label={en.palette.title} className="palette-list">
        {found.length === 0 && <p className="quiet">{en.palette.none}</p>}
        {found.map((entry, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the text field, which keeps the focus.
          <div
            key={entry.key}
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === chosen}
            className={i === chosen ? 'palette-entry palette-chosen' : 'palette-entry'}
            onClick={() => run(entry)}
            onPointerMove={() => setAt(i)}
          >
            <span className="nav-name">{entry.name}</span>
            {entry.hint !== null && <kbd>{entry.hint}</kbd>}
          </div>
        ))}
      </div>
    </Modal>
  );
}

/** The campaigns to choose from: all of a usual account, and what the text finds where there are more. */
function useCampaigns(workspaceId: string | null, text: string): readonly WindowRow[] {
  const first = useQuery(workspaceId === null ? null : firstRows(workspaceId, 'campaign', null)).data ?? [];
  // Signs have a meaning of their own in a search, and none in a name that is looked for.
  const words = text.replace(/[^\p{L}\p{N}\s]/gu, ' ').trim();
  const asks = workspaceId !== null && first.length === FIRST_ROWS && words !== '';
  const more = useQuery(asks ? firstRows(workspaceId, 'campaign', null, words) : null).data ?? [];
  const known = new Set(first.map(({ id }) => id));
  return [...first, ...more.filter(({ id }) => !known.has(id))];
}

function commandEntries(context: CommandContext, recentFirst: boolean): readonly Entry[] {
  const { keys, recentCommands, noteCommand } = context.desk.store.getState();
  const entries = COMMANDS.filter((command) => command.id !== 'app.palette' && command.when(context)).map(
    (command): Entry => ({
      key: command.id,
      name: en.commands[command.id],
      hint: command.gridKey ?? keysOf(command, keys),
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

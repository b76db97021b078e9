import { Modal } from '@mantine/core';
import { type KeyboardEvent, useId, useState } from 'react';
import { COMMANDS, type CommandContext } from '../../app/commands.ts';
import { keysOf } from '../../app/shortcuts.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import { firstRows } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { rank } from './rank.ts';

/** As soon as it is there: the dialog would do it a moment later, and a quick typist has begun by then. */
const takeFocus = (input: HTMLInputElement | null): void => input?.focus();

interface Entry {
  readonly key: string;
  readonly name: string;
  readonly hint: string | null;
  readonly run: () => void;
}

const SHOWN_MAX = 12;

/** Every command and every campaign by name: type, arrow keys, Enter. */
export function Palette({ workspaceId }: { readonly workspaceId: string | null }) {
  const context = useCommandContext();
  const { store } = context.desk;
  const { dismiss } = store.getState();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const campaigns = useQuery(workspaceId === null ? null : firstRows(workspaceId, 'campaign', null)).data ?? [];
  const entries: readonly Entry[] = [
    ...commandEntries(context),
    ...campaigns.map((row) => ({
      key: `campaign ${row.id}`,
      name: row.campaignName,
      hint: en.palette.goTo,
      run: () => store.getState().goTo({ kind: 'campaign', campaignId: row.id }),
    })),
  ];
  const found = rank(entries, text, (entry) => entry.name).slice(0, SHOWN_MAX);
  const chosen = Math.min(at, found.length - 1);

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

function commandEntries(context: CommandContext): readonly Entry[] {
  return COMMANDS.filter((command) => command.id !== 'app.palette' && command.when(context)).map((command) => ({
    key: command.id,
    name: en.commands[command.id],
    hint: command.gridKey ?? keysOf(command, context.desk.store.getState().keys),
    run: () => command.run(context),
  }));
}

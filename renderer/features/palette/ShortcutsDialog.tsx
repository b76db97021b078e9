import { Button, Group, Modal } from '@mantine/core';
import { Fragment, type KeyboardEvent, useState } from 'react';
import { MENU_PLACES } from '../../../shared/api/choices.ts';
import { useAppContext, useView } from '../../app/app-context.ts';
import { COMMANDS, type Command } from '../../app/commands.ts';
import { placeOf } from '../../app/native-menu.ts';
import { keysOf, keysProblem, ownerOf, pressed } from '../../app/shortcuts.ts';
import { en } from '../../texts/en.ts';
import { enMenu } from '../../texts/en-menu.ts';
import { enShortcuts } from '../../texts/en-shortcuts.ts';

/** Every shortcut in one table, under the headings of the menu; each can be given other keys. */
export function ShortcutsDialog() {
  const { store } = useAppContext();
  const { dismiss, resetKeys } = store.getState();
  const keys = useView((s) => s.keys);
  const [recording, setRecording] = useState<string | null>(null);
  return (
    <Modal
      opened
      onClose={dismiss}
      title={enShortcuts.title}
      size="lg"
      closeOnEscape={recording === null}
      classNames={{ body: 'shortcut-sheet' }}
    >
      <p className="quiet no-print">{enShortcuts.hint}</p>
      <Group gap="xs" my="xs" className="no-print">
        <Button data-autofocus onClick={() => window.print()}>
          {enShortcuts.print}
        </Button>
        <Button disabled={Object.keys(keys).length === 0} onClick={() => resetKeys(null)}>
          {enShortcuts.resetAll}
        </Button>
      </Group>
      {MENU_PLACES.map((place) => (
        <Fragment key={place}>
          <h3 className="group-title">{enMenu[place]}</h3>
          <dl className="shortcuts">
            {COMMANDS.filter(({ id, gridKey }) => gridKey === undefined && placeOf(id) === place).map((command) => (
              <Line
                key={command.id}
                command={command}
                recording={recording === command.id}
                onRecord={(on) => setRecording(on ? command.id : null)}
              />
            ))}
          </dl>
        </Fragment>
      ))}
      <h3 className="group-title">{enShortcuts.grid}</h3>
      <dl className="shortcuts">
        {enShortcuts.gridKeys.map(([gridKeys, what]) => (
          <div key={gridKeys}>
            <dt>{what}</dt>
            <dd>
              <kbd>{gridKeys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}

interface LineProps {
  readonly command: Command;
  readonly recording: boolean;
  readonly onRecord: (on: boolean) => void;
}

/**
 *   shown --click--> recording --keys that can be taken--> shown
 *                        | keys that cannot: says why, keeps listening
 *                        '--Esc: as before, Backspace: no keys
 */
function Line({ command, recording, onRecord }: LineProps) {
  const { store } = useAppContext();
  const chosen = useView((s) => s.keys);
  const [problem, setProblem] = useState<string | null>(null);
  const name = en.commands[command.id];
  const keys = keysOf(command, chosen);
  const end = (): void => {
    setProblem(null);
    onRecord(false);
  };
  const choose = (keysById: Readonly<Record<string, string>>, told: string): void => {
    const { chooseKeys, announce } = store.getState();
    chooseKeys(keysById);
    announce(enShortcuts.taken(name, told));
    end();
  };
  const take = (event: KeyboardEvent): void => {
    if (!recording || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    const wanted = pressed(event);
    if (wanted === 'Escape') end();
    else if (wanted === 'Backspace') choose({ [command.id]: '' }, enShortcuts.none);
    else if (wanted !== null) {
      const refused = keysProblem(wanted);
      const owner = ownerOf(wanted, chosen);
      // The keys move: two commands on one press would be a riddle.
      const moved = owner === undefined ? {} : { [owner.id]: '' };
      if (refused === null) choose({ ...moved, [command.id]: wanted }, wanted);
      else setProblem(enShortcuts.problems[refused](wanted));
    }
  };
  const isChosen = chosen[command.id] !== undefined;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {problem !== null && (
          <span className="note-error" role="alert">
            {problem}
          </span>
        )}
        <button
          type="button"
          className={isChosen ? 'shortcut-keys shortcut-own' : 'shortcut-keys'}
          aria-label={enShortcuts.change(name, keys ?? enShortcuts.none)}
          aria-pressed={recording}
          onClick={() => onRecord(true)}
          onBlur={end}
          onKeyDown={take}
        >
          {recording ? enShortcuts.press : <kbd>{keys ?? '–'}</kbd>}
        </button>
        {isChosen && (
          <button
            type="button"
            className="chip no-print"
            aria-label={enShortcuts.reset(name)}
            onClick={() => store.getState().resetKeys(command.id)}
          >
            {enShortcuts.back}
          </button>
        )}
      </dd>
    </div>
  );
}

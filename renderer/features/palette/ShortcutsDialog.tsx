import { Button, Group, Modal } from '@mantine/core';
import { Fragment, type KeyboardEvent, useRef, useState } from 'react';
import { MENU_PLACES } from '../../../shared/api/choices.ts';
import { useAppContext, useView } from '../../app/app-context.ts';
import { COMMANDS, type Command } from '../../app/commands.ts';
import { placeOf } from '../../app/native-menu.ts';
import { keysOf, keysProblem, ownerOf, pressed } from '../../app/shortcuts.ts';
import { menuTexts } from '../../app/texts.ts';
import ui from '../../components/ui.module.css';
import styles from './palette.module.css';

const texts = {
  title: 'Keyboard shortcuts',
  hint: 'Click a shortcut, then press the new keys. Backspace removes it; Esc cancels.',
  print: 'Print',
  resetAll: 'Reset all',
  back: 'Reset',
  reset: (name: string) => `${name}: reset shortcut`,
  change: (name: string, keys: string) => `${name}: ${keys}. Change shortcut`,
  press: 'Press keys…',
  none: 'no shortcut',
  taken: (name: string, keys: string) => `${name}: ${keys}`,
  problems: {
    kept: (keys: string) => `${keys} is reserved by the window or the grid.`,
    plain: (keys: string) => `${keys} types a character. Add Ctrl or Alt, or use a function key.`,
  },
  grid: 'In the grid',
  gridKeys: [
    ['Arrows, Home, End, Page Up, Page Down', 'Move'],
    ['Ctrl+Home, Ctrl+End', 'First and last row'],
    ['Shift+arrows', 'Select a range'],
    ['Shift+Space, Ctrl+A', 'Select rows, select all'],
    ['F2, Enter or typing', 'Edit cell'],
    ['Ctrl+Enter in a cell', 'Apply the value to all selected cells'],
    ['Esc', 'Cancel editing'],
    ['Delete', 'Clear cells; delete rows when whole rows are selected'],
    ['Ctrl+C, Ctrl+V', 'Copy and paste, also from spreadsheets'],
    ['Ctrl+D', 'Fill down'],
  ] as readonly (readonly [string, string])[],
} as const;

/** All shortcuts in one table, under the headings of the menu; each can be changed. */
export function ShortcutsDialog() {
  const { dismiss, resetKeys } = useAppContext().store.getState();
  const keys = useView((s) => s.keys);
  const [recording, setRecording] = useState<string | null>(null);
  return (
    <Modal
      opened
      onClose={dismiss}
      title={texts.title}
      size="lg"
      closeOnEscape={recording === null}
      classNames={{ body: styles['shortcut-sheet'] }}
    >
      <p className={`${ui['quiet']} ${styles['no-print']}`}>{texts.hint}</p>
      <Group gap="xs" my="xs" className={styles['no-print']}>
        <Button data-autofocus onClick={() => window.print()}>
          {texts.print}
        </Button>
        <Button disabled={Object.keys(keys).length === 0} onClick={() => resetKeys(null)}>
          {texts.resetAll}
        </Button>
      </Group>
      {MENU_PLACES.map((place) => (
        <Fragment key={place}>
          <h3 className={ui['group-title']}>{menuTexts[place]}</h3>
          <dl className={styles['shortcuts']}>
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
      <h3 className={ui['group-title']}>{texts.grid}</h3>
      <dl className={styles['shortcuts']}>
        {texts.gridKeys.map(([gridKeys, what]) => (
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
 *   shown --click--> recording --valid keys--> shown
 *                        | invalid keys: shows the reason, keeps recording
 *                        '--Esc: unchanged, Backspace: no shortcut
 */
function Line({ command, recording, onRecord }: LineProps) {
  const { store } = useAppContext();
  const chosen = useView((s) => s.keys);
  const [problem, setProblem] = useState<string | null>(null);
  const name = command.title;
  const keys = keysOf(command, chosen);
  const end = (): void => {
    setProblem(null);
    onRecord(false);
  };
  const choose = (keysById: Readonly<Record<string, string>>, told: string): void => {
    const { chooseKeys, announce } = store.getState();
    chooseKeys(keysById);
    announce(texts.taken(name, told));
    end();
  };
  const take = (event: KeyboardEvent): void => {
    if (!recording || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    const wanted = pressed(event);
    if (wanted === 'Escape') end();
    else if (wanted === 'Backspace') choose({ [command.id]: '' }, texts.none);
    else if (wanted !== null) {
      const refused = keysProblem(wanted);
      const owner = ownerOf(wanted, chosen);
      // The other command loses these keys: one shortcut can't run two commands.
      const moved = owner === undefined ? {} : { [owner.id]: '' };
      if (refused === null) choose({ ...moved, [command.id]: wanted }, wanted);
      else setProblem(texts.problems[refused](wanted));
    }
  };
  const isChosen = chosen[command.id] !== undefined;
  const button = useRef<HTMLButtonElement>(null);
  const reset = (): void => {
    const { chooseKeys, resetKeys } = store.getState();
    const owner = command.shortcut === null ? undefined : ownerOf(command.shortcut, chosen);
    resetKeys(command.id);
    if (owner !== undefined && owner.id !== command.id) chooseKeys({ [owner.id]: '' });
    // The pressed button goes away.
    button.current?.focus();
  };
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {problem !== null && (
          <span className={ui['note-error']} role="alert">
            {problem}
          </span>
        )}
        <button
          ref={button}
          type="button"
          className={isChosen ? `${styles['shortcut-keys']} ${styles['shortcut-own']}` : styles['shortcut-keys']}
          aria-label={texts.change(name, keys ?? texts.none)}
          aria-pressed={recording}
          onClick={() => onRecord(true)}
          onBlur={end}
          onKeyDown={take}
        >
          {recording ? texts.press : <kbd>{keys ?? '–'}</kbd>}
        </button>
        {isChosen && (
          <button
            type="button"
            className={`${ui['chip']} ${styles['no-print']}`}
            aria-label={texts.reset(name)}
            onClick={reset}
          >
            {texts.back}
          </button>
        )}
      </dd>
    </div>
  );
}

import { IconSearch } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import { useAppContext, useView } from '../../app/app-context.ts';
import styles from './palette.module.css';

const texts = {
  placeholder: 'Search commands, or campaigns by name or ID',
} as const;

/** Focuses the field when it is mounted, cursor at the end: a dialog does it later, while the user types. */
const takeFocus = (input: HTMLInputElement | null): void => {
  input?.focus();
  input?.setSelectionRange(input.value.length, input.value.length);
};

interface PaletteInputProps {
  readonly list: { readonly id: string; readonly chosenId: string | undefined } | null;
  /** The number of selected rows, at the end of the field. */
  readonly aside?: string | null;
  readonly onEnter: () => void;
  /** Tab fills in the name of the selected entry. */
  readonly onFill?: () => void;
  /** Called for a question mark in the empty field. */
  readonly onHelp?: () => void;
}

/** The text field of the palette, the same with and without its list: its state is in the store. */
export function PaletteInput({ list, aside = null, onEnter, onFill, onHelp }: PaletteInputProps) {
  const { store } = useAppContext();
  const { text, at } = useView((s) => s.palette);
  const onKeyDown = (event: KeyboardEvent): void => {
    const { chooseInPalette } = store.getState();
    if (event.key === 'ArrowDown') chooseInPalette(at + 1);
    else if (event.key === 'ArrowUp') chooseInPalette(at - 1);
    else if (event.key === 'Enter') onEnter();
    else if (event.key === 'Tab' && !event.shiftKey && onFill !== undefined) onFill();
    else if (event.key === '?' && text === '' && onHelp !== undefined) onHelp();
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles['palette-field']}>
      <IconSearch size={18} stroke={1.5} aria-hidden="true" />
      <input
        className={styles['palette-input']}
        role="combobox"
        ref={takeFocus}
        data-autofocus
        aria-label={texts.placeholder}
        aria-expanded={list !== null}
        aria-controls={list?.id}
        aria-activedescendant={list?.chosenId}
        aria-autocomplete="list"
        placeholder={texts.placeholder}
        value={text}
        onChange={(event) => store.getState().typeInPalette(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {aside !== null && <span className={styles['palette-aside']}>{aside}</span>}
    </div>
  );
}

import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import styles from './components.module.css';
import { useTypedText } from './use-typed-text.ts';

interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** Filters a list by words; Escape clears the text. */
export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  const [text, setText] = useTypedText(value, onChange);
  return (
    <TextInput
      size="xs"
      className={styles['search-box']}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={14} stroke={1.5} aria-hidden="true" />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || text === '') return;
        // Keeps the pane around it open; the next Escape closes it.
        event.preventDefault();
        setText('');
      }}
    />
  );
}

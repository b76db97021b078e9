import { countText, plural } from './numbers.ts';

/** Texts of pasting values that are reckoned with what is there. */
export const enPasteValues = {
  title: 'Paste values as',
  values: 'Values',
  hint: 'Paste here with Ctrl+V, or type: one row a line, columns apart by tabs.',
  as: 'What to do with the values',
  modes: { replace: 'Replace', add: 'Add amount', percent: 'Add percent', multiply: 'Multiply' },
  erase: 'Blank cells erase',
  locked: (n: number) => `${plural(n, 'cell')} cannot be changed.`,
  tooLong: (max: number) => `Up to ${countText(max)} rows can be pasted here. Paste a table (Ctrl+Shift+V) takes more.`,
  label: (n: number) => `Paste ${plural(n, 'value')}`,
} as const;

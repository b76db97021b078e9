import { countText, plural } from './numbers.ts';

/** Texts of pasting values that are reckoned with what is there. */
export const enPasteValues = {
  title: 'Paste special',
  values: 'Values',
  hint: 'Press Ctrl+V to paste, or type: one row per line, columns separated by tabs.',
  as: 'Operation',
  modes: { replace: 'Replace', add: 'Add amount', percent: 'Add percent', multiply: 'Multiply' },
  erase: 'Empty cells clear the value',
  locked: (n: number) => `${plural(n, 'cell')} can't be edited.`,
  tooLong: (max: number) =>
    `You can paste up to ${countText(max)} rows here. For more, use "Paste a table" (Ctrl+Shift+V).`,
  label: (n: number) => `Paste ${plural(n, 'value')}`,
} as const;

import { expect, test } from 'vitest';
import { COMMANDS } from '../../renderer/app/commands.ts';
import { commandFor, type KeyPress } from '../../renderer/app/shortcuts.ts';

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});

test('a modifier alone runs nothing, although some commands have no keys', () => {
  expect(COMMANDS.some(({ shortcut }) => shortcut === null)).toBe(true);
  for (const key of ['Control', 'Shift', 'Alt', 'Meta', 'AltGraph']) {
    expect(commandFor(press(key, { ctrlKey: key === 'Control' }), false, {}), key).toBeUndefined();
  }
});

test('keys run their command, and those the user chose instead of them', () => {
  const k = press('k', { code: 'KeyK', ctrlKey: true });
  expect(commandFor(k, false, {})?.id).toBe('app.palette');
  expect(commandFor(k, false, { 'app.palette': 'Alt+K' })).toBeUndefined();
});

test('no two commands have the same keys', () => {
  const keys = COMMANDS.flatMap(({ shortcut }) => shortcut ?? []);
  expect(new Set(keys).size).toBe(keys.length);
});

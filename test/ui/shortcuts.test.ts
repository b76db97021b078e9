import { expect, test } from 'vitest';
import { COMMANDS } from '../../renderer/app/commands.ts';
import { commandFor, type KeyPress, keysOf, keysProblem, ownerOf, pressed } from '../../renderer/app/shortcuts.ts';
import { createAppStore } from '../../renderer/app/store/app-store.ts';
import { toStored } from '../../renderer/app/store/layout-slice.ts';

const press = (key: string, held: Partial<Record<'ctrlKey' | 'shiftKey' | 'altKey', boolean>> = {}) => ({
  key,
  code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});

test('every shortcut of the table could be chosen by hand as well', () => {
  for (const { id, shortcut } of COMMANDS) {
    if (shortcut !== null) expect([id, keysProblem(shortcut)]).toEqual([id, null]);
  }
});

test('chosen keys run the command, and those of the table no longer do', () => {
  const chosen = { 'sync.plan': 'Ctrl+Shift+Y' };
  expect(commandFor(press('Y', { ctrlKey: true, shiftKey: true }), false, chosen)?.id).toBe('sync.plan');
  expect(commandFor(press('Enter', { ctrlKey: true }), false, chosen)).toBeUndefined();
});

test('the second keys of redo are for another command once it has them', () => {
  const keys = press('Z', { ctrlKey: true, shiftKey: true });
  expect(commandFor(keys, false, {})?.id).toBe('edit.redo');
  expect(commandFor(keys, false, { 'edit.redo': '' })).toBeUndefined();
  expect(commandFor(keys, false, { 'sync.check': 'Ctrl+Shift+Z' })?.id).toBe('sync.check');
});

test('keys that were taken away run nothing, and nobody owns them', () => {
  const chosen = { 'edit.undo': '' };
  expect(commandFor(press('z', { ctrlKey: true }), false, chosen)).toBeUndefined();
  expect(ownerOf('Ctrl+Z', chosen)).toBeUndefined();
  expect(ownerOf('Ctrl+Z', {})?.id).toBe('edit.undo');
});

test.each([
  ['a', 'plain'],
  ['Shift+A', 'plain'],
  ['ArrowDown', 'plain'],
  ['Ctrl+C', 'kept'],
  ['Ctrl+W', 'kept'],
  ['Ctrl+0', 'kept'],
  ['Ctrl+Shift++', 'kept'],
  ['Ctrl+Alt+1', 'kept'],
  ['F2', 'kept'],
  ['Ctrl+Shift+K', null],
  ['Shift+F8', null],
])('%s as a shortcut: %s', (keys, problem) => expect(keysProblem(keys)).toBe(problem));

test('a press of modifiers alone is no shortcut yet', () => {
  expect(pressed(press('Control', { ctrlKey: true }))).toBeNull();
  expect(pressed(press('k', { ctrlKey: true, shiftKey: true }))).toBe('Ctrl+Shift+K');
});

test('what Option types on a Mac goes into the text field, and is a shortcut elsewhere', () => {
  const option = (key: string, code: string, more: Partial<KeyPress> = {}) => ({
    ...press(key, { altKey: true }),
    code,
    ...more,
  });
  for (const typed of [option('@', 'KeyL'), option('Dead', 'KeyE')]) {
    expect(commandFor(typed, true, {}, true)).toBeUndefined();
    expect(commandFor(typed, false, {}, true)).toBeDefined();
  }
  expect(commandFor(option('F', 'KeyF', { metaKey: true }), true, { 'view.filter': 'Ctrl+Alt+F' }, true)).toBeDefined();
  expect(commandFor(option('ArrowDown', 'ArrowDown'), true, { 'view.filter': 'Alt+ArrowDown' }, true)).toBeDefined();
  expect(commandFor(option('l', 'KeyL'), true, {}, false)?.id).toBe('pane.navigation');
});

test('chosen keys go into the preferences and come back from them', () => {
  const first = createAppStore();
  first.getState().chooseKeys({ 'sync.plan': 'F4', 'edit.undo': '' });
  const second = createAppStore();
  second.getState().restoreLayout(toStored(first.getState()));
  expect(second.getState().keys).toEqual({ 'sync.plan': 'F4', 'edit.undo': '' });
  second.getState().resetKeys('edit.undo');
  const undo = COMMANDS.find(({ id }) => id === 'edit.undo');
  expect(undo === undefined ? null : keysOf(undo, second.getState().keys)).toBe('Ctrl+Z');
});

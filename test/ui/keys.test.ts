import { expect, test } from 'vitest';
import { intentOf, type KeyContext } from '../../renderer/grid/keys.ts';

const at = (row: number, col: number, isGroup = false): KeyContext => ({
  active: { row, col },
  isGroup,
  rows: 1000,
  columns: 8,
  page: 20,
});
const press = (key: string, context: KeyContext, held: Partial<Record<'ctrl' | 'shift' | 'alt', boolean>> = {}) =>
  intentOf({ key, ctrl: held.ctrl ?? false, shift: held.shift ?? false, alt: held.alt ?? false }, context);

test('arrows move by one cell and stop at the edges', () => {
  expect(press('ArrowDown', at(3, 2))).toEqual({ do: 'move', to: { row: 4, col: 2 }, extend: false });
  expect(press('ArrowUp', at(0, 2))).toEqual({ do: 'move', to: { row: 0, col: 2 }, extend: false });
  expect(press('ArrowRight', at(3, 7))).toEqual({ do: 'move', to: { row: 3, col: 7 }, extend: false });
});

test('Shift with an arrow extends the selection', () => {
  expect(press('ArrowLeft', at(3, 2), { shift: true })).toEqual({ do: 'move', to: { row: 3, col: 1 }, extend: true });
});

test('Ctrl+Home and Ctrl+End go to the first and the last cell of all rows', () => {
  expect(press('Home', at(500, 5), { ctrl: true })).toMatchObject({ to: { row: 0, col: 0 } });
  expect(press('End', at(5, 1), { ctrl: true })).toMatchObject({ to: { row: 999, col: 7 } });
});

test('Page Down moves by the rows that fit', () => {
  expect(press('PageDown', at(5, 1))).toMatchObject({ to: { row: 25, col: 1 } });
  expect(press('PageUp', at(5, 1))).toMatchObject({ to: { row: 0, col: 1 } });
});

test('typing, F2, Enter and the start of a composition open the editor', () => {
  expect(press('a', at(0, 0))).toEqual({ do: 'edit', typed: true });
  expect(press('€', at(0, 0))).toEqual({ do: 'edit', typed: true });
  expect(press('Process', at(0, 0))).toEqual({ do: 'edit', typed: true });
  expect(press('F2', at(0, 0))).toEqual({ do: 'edit', typed: false });
  expect(press('Enter', at(0, 0))).toEqual({ do: 'edit', typed: false });
});

test('Tab walks a row and leaves the grid at its ends, so that nobody is trapped', () => {
  expect(press('Tab', at(2, 3))).toMatchObject({ do: 'move', to: { row: 2, col: 4 } });
  expect(press('Tab', at(2, 7))).toEqual({ do: 'leave', back: false });
  expect(press('Tab', at(2, 0), { shift: true })).toEqual({ do: 'leave', back: true });
});

test('Tab leaves the grid from the header of a group, which is one cell, in both directions', () => {
  expect(press('Tab', at(0, 3, true))).toEqual({ do: 'leave', back: false });
  expect(press('Tab', at(0, 3, true), { shift: true })).toEqual({ do: 'leave', back: true });
});

test('keys of commands are left to the window', () => {
  expect(press('Enter', at(0, 0), { ctrl: true })).toBeNull();
  expect(press('z', at(0, 0), { ctrl: true })).toBeNull();
  expect(press('F8', at(0, 0))).toBeNull();
  expect(press('n', at(0, 0), { alt: true })).toBeNull();
});

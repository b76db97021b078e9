import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Gallery, PARTS } from './gallery/Gallery.tsx';

const partsIn = (folder: string): readonly string[] =>
  readdirSync(join(import.meta.dirname, '../../renderer', folder))
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => file.slice(0, -'.tsx'.length));

test('every smallest part of the desk is in the gallery', () => {
  const names = PARTS.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([...partsIn('ui')]));
  expect(new Set(names).size).toBe(names.length);
});

test('every state of every part is drawn, and what is broken on purpose says so', () => {
  // React reports the part that throws; nothing else may complain.
  const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
  render(<Gallery />);
  const states = PARTS.flatMap(({ name, states: own }) => Object.keys(own).map((state) => `${name}, ${state}`));
  for (const name of states) expect(screen.getByRole('figure', { name })).toBeTruthy();
  expect(screen.getByRole('figure', { name: 'Boundary, broken' }).textContent).toContain('This window has stopped');
  const others = complaints.mock.calls.filter((call) => !call.some((part) => String(part).includes('on purpose')));
  expect(others).toEqual([]);
  complaints.mockRestore();
});

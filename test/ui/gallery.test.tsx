import { render, screen, waitFor } from '@testing-library/react';
import { beforeAll, expect, test, vi } from 'vitest';
import { AREAS, type Area, WIRING } from './gallery/areas.ts';
import { areaOf, Gallery } from './gallery/Gallery.tsx';
import type { Part } from './gallery/part.ts';
import { drawnIn, isComponent } from './gallery-drawn.ts';

/** Every component that a file of the renderer exports, by its name. */
const components = new Map<string, unknown>();
beforeAll(async () => {
  const files = import.meta.glob<Record<string, unknown>>(['../../renderer/**/*.tsx', '!../../renderer/main.tsx']);
  for (const [path, read] of Object.entries(files)) {
    const file = path.slice(path.lastIndexOf('/') + 1, -'.tsx'.length);
    for (const [name, value] of Object.entries(await read())) {
      if (isComponent(value)) components.set(name === 'default' ? file : name, value);
    }
  }
}, 60_000);

const areas = Object.keys(AREAS).map((name) => areaOf(`#${name}`));
const partsOf = (area: Area): readonly Part[] => AREAS[area];

test('every component of the desk is a part of the gallery, or wiring with a reason', () => {
  expect(components.size, 'the components were found').toBeGreaterThan(100);
  const shown = areas.flatMap((area) => partsOf(area).map(({ name }) => name));
  expect(new Set(shown).size, 'each stands in one place').toBe(shown.length);
  expect([...components.keys()].filter((name) => !shown.includes(name) && !Object.hasOwn(WIRING, name))).toEqual([]);
  expect([...shown, ...Object.keys(WIRING)].filter((name) => !components.has(name))).toEqual([]);
  expect(Object.keys(WIRING).filter((name) => shown.includes(name))).toEqual([]);
});

for (const area of areas) {
  test(`${area}: every part is drawn in its own place, and only what is broken on purpose complains`, async () => {
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
    // Warnings are about the layout that jsdom does not have.
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    render(<Gallery area={area} />);
    for (const { name, states } of partsOf(area)) {
      // A name alone is no proof: the component itself has to be what is drawn under it.
      const place = screen.getByRole('region', { name });
      await waitFor(() => expect(drawnIn(place).has(components.get(name)), `${name} is drawn`).toBe(true));
      for (const state of Object.keys(states)) {
        expect(screen.getByRole('figure', { name: `${name}, ${state}` })).toBeTruthy();
      }
    }
    const said = complaints.mock.calls.map((call) => call.map(String).join(' '));
    vi.restoreAllMocks();
    expect(said.filter((text) => !text.includes('on purpose'))).toEqual([]);
  }, 60_000);
}

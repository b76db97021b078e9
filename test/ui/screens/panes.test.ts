import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test } from 'vitest';
import { focusNextPane } from '../../../renderer/app/pane-focus.ts';
import { aCampaignOfKettles } from '../an-account.ts';
import { openApp } from '../app.tsx';

const f6 = (held: object = {}) =>
  fireEvent.keyDown(document.activeElement ?? window, { key: 'F6', code: 'F6', ...held });
const back = () => f6({ shiftKey: true });
const PANES = [
  'Campaign list',
  'Main toolbar',
  'Rows',
  'Issues, changes, sync and history',
  'Details',
  'Account status',
];

/** Which pane has the focus, by its name. */
const here = () => document.activeElement?.closest('[data-pane]')?.getAttribute('aria-label') ?? null;

async function openKeywords() {
  const { client, workspaceId } = await openApp();
  await aCampaignOfKettles(client(), workspaceId, 40);
  fireEvent.click(screen.getByRole('tab', { name: /^Keywords/ }));
  const grid = await screen.findByRole('treegrid', { name: 'Keywords grid' });
  await within(screen.getByRole('complementary')).findByRole('heading', { level: 2 });
  return grid;
}
async function openFilter() {
  fireEvent.keyDown(window, { key: 'f', code: 'KeyF', ctrlKey: true });
  return screen.findByRole('textbox', { name: 'Filter rows' });
}
const walk = (times: number, go: () => void): readonly (string | null)[] =>
  Array.from({ length: times }, () => {
    go();
    return here();
  });

test('F6 goes through every pane that is open, Shift+F6 the other way, each from what it is for', async () => {
  const grid = await openKeywords();
  const nav = within(screen.getByRole('navigation'));
  f6();
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: /^Keywords/ }));
  back();
  expect(document.activeElement).toBe(nav.getByRole('button', { name: /^All campaigns/ }));
  walk(2, f6);
  expect(document.activeElement).toBe(grid);
  f6();
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: /^Issues/ }));
  back();
  const fromRows = [...PANES.slice(3), ...PANES.slice(0, 3)];
  expect(walk(6, f6)).toEqual(fromRows);
  expect(walk(6, back)).toEqual([...fromRows.slice(0, -1).reverse(), 'Rows']);

  fireEvent.keyDown(window, { key: 'j', code: 'KeyJ', altKey: true });
  await waitFor(() => expect(screen.queryByRole('region', { name: PANES[3] ?? '' })).toBeNull());
  expect(walk(5, f6), 'what is closed is left out').toEqual([PANES[4], PANES[5], PANES[0], PANES[1], PANES[2]]);

  fireEvent.keyDown(window, { key: 'F1', code: 'F1' });
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  f6();
  expect(dialog.contains(document.activeElement), 'the keys of a dialog stay in it').toBe(true);
});

test('a pane is entered where it was left, not at a line that resizes it, and where that is gone, as it begins', async () => {
  const grid = await openKeywords();
  grid.focus();
  const filter = await openFilter();
  filter.focus();
  walk(6, f6);
  expect(document.activeElement, 'from within a text field as well').toBe(filter);

  const button = within(screen.getByRole('navigation')).getByRole('button', { name: /^Media library/ });
  button.focus();
  screen.getByRole('separator', { name: 'Resize: Campaign list' }).focus();
  f6();
  expect(here()).toBe('Main toolbar');
  back();
  expect(document.activeElement).toBe(button);

  grid.focus();
  fireEvent.change(filter, { target: { value: 'no such thing' } });
  await screen.findByText('No rows match the filter');
  expect(grid.isConnected).toBe(false);
  f6();
  back();
  expect(here()).toBe('Rows');
  expect(document.activeElement?.matches('button, input')).toBe(true);
});

test('a pane that has nothing to press can still be read', () => {
  document.body.innerHTML = '<main data-pane><button>A</button></main><aside data-pane>Nothing selected</aside>';
  const panes = focusNextPane(document);
  onTestFinished(() => {
    panes.close();
    document.body.replaceChildren();
  });
  const [main, aside] = document.body.children;
  panes.step(1);
  panes.step(1);
  expect(document.activeElement).toBe(aside);
  panes.step(1);
  expect(document.activeElement).toBe(main?.firstChild);
  expect(aside?.hasAttribute('tabindex')).toBe(false);
});

import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { SAVE_VIEW_BUTTON_ID } from '../../../renderer/app/command-handlers.ts';
import { FIRST_ROWS } from '../../../renderer/app/shared-queries.ts';
import { DETAILS_MAX } from '../../../renderer/app/store/selection-slice.ts';
import type { Client } from '../../../renderer/app/transport/connection.ts';
import { type Answers, after } from '../answering.ts';
import { openApp } from '../app.tsx';
import { page } from '../page.ts';

/** A window that has just started: main has not yet said which accounts there are. */
async function openEarly(areCampaignsRead = true) {
  const told = Promise.withResolvers<void>();
  const main = ({ accounts, workspace }: Client): Answers => ({
    'accounts.list': after(() => told.promise, accounts.list),
    'workspace.openView': after(({ view, window }) => {
      if (!areCampaignsRead && view.kind === 'campaign' && window?.count === FIRST_ROWS) return new Promise(() => {});
      return null;
    }, workspace.openView),
  });
  await openApp({ main, isSlow: true });
  // The window gives itself a name as soon as it hears keys.
  await waitFor(() => expect(document.title).not.toBe(''));
  fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true });
  return { tell: told.resolve };
}
const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: /Search commands/ });
const type = (text: string) => fireEvent.change(field(), { target: { value: text } });
const press = (key: string) => fireEvent.keyDown(field(), { key });

test('right after the start the palette takes keys before there is a list, and Enter runs what they find', async () => {
  const { tell } = await openEarly();
  expect(document.activeElement).toBe(field());
  type('new sba');
  press('Enter');
  tell();
  expect(await screen.findByRole('main', { name: 'New campaign' })).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('combobox', { name: /Search commands/ })).toBeNull());
});

test('a name that was typed whole runs before the campaigns are read', async () => {
  const { tell } = await openEarly(false);
  type('new sba campaign');
  press('Enter');
  tell();
  expect(await screen.findByRole('main', { name: 'New campaign' })).toBeTruthy();
});

test('what was typed and chosen is there with the list, at the end of the text', async () => {
  const { tell } = await openEarly();
  type('new');
  press('ArrowDown');
  tell();
  const list = await screen.findByRole('listbox', { name: 'Commands' });
  expect(field().value).toBe('new');
  expect(document.activeElement).toBe(field());
  expect(field().selectionStart).toBe(3);
  const chosen = () =>
    within(list)
      .getAllByRole('option')
      .map((option) => option.getAttribute('aria-selected') === 'true');
  expect(chosen().indexOf(true)).toBe(1);
  press('ArrowUp');
  await waitFor(() => expect(chosen().at(0)).toBe(true));
  press('ArrowUp');
  await waitFor(() => expect(chosen().at(-1), 'above the first is the last').toBe(true));
});

test('Escape takes an early palette back, and the next one begins empty', async () => {
  const { tell } = await openEarly();
  type('new sba');
  press('Enter');
  press('Escape');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  tell();
  await screen.findAllByText('Practice', { selector: 'button span' });
  expect(screen.queryByRole('dialog')).toBeNull();
  fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true });
  await waitFor(() => expect(field().value).toBe(''));
});

test('where nothing matches an early Enter, nothing runs, neither then nor after other keys', async () => {
  const { tell } = await openEarly();
  type('qqqq zzzz');
  press('Enter');
  tell();
  expect(await screen.findByText('No matching commands or campaigns.')).toBeTruthy();
  type('new sba');
  expect(await screen.findByRole('option', { name: /^New SBA/i })).toBeTruthy();
  expect(screen.queryByRole('main', { name: 'New campaign' })).toBeNull();
});

test('commands are found by other words; a setting is listed with its group, filled in by Tab and opened with the focus; Escape leads back', async () => {
  const { tell } = await openEarly();
  tell();
  await screen.findByRole('listbox', { name: 'Commands' });
  // What a newcomer looks for.
  for (const [words, found] of [
    ['help', /^Keyboard shortcuts/],
    ['upload keywords', /^Import…/],
  ] as const) {
    type(words);
    expect(await screen.findByRole('option', { name: found })).toBeTruthy();
  }

  type('quiet');
  const group = await screen.findByRole('group', { name: 'Settings' });
  expect(within(group).getByRole('option', { name: 'Quiet hours' }).querySelector('b')?.textContent).toBe('Quiet');
  press('Tab');
  await waitFor(() => expect(field().value).toBe('Quiet hours'));
  press('Enter');
  const quiet = await screen.findByRole('switch', { name: 'Quiet hours' });
  await waitFor(() => expect(document.activeElement).toBe(quiet));
  fireEvent.keyDown(quiet, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('heading', { level: 1, name: 'Notifications' })).toBeNull());
  fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true });
  await screen.findByRole('listbox', { name: 'Commands' });
  press('?');
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy();
});

test('a command that cannot run now is listed last with the reason, and Enter leaves the palette open', async () => {
  const app = await openApp();
  await app.openList('Keywords');
  fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true });
  await screen.findByRole('listbox', { name: 'Commands' });
  type('revert rows');
  const option = await screen.findByRole('option', { name: /^Revert rows/ });
  expect(option.getAttribute('aria-disabled')).toBe('true');
  expect(option.textContent).toContain('Open a list with rows first');
  press('Enter');
  expect(screen.getByRole('option', { name: /^Revert rows/ })).toBe(option);
});

test('a command that needs a campaign or a table is found elsewhere too, with what it needs', async () => {
  const app = await openApp();
  await app.openList('Keywords');
  fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true });
  await screen.findByRole('listbox', { name: 'Commands' });
  for (const words of ['matrix', 'keyword matrix', 'multiplier matrix']) {
    type(words);
    const option = await screen.findByRole('option', { name: /^Switch between table and matrix/ });
    expect(option.getAttribute('aria-disabled')).toBe('true');
    expect(option.textContent).toContain('Open keywords or multipliers of a campaign first');
  }
  type('overview');
  press('Enter');
  await waitFor(() => expect(document.getElementById(SAVE_VIEW_BUTTON_ID)).toBeNull());
  fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true });
  await screen.findByRole('listbox', { name: 'Commands' });
  type('save view');
  const option = await screen.findByRole('option', { name: /^Save view/ });
  expect(option.textContent).toContain('Open a table with rows first');
});

test('OR and symbols are words of a name when campaigns beyond the first are searched', async () => {
  const app = await openApp();
  const name = (at: number) => (at === FIRST_ROWS ? 'Pots OR (pans)' : `Pots ${at}`);
  const rows = Array.from({ length: FIRST_ROWS + 1 }, (_, at) => ({
    kind: 'campaign' as const,
    parent: null,
    values: { name: name(at), campaignType: 'sponsoredProducts' },
  }));
  await app.add('New', rows);
  fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true });
  await screen.findByRole('listbox', { name: 'Commands' });
  type('OR (pans)');
  expect(await screen.findByRole('option', { name: /Pots OR \(pans\)/ })).toBeTruthy();
});

test('labels of the selected rows are found by several words, and their field has the focus; the reason is given where they can not be edited', async () => {
  const app = await openApp();
  await app.openList('Campaigns');
  const search = async (words: string) => {
    fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true });
    await screen.findByRole('listbox', { name: 'Commands' });
    type(words);
    return screen.findByRole('option', { name: /^Edit labels/ });
  };
  expect((await search('labels')).textContent).toContain('Open a list with rows first');
  press('Escape');
  const rows = Array.from({ length: DETAILS_MAX + 1 }, (_, at) => ({
    kind: 'campaign' as const,
    parent: null,
    values: { name: `Pots ${at}`, campaignType: 'sponsoredProducts' },
  }));
  await app.add('New', rows);
  await (await app.cell('Pots 0', 'Campaign')).click();
  await page.keyboard.press('Alt+i');
  for (const words of ['label', 'add label', 'tags']) {
    expect((await search(words)).getAttribute('aria-disabled')).toBe('false');
    press('Escape');
  }
  await search('label');
  press('Enter');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('New label')));
  await page.keyboard.type('Spring');
  await page.keyboard.press('Enter');
  expect(await screen.findByRole('button', { name: 'Remove label Spring' })).toBeTruthy();
  await (await app.cell('Pots 0', 'Campaign')).click();
  await page.keyboard.press('Control+a');
  expect((await search('label')).textContent).toContain('Select fewer rows first');
});

import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { App } from '../../renderer/app/App.tsx';
import { createMemoryDesk } from './memory-connection.ts';
import { cellOf } from './memory-rows.ts';

async function openDesk(options: Parameters<typeof createMemoryDesk>[0] = {}) {
  const desk = createMemoryDesk(options);
  render(<App connection={desk.connection} />);
  await screen.findByText('Practice', { selector: '.badge' });
  return desk;
}
const goTo = async (list: string) => {
  const nav = screen.getByRole('navigation');
  fireEvent.click(within(nav).getByRole('button', { name: new RegExp(`^${list}`) }));
  return screen.findByRole('grid', { name: `${list} grid` });
};
const active = () => document.getElementById('grid-active-cell');
const press = (grid: HTMLElement, key: string, held: object = {}) => fireEvent.keyDown(grid, { key, ...held });
const bidOf = (desk: ReturnType<typeof createMemoryDesk>, text: string) => {
  const row = desk.account.rows().find((each) => cellOf(each, 'text') === text);
  return row === undefined ? null : cellOf(row, 'bid');
};

test('a newcomer sees two ways to begin and starts practising with one click', async () => {
  const desk = createMemoryDesk({ accounts: 0 });
  render(<App connection={desk.connection} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Start practising' }));
  expect(await screen.findByRole('grid', { name: 'Campaigns grid' })).toBeTruthy();
});

test('the grid names its active cell and arrow keys move it', async () => {
  await openDesk();
  const grid = await goTo('Keywords');
  await waitFor(() => expect(active()?.textContent).toBe('Kettles 2026'));
  press(grid, 'ArrowRight');
  press(grid, 'ArrowDown');
  expect(active()?.textContent).toBe('kettle 2');
  expect(grid.getAttribute('aria-activedescendant')).toBe('grid-active-cell');
  expect(grid.getAttribute('aria-rowcount')).toBe('41');
});

test('a typed value is checked, written, shown as changed and undone by name', async () => {
  const desk = await openDesk();
  const grid = await goTo('Keywords');
  for (let i = 0; i < 3; i += 1) press(grid, 'ArrowRight');
  press(grid, 'F2');
  const editor = screen.getByRole('textbox', { name: 'New value for Bid' });
  fireEvent.change(editor, { target: { value: 'one' } });
  expect(screen.getByRole('alert').textContent).toContain('is not a number');
  fireEvent.change(editor, { target: { value: '2.345' } });
  fireEvent.keyDown(editor, { key: 'Enter' });
  await waitFor(() => expect(bidOf(desk, 'kettle 1')).toBe(234));
  expect(await screen.findByRole('button', { name: 'Undo: Edit bid' })).toBeTruthy();
  fireEvent.keyDown(window, { key: 'z', code: 'KeyZ', ctrlKey: true });
  await waitFor(() => expect(bidOf(desk, 'kettle 1')).toBe(150));
});

test('Escape leaves the cell as it was', async () => {
  const desk = await openDesk();
  const grid = await goTo('Keywords');
  for (let i = 0; i < 3; i += 1) press(grid, 'ArrowRight');
  press(grid, 'F2');
  const editor = screen.getByRole('textbox', { name: 'New value for Bid' });
  fireEvent.change(editor, { target: { value: '9' } });
  fireEvent.keyDown(editor, { key: 'Escape' });
  expect(screen.queryByRole('textbox', { name: 'New value for Bid' })).toBeNull();
  expect(bidOf(desk, 'kettle 1')).toBe(150);
});

test('a selection is filled down as one step', async () => {
  const desk = await openDesk();
  const grid = await goTo('Keywords');
  for (let i = 0; i < 3; i += 1) press(grid, 'ArrowRight');
  press(grid, 'ArrowDown', { shiftKey: true });
  press(grid, 'ArrowDown', { shiftKey: true });
  press(grid, 'd', { ctrlKey: true });
  await waitFor(() => expect(bidOf(desk, 'kettle 3')).toBe(150));
  expect(desk.account.undoLabel()).toBe('Fill down 2 cells');
});

test('a cell with an error says so to screen readers and sighted users', async () => {
  await openDesk();
  await goTo('Keywords');
  await waitFor(() => expect(document.querySelector('[aria-invalid="true"]')?.textContent).toBe('1.49'));
  expect(document.querySelector('[role="rowheader"]')).toBeTruthy();
  expect(screen.getAllByText('Has an error').length).toBeGreaterThan(0);
});

test('a finding leads to its cell', async () => {
  await openDesk();
  const drawer = screen.getByRole('region', { name: 'Findings, changes, sync and history' });
  const [finding] = await within(drawer).findAllByRole('button', { name: /kettle 4/ });
  if (finding === undefined) throw new Error('no finding');
  fireEvent.click(finding);
  await screen.findByRole('grid', { name: 'Keywords grid' });
  await waitFor(() => expect(active()?.textContent).toBe('1.49'));
});

test('all of a kind is mended in the open campaign alone, or in all of them, and the choice of kinds is remembered', async () => {
  const desk = await openDesk();
  const hoses = desk.account.rows().find((row) => cellOf(row, 'name') === 'Garden hoses group');
  if (hoses === undefined) throw new Error('no group');
  const values = { text: 'hose', matchType: 'exact', bid: 20, state: 'enabled' };
  desk.account.create('A hose', [{ kind: 'keyword', parent: { id: hoses.id }, values }]);
  const drawer = screen.getByRole('region', { name: 'Findings, changes, sync and history' });
  fireEvent.click(within(drawer).getByRole('button', { name: 'By kind' }));
  await waitFor(() => expect(desk.preferences().layout['findings.by']).toBe('rule'));
  await within(drawer).findByRole('button', { name: 'Fix all 7' });

  fireEvent.click(within(screen.getByRole('navigation')).getByRole('button', { name: /^Garden hoses/ }));
  fireEvent.click(await within(drawer).findByRole('button', { name: 'This campaign' }));
  fireEvent.click(await within(drawer).findByRole('button', { name: 'Fix it' }));
  await waitFor(() => expect([bidOf(desk, 'hose'), bidOf(desk, 'kettle 4')]).toEqual([150, 149]));
  fireEvent.click(within(drawer).getByRole('button', { name: 'All campaigns' }));
  fireEvent.click(await within(drawer).findByRole('button', { name: 'Fix all 6' }));
  await waitFor(() => expect(bidOf(desk, 'kettle 4')).toBe(150));
});

test('quick chips narrow the rows and the filter box says when nothing is left', async () => {
  await openDesk();
  const grid = await goTo('Keywords');
  fireEvent.click(screen.getByRole('button', { name: /^Errors/ }));
  await waitFor(() => expect(grid.getAttribute('aria-rowcount')).toBe('7'));
  fireEvent.change(screen.getByRole('textbox', { name: 'Filter rows' }), { target: { value: 'no such thing' } });
  expect(await screen.findByText('Nothing matches the filter')).toBeTruthy();
});

test('the palette finds a command by its words and runs it', async () => {
  await openDesk();
  fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true });
  // A text field stands in until the list has come, and is replaced then.
  await screen.findByRole('listbox', { name: 'Commands' });
  const box = screen.getByRole('combobox', { name: /Type a command/ });
  fireEvent.change(box, { target: { value: 'new sba' } });
  fireEvent.keyDown(box, { key: 'Enter' });
  expect(await screen.findByRole('dialog', { name: 'New campaign' })).toBeTruthy();
});

test('a dialog gives the keys back to the rows, and a list that is chosen by its name has them', async () => {
  await openDesk();
  const grid = await goTo('Keywords');
  grid.focus();
  fireEvent.keyDown(window, { key: 'F1', code: 'F1' });
  const keys = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  await waitFor(() => expect(keys.contains(document.activeElement)).toBe(true));
  fireEvent.keyDown(keys, { key: 'Escape' });
  await waitFor(() => expect(document.activeElement).toBe(grid));
  fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true });
  const box = await screen.findByRole('combobox', { name: /Type a command/ });
  fireEvent.change(box, { target: { value: 'campaigns' } });
  fireEvent.keyDown(box, { key: 'Enter' });
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Campaigns grid'));
});

test('the palette lists every command before anything is typed', async () => {
  await openDesk();
  fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true });
  await screen.findByRole('combobox', { name: /Type a command/ });
  const listed = screen.getAllByRole('option').map((option) => option.querySelector('.nav-name')?.textContent);
  for (const name of ['Sync…', 'About Adslate…', 'Show or hide the lower panel']) expect(listed).toContain(name);
});

test('a new campaign is created as one step with its ad group and keywords', async () => {
  const desk = await openDesk();
  fireEvent.keyDown(window, { key: 'M', code: 'KeyM', altKey: true, shiftKey: true });
  const dialog = within(await screen.findByRole('dialog', { name: 'New campaign' }));
  fireEvent.change(dialog.getByLabelText(/Campaign name/), { target: { value: 'Teapots' } });
  fireEvent.change(dialog.getByLabelText(/Keywords, one per line/), { target: { value: 'teapot\nblue teapot' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Create campaign' }));
  await waitFor(() => expect(desk.account.undoLabel()).toBe('New campaign Teapots'));
  expect(desk.account.rows().filter((row) => String(cellOf(row, 'text')).includes('teapot'))).toHaveLength(2);
});

test('the layout is remembered', async () => {
  const desk = await openDesk();
  fireEvent.keyDown(window, { key: 'j', code: 'KeyJ', altKey: true });
  await waitFor(() => expect(desk.preferences().layout['hidden.drawer']).toBe(true));
});

test('About says that a newer version is out, and leads to where it can be had', async () => {
  const desk = await openDesk();
  expect(desk).toBeDefined();
  fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true });
  fireEvent.change(await screen.findByRole('combobox', { name: /command/i }), { target: { value: 'About Adslate' } });
  fireEvent.click(await screen.findByRole('option', { name: /About Adslate/ }));
  const about = await screen.findByRole('dialog', { name: 'About Adslate' });
  expect(await within(about).findByText(/Adslate 9\.0\.0 is out/)).toBeTruthy();
  const link = within(about).getByRole('link', { name: /What is new/ });
  expect(link.getAttribute('href')).toBe('https://adslate.example/');
});

test('the details come for a selection that goes on beyond what was ever on screen', async () => {
  await openDesk({ keywords: 1_500 });
  const grid = await goTo('Keywords');
  press(grid, 'a', { ctrlKey: true });
  const details = within(screen.getByRole('complementary'));
  expect(await details.findByRole('heading', { name: '1,500 rows selected' })).toBeTruthy();
  expect(details.getByLabelText('Bid')).toBeTruthy();
});

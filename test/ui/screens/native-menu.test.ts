import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../../renderer/app/commands.ts';
import { WindowMenu } from '../../../shared/api/app.ts';
import { openApp, step } from '../app.tsx';

/** A window as the desktop app opens it: what it hands the system's menu, and what it does with a choice made there. */
async function openDesktopWindow() {
  const menus: WindowMenu[] = [];
  let choose: (id: string) => void = () => {};
  let percent = 100;
  const place = {
    account: null,
    isPlain: false,
    showing: () => {},
    showMenu: (menu: WindowMenu) => void menus.push(WindowMenu.parse(menu)),
    onCommand: (listener: (id: string) => void) => {
      choose = listener;
      return () => {};
    },
    zoom: {
      percent: () => percent,
      set: (to: number) => {
        percent = to;
      },
    },
  };
  await openApp({ connection: (usual) => ({ ...usual, place }) });
  const commands = () => menus.at(-1)?.sections.flatMap(({ groups }) => groups.flat()) ?? [];
  const offered = (id: string): boolean | undefined => commands().find((command) => command.id === id)?.enabled;
  return { commands, offered, choose: (id: string) => choose(id), percent: () => percent };
}

test('the menu of the system has every command, runs those that can, and the window is drawn larger and smaller', async () => {
  const { commands, offered, choose, percent } = await openDesktopWindow();

  await step('every command of the table stands in the menu once, with its keys', async () => {
    expect(
      commands()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(COMMANDS.map(({ id }) => id).sort());
    const keys = new Map(commands().map((command) => [command.id, command.keys]));
    expect([keys.get('sync.plan'), keys.get('cells.edit'), keys.get('theme.dark')]).toEqual(['Ctrl+Enter', 'F2', null]);
  });

  await step('the View menu draws the window larger and smaller, a step at a time', async () => {
    fireEvent.click(await screen.findByRole('button', { name: 'View' }));
    const size = within(await screen.findByRole('group', { name: 'Size' }));
    for (const [name, shown] of [
      ['Zoom in', 110],
      ['Zoom in', 125],
      ['Zoom out', 110],
    ] as const) {
      fireEvent.click(size.getByRole('button', { name }));
      await size.findByText(`${shown}%`);
      expect(percent()).toBe(shown);
    }

    fireEvent.keyDown(document.activeElement ?? window, { key: 'Escape' });
  });

  await step('a command that cannot run is grey and does nothing, one that can does', async () => {
    await waitFor(() => expect(offered('sync.plan')).toBe(true));
    choose('no.such-command');
    choose('help.shortcuts');
    // The dialog's code is fetched when it is first opened.
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy();
    await waitFor(() => expect(offered('sync.plan')).toBe(false));
    choose('sync.plan');
    expect(screen.queryByRole('main', { name: 'Sync plan' })).toBeNull();
  });
});

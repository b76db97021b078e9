import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, test } from 'vitest';
import { createRecentFiles, type MenuPorts, menuTemplate } from '../../main/hosts/electron/menu-template.ts';
import { JUMP_LIST, setJumpList, taskFromArguments, taskWord } from '../../main/hosts/electron/open-requests.ts';
import { WindowMenu } from '../../shared/api/app.ts';
import { testFolder } from '../folder.ts';

/** What the desktop app hangs into the system: menus, the list of recent files, the tasks of its symbol. */
const MENU: WindowMenu = {
  sections: [
    {
      place: 'file',
      title: 'Datei',
      groups: [[{ id: 'sheet.import', title: 'Import…', keys: 'Ctrl+O', enabled: true }]],
    },
    {
      place: 'view',
      title: 'Ansicht',
      groups: [
        [{ id: 'column.wider', title: 'Wider', keys: 'Alt+Shift+ArrowRight', enabled: false }],
        [{ id: 'pane.drawer', title: 'Drawer', keys: 'Alt+ä', enabled: true }],
      ],
    },
    {
      place: 'sync',
      title: 'Sync',
      groups: [[{ id: 'sync.plan', title: 'Sync…', keys: 'Ctrl+Enter', enabled: true }]],
    },
  ],
};

type Entry = MenuItemConstructorOptions;
const inside = (entry: Entry | undefined): readonly Entry[] => (Array.isArray(entry?.submenu) ? entry.submenu : []);
const all = (entries: readonly Entry[]): readonly Entry[] => entries.flatMap((entry) => [entry, ...all(inside(entry))]);

function drawn(changes: Partial<MenuPorts> = {}) {
  const done: string[] = [];
  const note = (what: string) => () => void done.push(what);
  const ports: MenuPorts = {
    isMac: false,
    isPackaged: true,
    menu: MENU,
    recent: [{ path: '/a/spring.adslate', name: 'spring.adslate' }],
    newWindow: note('new window'),
    clearRecent: note('cleared'),
    openRecent: (path) => void done.push(path),
    run: (id) => void done.push(id),
    ...changes,
  };
  const entries = menuTemplate(ports);
  const click = (label: string): void =>
    Reflect.apply(all(entries).find((entry) => entry.label === label)?.click ?? (() => {}), null, []);
  return { entries, done, click, titles: entries.map(({ label, role }) => label ?? role) };
}

describe('the system menu', () => {
  test('has the commands of the window under the titles the window gives', () => {
    expect(drawn().titles).toEqual(['Datei', 'Edit', 'Ansicht', 'Sync', 'windowMenu', 'help']);
    expect(drawn({ isMac: true }).titles[0]).toBe('appMenu');
    expect(drawn({ menu: null }).titles).toEqual(['File', 'Edit', 'View', 'windowMenu', 'help']);
  });

  test('shows keys and takes none, and leaves out those the system has no word for', () => {
    const byId = new Map(all(drawn().entries).map((entry) => [entry.id, entry]));
    expect(byId.get('column.wider')).toMatchObject({
      accelerator: 'Alt+Shift+Right',
      registerAccelerator: false,
      enabled: false,
    });
    expect(byId.get('sync.plan')).toMatchObject({ accelerator: 'CmdOrCtrl+Enter', registerAccelerator: false });
    expect(byId.get('pane.drawer')).not.toHaveProperty('accelerator');
  });

  test('has what belongs to the system as well: clipboard, zoom, full screen, and tools for developers only', () => {
    const roles = (ports: Partial<MenuPorts>) => all(drawn(ports).entries).flatMap(({ role }) => role ?? []);
    expect(roles({})).toEqual(
      expect.arrayContaining(['cut', 'copy', 'paste', 'selectAll', 'zoomIn', 'togglefullscreen', 'quit', 'about']),
    );
    expect(roles({})).not.toContain('toggleDevTools');
    expect(roles({ isPackaged: false })).toContain('toggleDevTools');
    expect(roles({ isMac: true })).toEqual(
      expect.arrayContaining(['close', 'recentDocuments', 'clearRecentDocuments']),
    );
  });

  test('zooms with = and with the number pad as well, in entries that are not shown', () => {
    const zoom = all(drawn().entries).filter(({ role }) => /zoom/i.test(role ?? ''));
    expect(zoom.filter(({ visible }) => visible !== false)).toEqual([
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
    ]);
    const hidden = zoom.filter(({ visible }) => visible === false);
    expect(hidden.map(({ role, accelerator }) => `${role} ${accelerator}`)).toEqual([
      'resetZoom CmdOrCtrl+num0',
      'zoomIn CmdOrCtrl+=',
      'zoomIn CmdOrCtrl+numadd',
      'zoomOut CmdOrCtrl+numsub',
    ]);
  });

  test('no line stands at the end of a menu or beside another', () => {
    for (const entry of all(drawn().entries)) {
      const types = inside(entry).map(({ type }) => type ?? 'entry');
      expect(types.join(' ')).not.toMatch(/separator separator|separator$/);
    }
  });

  test('a choice is told by its id, a recent file by its path', () => {
    const { done, click } = drawn();
    for (const label of ['Sync…', 'spring.adslate', 'Clear Menu', 'New Window']) click(label);
    expect(done).toEqual(['sync.plan', '/a/spring.adslate', 'cleared', 'new window']);
  });

  test.each([
    { sections: 'none' },
    { sections: [{ place: 'elsewhere', title: '', groups: [] }] },
    { sections: [{ place: 'file', title: 'x'.repeat(61), groups: [] }] },
    {
      sections: [{ place: 'file', title: '', groups: [[{ id: 'app.quit()', title: '', keys: null, enabled: true }]] }],
    },
    { sections: [], click: 'more' },
  ])('%j of a page is none', (menu) => expect(WindowMenu.safeParse(menu).success).toBe(false));
});

describe('recent files', () => {
  const dataDir = testFolder('recent');
  const names = (): readonly string[] =>
    createRecentFiles(dataDir, () => {})
      .list()
      .map(({ name }) => name);

  test('are kept over a restart: the newest first, each once, ten of them, for their owner alone', () => {
    const recent = createRecentFiles(dataDir, () => {});
    for (let at = 0; at < 12; at += 1) recent.add(`/a/${at}.adslate`);
    recent.add('/a/5.adslate');
    expect(names()).toEqual(['5', '11', '10', '9', '8', '7', '6', '4', '3', '2'].map((at) => `${at}.adslate`));
    if (process.platform !== 'win32') expect(statSync(join(dataDir, 'recent.json')).mode & 0o077).toBe(0);
    recent.clear();
    expect(names()).toEqual([]);
  });

  test('on a disk that takes nothing more are still there until the end, and the log says so', () => {
    const logged: string[] = [];
    const recent = createRecentFiles(
      join(dataDir, 'taken away'),
      (event, { code } = {}) => void logged.push(`${event} ${code}`),
    );
    recent.add('/a/plan.adslate');
    expect(recent.list()).toEqual([{ path: '/a/plan.adslate', name: 'plan.adslate' }]);
    expect(logged).toEqual(['convenience not kept ENOENT']);
  });

  test.each(['', '{', '[1]', '["/etc/passwd"]', `["${'x'.repeat(40_000)}.adslate"]`])(
    'a file of %s counts as none',
    (text) => {
      writeFileSync(join(dataDir, 'recent.json'), text);
      expect(names()).toEqual([]);
    },
  );

  test('that cannot be read, such as a folder in their place, end no start, and the log says so', () => {
    const taken = join(dataDir, 'taken');
    mkdirSync(join(taken, 'recent.json'), { recursive: true });
    const logged: string[] = [];
    const recent = createRecentFiles(taken, (event, { code } = {}) => void logged.push(`${event} ${code}`));
    expect(recent.list()).toEqual([]);
    expect(logged).toEqual(['convenience not read EISDIR']);
  });
});

describe('tasks of the symbol', () => {
  const ids = Object.keys(JUMP_LIST);

  test('are read from the last word of a start, and are one of the list', () => {
    expect(taskFromArguments(['adslate', taskWord('sync.plan')])).toBe('sync.plan');
    for (const words of [
      [],
      ['--task=sync.plan', 'more'],
      ['--task='],
      ['--task=sync.run'],
      ['--task=toString'],
      ['task=sync.plan'],
    ]) {
      expect(taskFromArguments(words), words.join(' ')).toBeNull();
    }
  });

  test('stand in the jump list of Windows and the dock of a Mac, and nowhere else', () => {
    const ran: string[] = [];
    const shownOn = (platform: NodeJS.Platform) => {
      const jump: { readonly program: string; readonly arguments: string }[] = [];
      const dock: { readonly label: string; readonly click: () => void }[] = [];
      const ports = {
        platform,
        setUserTasks: (tasks: typeof jump) => void jump.push(...tasks),
        setDockMenu: (entries: typeof dock) => void dock.push(...entries),
        run: (id: string) => void ran.push(id),
      };
      setJumpList(
        {
          ...ports,
          setUserTasks: (tasks) => ports.setUserTasks([...tasks]),
          setDockMenu: (entries) => ports.setDockMenu([...entries]),
        },
        'adslate.exe',
      );
      return { jump, dock };
    };
    expect(shownOn('win32').jump.map((task) => taskFromArguments([task.program, task.arguments]))).toEqual(ids);
    for (const { click } of shownOn('darwin').dock) click();
    expect(ran).toEqual(ids);
    expect(shownOn('linux')).toEqual({ jump: [], dock: [] });
  });
});

import { basename } from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import { z } from 'zod';
import type { WindowMenu } from '../../../shared/api/app.ts';
import type { Log } from '../../app/log.ts';
import { isAdslateFile } from './open-requests.ts';
import { createUiStateFile } from './ui-state-file.ts';

/**
 * The system's menu as a plain list: the commands of the window in front, and the system's own entries.
 *
 *   no window has sent its menu yet --> the system's entries only
 */
export interface MenuPorts {
  readonly isMac: boolean;
  readonly isPackaged: boolean;
  /** The menu of the window in front; null before it was sent. */
  readonly menu: WindowMenu | null;
  /** Recently opened files, newest first; macOS keeps such a list itself. */
  readonly recent: readonly RecentFile[];
  readonly newWindow: () => void;
  readonly openRecent: (path: string) => void;
  readonly clearRecent: () => void;
  readonly run: (id: string) => void;
}

interface RecentFile {
  readonly path: string;
  readonly name: string;
}

type Place = WindowMenu['sections'][number]['place'];
type Entry = MenuItemConstructorOptions;
const LINE: Entry = { type: 'separator' };

/**
 * Zoom keys that Electron lacks: its own key for zooming in needs Shift where = and + share a key, and none is on the
 * number pad. An entry has one key, so each further key has a hidden entry.
 */
const ZOOM = [
  ['resetZoom', 'CmdOrCtrl+num0'],
  ['zoomIn', 'CmdOrCtrl+=', 'CmdOrCtrl+numadd'],
  ['zoomOut', 'CmdOrCtrl+numsub'],
] as const;

const FALLBACK: Readonly<Record<'file' | 'edit' | 'view', string>> = { file: 'File', edit: 'Edit', view: 'View' };

export function menuTemplate(ports: MenuPorts): Entry[] {
  const { isMac, isPackaged, menu } = ports;
  const section = (place: Place): WindowMenu['sections'][number] | undefined =>
    menu?.sections.find((candidate) => candidate.place === place);
  const commands = (place: Place): Entry[] =>
    (section(place)?.groups ?? []).flatMap((group) => [
      ...group.map(
        ({ id, title, keys, enabled }): Entry => ({
          id,
          label: title,
          enabled,
          ...shown(keys),
          click: () => ports.run(id),
        }),
      ),
      LINE,
    ]);
  const title = (place: 'file' | 'edit' | 'view'): string => section(place)?.title ?? FALLBACK[place];
  const own = (place: Place): Entry[] => {
    const found = section(place);
    return found === undefined ? [] : [{ label: found.title, submenu: withoutLastLine(commands(place)) }];
  };

  const file: Entry[] = [
    { label: 'New Window', accelerator: 'CmdOrCtrl+Shift+N', click: ports.newWindow },
    recentMenu(ports),
    LINE,
    ...commands('file'),
    isMac ? { role: 'close' } : { role: 'quit' },
  ];
  const edit: Entry[] = [
    ...(['cut', 'copy', 'paste', 'selectAll'] as const).map((role): Entry => ({ role })),
    LINE,
    ...commands('edit'),
  ];
  const view: Entry[] = [
    ...commands('view'),
    ...ZOOM.flatMap(([role, ...more]): Entry[] => [
      { role },
      ...more.map((accelerator): Entry => ({ role, accelerator, visible: false })),
    ]),
    LINE,
    { role: 'togglefullscreen' },
    ...(isPackaged ? [] : [{ role: 'toggleDevTools' } as const]),
  ];
  const help: Entry[] = [...withoutLastLine(commands('help')), ...(isMac ? [] : [{ role: 'about' } as const])];
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    { label: title('file'), submenu: file },
    { label: title('edit'), submenu: withoutLastLine(edit) },
    { label: title('view'), submenu: view },
    ...own('campaign'),
    ...own('sync'),
    { role: 'windowMenu' },
    { role: 'help', submenu: help },
  ];
}

function recentMenu({ isMac, recent, openRecent, clearRecent }: MenuPorts): Entry {
  if (isMac) return { role: 'recentDocuments', submenu: [{ role: 'clearRecentDocuments' }] };
  return {
    label: 'Open Recent',
    enabled: recent.length > 0,
    submenu: [
      ...recent.map(({ path, name }): Entry => ({ label: name, toolTip: path, click: () => openRecent(path) })),
      LINE,
      { label: 'Clear Menu', click: clearRecent },
    ],
  };
}

const withoutLastLine = (entries: Entry[]): Entry[] =>
  entries.at(-1)?.type === 'separator' ? entries.slice(0, -1) : entries;

const KEYS =
  /^(?:(?:Ctrl|Alt|Shift)\+)*(?:F\d{1,2}|[A-Z0-9]|[,./;'[\]\\=`-]|Enter|Delete|PageUp|PageDown|Home|End|Arrow(?:Up|Down|Left|Right))$/;

/**
 * The keys in Electron's notation, displayed but not registered: the page handles its keys itself, so that a text
 * field being edited keeps its own keys. Keys without a name in Electron are omitted.
 */
function shown(keys: string | null): Pick<Entry, 'accelerator' | 'registerAccelerator'> {
  if (keys === null || !KEYS.test(keys)) return {};
  return { accelerator: keys.replace('Ctrl+', 'CmdOrCtrl+').replace('Arrow', ''), registerAccelerator: false };
}

/**
 * Recently opened archives and change files, newest first, for the menu of systems without such a list. Stored in
 * `recent.json` of the data folder, readable by its owner only.
 */
const KEPT = 10;
const Paths = z.array(z.string().min(1).max(32_767)).max(KEPT);

export function createRecentFiles(dataDir: string, log: Log) {
  const file = createUiStateFile(dataDir, 'recent.json', Paths, log);
  let paths: readonly string[] = (file.read() ?? []).filter(isAdslateFile);
  const keep = (next: readonly string[]): void => {
    paths = next;
    file.write([...next]);
  };
  return {
    list: (): readonly RecentFile[] => paths.map((path) => ({ path, name: basename(path) })),
    add: (path: string): void => keep([path, ...paths.filter((known) => known !== path)].slice(0, KEPT)),
    clear: (): void => keep([]),
  };
}

import { basename, resolve } from 'node:path';
import type { Task } from 'electron';
import type { AppEvent } from '../../../shared/api/app.ts';
import { type DeepLink, readDeepLink } from '../../../shared/model/deep-link.ts';
import { asWorkspaceId } from '../../../shared/model/scalars.ts';
import type { FileGrants } from '../../app/host-ports.ts';
import type { Log } from '../../app/log.ts';

/**
 * A request from outside: a link, a file that was opened in the system, or a second start. It can only show
 * something, in the window it belongs to. A start without link and file brings the last window to the front.
 *
 *   arguments / URL / path --read--> link --> window of its account --> `open.row`
 *                                    file --> a grant --> window in front --> `open.file` (a preview of the import)
 *                                    task --> window in front --> one of its forms
 *                                    none --> window in front
 */
export type OpenRequest =
  | { readonly kind: 'link'; readonly link: DeepLink }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'task'; readonly task: TaskId }
  | { readonly kind: 'nothing' };

export interface ArrivalPorts {
  readonly windows: { show(workspaceId: string | null): Promise<number> };
  /** The account of a link: the one with its ID here, or one of the same advertiser; null for none. */
  readonly accountOf: (link: DeepLink) => Promise<string | null>;
  readonly grants: Pick<FileGrants, 'grantPath'>;
  /** Sends an event to one page, which may still be loading. */
  readonly tell: (event: AppEvent, page: number) => void;
  /** Has a page open the form of a task. */
  readonly begin: (task: TaskId, page: number) => void;
  /** Adds a file to the system's recent files. */
  readonly remember: (path: string) => void;
  readonly unreadable: (fileName: string) => Promise<void>;
  readonly log: Log;
}

/** The request in the arguments of a start. Anyone can write them, so only the last argument is read. */
export function fromArguments(words: readonly string[], folder: string): OpenRequest {
  const link = linkInWords(words);
  if (link !== null) return { kind: 'link', link };
  const task = taskFromArguments(words);
  if (task !== null) return { kind: 'task', task };
  const path = fileFromArguments(words, folder);
  return path === null ? { kind: 'nothing' } : { kind: 'file', path };
}

export async function handleOpenRequest(arrival: OpenRequest, ports: ArrivalPorts): Promise<void> {
  const account = arrival.kind === 'link' ? await ports.accountOf(arrival.link) : null;
  if (arrival.kind === 'link' && account !== null) {
    const page = await ports.windows.show(account);
    ports.log('link followed', { operation: arrival.link.kind });
    ports.tell({ type: 'open.row', ...arrival.link, workspaceId: asWorkspaceId(account) }, page);
    return;
  }
  const page = await ports.windows.show(null);
  if (arrival.kind === 'task') ports.begin(arrival.task, page);
  if (arrival.kind !== 'file') return;
  const granted = await ports.grants.grantPath(arrival.path);
  if (!granted.ok) {
    ports.log('file refused', { reason: granted.error.data.reason });
    await ports.unreadable(basename(arrival.path));
    return;
  }
  const { grant, fileName, bytes } = granted.value;
  ports.remember(arrival.path);
  ports.log('file opened');
  ports.tell({ type: 'open.file', grant, fileName, bytes }, page);
}

interface Preventable {
  preventDefault(): void;
}

/** The events of Electron's `app` about requests. */
interface ArrivalEvents {
  on(event: 'second-instance', listener: (event: unknown, words: string[], folder: string) => void): unknown;
  on(event: 'open-url', listener: (event: Preventable, address: string) => void): unknown;
  on(event: 'open-file', listener: (event: Preventable, path: string) => void): unknown;
  on(event: 'activate', listener: () => void): unknown;
}

/**
 * Listens from the start: macOS emits the first request before any window exists.
 *
 * @returns sets the handler; it first gets the requests that came before
 */
export function listenForOpenRequests(app: ArrivalEvents): (tell: (arrival: OpenRequest) => void) => void {
  let waiting: readonly OpenRequest[] = [];
  let tell = (arrival: OpenRequest): void => {
    waiting = [...waiting, arrival];
  };
  app.on('second-instance', (_event, words, folder) => tell(fromArguments(words, folder)));
  app.on('open-url', (event, address) => {
    event.preventDefault();
    const link = readDeepLink(address);
    tell(link === null ? { kind: 'nothing' } : { kind: 'link', link });
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    tell(isAdslateFile(path) ? { kind: 'file', path } : { kind: 'nothing' });
  });
  app.on('activate', () => tell({ kind: 'nothing' }));
  return (next) => {
    tell = next;
    for (const arrival of waiting) next(arrival);
    waiting = [];
  };
}

/**
 * The link among the arguments of a second start. Only the last argument counts: the system puts a link there, and
 * arguments before it may be switches that were smuggled into the link.
 */
export const linkInWords = (words: readonly string[]): DeepLink | null => readDeepLink(words.at(-1) ?? '');

/**
 * Files that the system passes on a double click: archives and change files, and no others. Anyone may have written
 * the file or the arguments, so opening one only shows a preview of the import.
 */
const OPENED = /[^/\\]\.(adslate|adslate-changes)$/i;

/** Longest path of the systems we run on. */
const PATH_MAX = 32_767;

/**
 * The file in the arguments of a start, as an absolute path. Only the last argument is read, as with links; one that
 * looks like a switch or a URL is ignored.
 *
 * @param folder working folder of the start
 */
export function fileFromArguments(words: readonly string[], folder: string): string | null {
  const word = words.at(-1) ?? '';
  if (word.length > PATH_MAX || word.includes('\0') || /^(-|[a-z][a-z0-9+.-]+:)/i.test(word)) return null;
  return OPENED.test(word) ? resolve(folder, word) : null;
}

/** Whether a path named by the system (macOS) is a file of ours. */
export const isAdslateFile = (path: string): boolean => !path.includes('\0') && OPENED.test(path);

/**
 * Entries of the menu of the app icon: the jump list of Windows, the dock of macOS. Each opens a form or a list in
 * the window; none writes or sends anything.
 */
export const JUMP_LIST = {
  'campaign.new-video': 'New video campaign',
  'campaign.new-sba': 'New SBA campaign',
  'campaign.new-auto': 'New automatic campaign',
  'campaign.new-manual': 'New manual campaign',
  'sync.plan': 'Open sync plan',
} as const;
type TaskId = keyof typeof JUMP_LIST;

const isTask = (id: string): id is TaskId => Object.hasOwn(JUMP_LIST, id);
const SWITCH = '--task=';

export const taskWord = (id: TaskId): string => `${SWITCH}${id}`;

/** The task in the arguments of a start: only the last argument is read, and it must be a known task. */
export function taskFromArguments(words: readonly string[]): TaskId | null {
  const word = words.at(-1) ?? '';
  const id = word.startsWith(SWITCH) ? word.slice(SWITCH.length) : '';
  return isTask(id) ? id : null;
}

/** The parts of Electron that show tasks. */
interface TaskPorts {
  readonly platform: NodeJS.Platform;
  readonly setUserTasks: (tasks: readonly Task[]) => unknown;
  readonly setDockMenu: (entries: readonly { readonly label: string; readonly click: () => void }[]) => void;
  /** Runs a task clicked in the dock; elsewhere the program is started again with the task as an argument. */
  readonly run: (id: TaskId) => void;
}

/** No effect on Linux: there such entries belong to the package, which does not know where it will be installed. */
export function setJumpList(ports: TaskPorts, program: string): void {
  const ids = Object.keys(JUMP_LIST).filter(isTask);
  if (ports.platform === 'win32') {
    ports.setUserTasks(
      ids.map((id) => {
        const title = JUMP_LIST[id];
        return { program, arguments: taskWord(id), title, description: title, iconPath: program, iconIndex: 0 };
      }),
    );
  }
  if (ports.platform === 'darwin')
    ports.setDockMenu(ids.map((id) => ({ label: JUMP_LIST[id], click: () => ports.run(id) })));
}

import { basename } from 'node:path';
import type { AppEvent } from '../../../shared/contract/app.ts';
import { asWorkspaceId } from '../../../shared/model/scalars.ts';
import type { FileGrants } from '../../core-types.ts';
import type { Log } from '../../log.ts';
import { type DeepLink, linkInWords, readDeepLink } from './deep-link.ts';
import { fileInWords, isOpenedFile } from './opened-file.ts';
import { type TaskId, taskInWords } from './tasks.ts';

/**
 * What comes from outside: a link, a file that was double-clicked, a second start. Each of them can only show something,
 * in the window it belongs to; a start that says neither brings the last window to the front.
 *
 *   words / address / path --read--> link --> window of its account --> `open.row`
 *                                    file --> a grant --> window in front --> `open.file` (a preview of the import)
 *                                    task --> window in front --> one of its forms
 *                                    neither --> window in front
 */
export type Arrival =
  | { readonly kind: 'link'; readonly link: DeepLink }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'task'; readonly task: TaskId }
  | { readonly kind: 'nothing' };

export interface ArrivalPorts {
  readonly windows: { show(workspaceId: string | null): Promise<number> };
  /** Whether there is an account of this id. */
  readonly knows: (workspaceId: string) => Promise<boolean>;
  readonly grants: Pick<FileGrants, 'grantPath'>;
  /** Tells an event to one page, which may still be loading. */
  readonly tell: (event: AppEvent, page: number) => void;
  /** Has a page open the form of a task. */
  readonly begin: (task: TaskId, page: number) => void;
  /** Puts a file among those that the system offers again. */
  readonly remember: (path: string) => void;
  readonly unreadable: (fileName: string) => Promise<void>;
  readonly log: Log;
}

/** What the words of a start ask for: they were written by anybody, so one at their end counts and all else is not read. */
export function inWords(words: readonly string[], folder: string): Arrival {
  const link = linkInWords(words);
  if (link !== null) return { kind: 'link', link };
  const task = taskInWords(words);
  if (task !== null) return { kind: 'task', task };
  const path = fileInWords(words, folder);
  return path === null ? { kind: 'nothing' } : { kind: 'file', path };
}

export async function receive(arrival: Arrival, ports: ArrivalPorts): Promise<void> {
  if (arrival.kind === 'link' && (await ports.knows(arrival.link.workspaceId))) {
    const { workspaceId, kind, id } = arrival.link;
    const page = await ports.windows.show(workspaceId);
    ports.log('link followed', { operation: kind });
    ports.tell({ type: 'open.row', workspaceId: asWorkspaceId(workspaceId), kind, id }, page);
    return;
  }
  const page = await ports.windows.show(null);
  if (arrival.kind === 'task') ports.begin(arrival.task, page);
  if (arrival.kind !== 'file') return;
  const granted = await ports.grants.grantPath(arrival.path);
  if (!granted.ok) {
    ports.log('file refused', { reason: granted.error.kind });
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

/** What Electron's `app` says of what arrives. */
interface ArrivalEvents {
  on(event: 'second-instance', listener: (event: unknown, words: string[], folder: string) => void): unknown;
  on(event: 'open-url', listener: (event: Preventable, address: string) => void): unknown;
  on(event: 'open-file', listener: (event: Preventable, path: string) => void): unknown;
  on(event: 'activate', listener: () => void): unknown;
}

/**
 * Listens from the very start: macOS says what it was opened with before there is anything to show it in.
 *
 * @returns hands over whom to tell; what came until then is told first
 */
export function hearArrivals(app: ArrivalEvents): (tell: (arrival: Arrival) => void) => void {
  let waiting: readonly Arrival[] = [];
  let tell = (arrival: Arrival): void => {
    waiting = [...waiting, arrival];
  };
  app.on('second-instance', (_event, words, folder) => tell(inWords(words, folder)));
  app.on('open-url', (event, address) => {
    event.preventDefault();
    const link = readDeepLink(address);
    tell(link === null ? { kind: 'nothing' } : { kind: 'link', link });
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    tell(isOpenedFile(path) ? { kind: 'file', path } : { kind: 'nothing' });
  });
  app.on('activate', () => tell({ kind: 'nothing' }));
  return (next) => {
    tell = next;
    for (const arrival of waiting) next(arrival);
    waiting = [];
  };
}

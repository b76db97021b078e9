import { type IpcMainInvokeEvent, MessageChannelMain, type WebContents } from 'electron';
import { z } from 'zod';
import { fileError, fileRefusal } from '../../../shared/media/file-refusal.ts';
import type { FileGrants } from '../../app/host-ports.ts';
import type { Log } from '../../app/log.ts';
import { shownName } from '../../files/media/file-grants.ts';
import type { Dispatch } from '../dispatch/dispatch.ts';
import { accountIn } from './page-url.ts';
import { handlePageInvoke, onPageSignal, type Windows } from './trusted-sender.ts';
import type { AllowedFolders, DragOut } from './window-files.ts';

/**
 * The connections between a page and main: one message port per page for the contract, grants for incoming files, and
 * outgoing files.
 *
 *   page --ready--> preload --adslate:connect--> main
 *   page <--port--- preload <--adslate:port----- main     (a reloaded page connects again and gets another port)
 */
const CONNECT = 'adslate:connect';
const PORT = 'adslate:port';
const GRANT = 'adslate:grant';
const FOLDER = 'adslate:folder';
const LIFT = 'adslate:lift';
const DRAG = 'adslate:drag';

/** Longest path of the systems we run on. */
const PATH_MAX = 32_767;

const Handle = z.string().regex(/^[a-f0-9]{32}$/);

export interface PageConnectionPorts {
  readonly windows: Windows;
  readonly dispatch: Dispatch;
  readonly grants: FileGrants;
  readonly folders: AllowedFolders;
  /** Asks for a folder in a dialog of the system; null when canceled. */
  readonly chooseFolder: () => Promise<string | null>;
  readonly dragOut: Pick<DragOut, 'lift'>;
  /** Starts a drag of the system with a file. */
  readonly startDrag: (page: WebContents, path: string) => Promise<void>;
  readonly log: Log;
}

export function connectPages({
  windows,
  dispatch,
  grants,
  folders,
  chooseFolder,
  dragOut,
  startDrag,
  log,
}: PageConnectionPorts): void {
  onPageSignal(CONNECT, windows, (event) => {
    const { port1, port2 } = new MessageChannelMain();
    dispatch.servePort(port1, event.sender.id);
    port1.start();
    event.sender.postMessage(PORT, null, [port2]);
  });
  handlePageInvoke(GRANT, z.string().min(1).max(PATH_MAX), windows, async (path) => {
    if (!(await folders.mayTake(path))) {
      log('file refused', { reason: 'folder' });
      return fileError(shownName(path), fileRefusal('not-allowed')).error;
    }
    const granted = await grants.grantPath(path);
    if (!granted.ok) return granted.error;
    const { grant, fileName, bytes } = granted.value;
    return { grant, fileName, bytes };
  });
  handlePageInvoke(FOLDER, z.null(), windows, async () => {
    const path = await chooseFolder();
    const granted = path === null ? null : await grants.grantFolder(path);
    return granted === null ? null : { grant: granted.grant };
  });
  const lift = async (handle: string, { sender }: IpcMainInvokeEvent): Promise<string | null> => {
    const lifted = await dragOut.lift(handle, accountIn(sender.getURL()));
    if (lifted.ok) return lifted.value;
    log('drag refused', { reason: lifted.error.kind });
    return null;
  };
  handlePageInvoke(LIFT, Handle, windows, async (handle, event) => (await lift(handle, event)) !== null);
  handlePageInvoke(DRAG, Handle, windows, async (handle, event) => {
    const path = await lift(handle, event);
    if (path !== null) await startDrag(event.sender, path);
    return path !== null;
  });
}

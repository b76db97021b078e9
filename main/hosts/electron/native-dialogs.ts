import { basename, dirname } from 'node:path';
import { dialog } from 'electron';
import { type ConfirmSync, LARGE_SYNC_DETAIL, largeSyncQuestion } from '../../app/confirm-large-sync.ts';
import type { PreferencesPort } from '../../app/host-ports.ts';

/**
 * Dialogs of the operating system for questions of main: a page can neither see nor answer them. The safe choice is
 * the first button and the result of Escape and Enter.
 */
const ask = async (message: string, detail: string, safe: string, other: string): Promise<boolean> => {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message,
    detail,
    buttons: [safe, other],
    defaultId: 0,
    cancelId: 0,
  });
  return response === 1;
};

/** Characters of an address that are shown. */
const ADDRESS_SHOWN = 500;

export const askToOpenLink = ({ url, host }: { readonly url: string; readonly host: string }): Promise<boolean> =>
  ask(`Open ${host} in your browser?`, url.slice(0, ADDRESS_SHOWN), 'Cancel', 'Open');

export const confirmFileAccess = (path: string): Promise<boolean> =>
  ask(
    `Allow Adslate to read ${basename(path)} in ${dirname(path)}?`,
    'Adslate asks once per folder. If you did not choose this file, do not allow it.',
    "Don't allow",
    'Allow',
  );

export const askToStopSync = (): Promise<boolean> =>
  ask(
    'A sync is running.',
    'If you quit now, the next start checks what was sent. Nothing is lost or sent twice.',
    'Keep syncing',
    'Quit',
  );

export const confirmLargeSync =
  (preferences: Pick<PreferencesPort, 'get'>): ConfirmSync =>
  (account, size) =>
    ask(largeSyncQuestion(account, size, preferences.get().locale), LARGE_SYNC_DETAIL, "Don't sync", 'Sync');

export const confirmSafeStart = async (): Promise<'plain' | 'quit'> =>
  (await ask(
    'Adslate crashed three times in one minute.',
    'Your edits are saved. You can start with the default columns and panels. ' +
      'The log folder in the data folder has details.',
    'Start with defaults',
    'Quit',
  ))
    ? 'quit'
    : 'plain';

/** Asks for the folder to watch in a dialog of the system. */
export async function chooseFolder(): Promise<string | null> {
  const { filePaths } = await dialog.showOpenDialog({ properties: ['openDirectory', 'createDirectory'] });
  return filePaths[0] ?? null;
}

async function warn(message: string, detail: string): Promise<void> {
  await dialog.showMessageBox({ type: 'warning', message, detail });
}

/** The system has no browser for a link, or it does not start: the address is there to be copied. */
export const tellLinkNotOpened = (url: string): Promise<void> =>
  warn("Can't open a browser.", url.slice(0, ADDRESS_SHOWN));

/** A file that was opened from outside and cannot be used. */
export const showFileError = (fileName: string): Promise<void> =>
  warn(
    `Can't open ${fileName}.`,
    'It was moved or deleted, it is not a regular file, or you do not have permission to read it.',
  );

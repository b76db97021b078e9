import { basename, dirname } from 'node:path';
import { dialog } from 'electron';
import { type ConfirmSync, LARGE_SYNC_DETAIL, largeSyncQuestion } from '../../app/confirm-large-sync.ts';
import type { PreferencesPort } from '../../app/core-types.ts';

/**
 * Questions that main asks itself, in a dialog of the operating system: a page can neither see nor answer them. The safe
 * answer comes first and is what Escape and Enter mean.
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
    `Take ${basename(path)} from ${dirname(path)}?`,
    'Adslate asks once for each folder. If you did not choose this file, do not let it be taken.',
    'Do not take it',
    'Take it',
  );

export const askToStopSync = (): Promise<boolean> =>
  ask(
    'A sync is under way.',
    'What is on its way is settled at the next start. Nothing is lost and nothing is sent twice.',
    'Keep working',
    'Stop and quit',
  );

export const confirmLargeSync =
  (preferences: Pick<PreferencesPort, 'get'>): ConfirmSync =>
  (account, size) =>
    ask(largeSyncQuestion(account, size, preferences.get().locale), LARGE_SYNC_DETAIL, 'Do not send', 'Send');

export const confirmSafeStart = async (): Promise<'plain' | 'quit'> =>
  (await ask(
    'The window has failed three times within a minute.',
    'Your drafts are safe on this machine. With plain views the window starts without its remembered columns and panes; ' +
      'the log folder inside the data folder says more.',
    'Start with plain views',
    'Quit',
  ))
    ? 'quit'
    : 'plain';

/** The system has no browser for a link, or it does not start: the address is there to be copied. */
export async function tellLinkNotOpened(url: string): Promise<void> {
  await dialog.showMessageBox({
    type: 'warning',
    message: 'No browser could be opened.',
    detail: url.slice(0, ADDRESS_SHOWN),
  });
}

/** A file that was opened from outside and cannot be used. */
export async function showFileError(fileName: string): Promise<void> {
  await dialog.showMessageBox({
    type: 'warning',
    message: `${fileName} cannot be opened.`,
    detail: 'It is not there any more, is no plain file, or may not be read.',
  });
}

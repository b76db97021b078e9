import type { FilesOut } from './files.ts';

/**
 * Gives a drag the address from which the browser itself fetches the file where it is dropped (Chromium's `DownloadURL`).
 * The address is below the host's own origin: its handle was made for this window, and the host answers only with the
 * cookie of its session.
 */
export const draggedByBrowser = (page: Window): FilesOut => ({
  prepare: () => {},
  begin: ({ fileName, url, contentType }, drag) => {
    const address = new URL(url, page.location.origin);
    if (drag.dataTransfer === null || address.origin !== page.location.origin) return;
    const type = contentType.split(';')[0] ?? '';
    // A colon ends the type and then the name.
    drag.dataTransfer.setData('DownloadURL', `${type}:${fileName.replaceAll(':', '_')}:${address.href}`);
    drag.dataTransfer.effectAllowed = 'copy';
  },
});

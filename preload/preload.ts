import { contextBridge, ipcRenderer, webFrame, webUtils } from 'electron';
import { fileError, fileRefusal } from '../shared/media/file-refusal.ts';

/**
 * All that a page gets from the desktop app. No channel name, no event and no path reaches it.
 *
 * - its one message port
 * - grants: for a file that the user dropped or picked, and for a folder chosen in the system's dialog
 * - dragging a file out of the window, by its handle
 * - the system's menu, filled with the commands of the page
 * - the zoom of the window
 *
 *   page --'adslate:ready'--> here --adslate:connect--> main
 *   page <--'adslate:port'--- here <--adslate:port----- main
 *   page <--its command------ here <--adslate:command-- main
 */

contextBridge.exposeInMainWorld('adslateFiles', {
  grant: async (file: File): Promise<unknown> => {
    // Empty for files made by a script. A page can't invent a path.
    const path = webUtils.getPathForFile(file);
    if (path === '') return fileError(file.name, fileRefusal('no-path')).error;
    const refused = fileError(file.name, fileRefusal('not-received', { what: 'refused' })).error;
    return ipcRenderer.invoke('adslate:grant', path).catch(() => refused); // main logs the reason
  },
  /** Main shows the dialog. The page gets a grant for the folder that the user chose, or null. */
  chooseFolder: (): Promise<unknown> => ipcRenderer.invoke('adslate:folder', null).catch(() => null),
  lift: (handle: unknown): void => send('adslate:lift', handle),
  drag: (handle: unknown): void => send('adslate:drag', handle),
});

contextBridge.exposeInMainWorld('adslateMenu', {
  show: (menu: unknown): void => ipcRenderer.send('adslate:menu', menu),
});

contextBridge.exposeInMainWorld('adslateZoom', {
  percent: (): number => Math.round(100 * webFrame.getZoomFactor()),
  set: (percent: unknown): void => {
    // The range of Chromium's own zoom.
    if (typeof percent === 'number' && percent >= 25 && percent <= 500) webFrame.setZoomFactor(percent / 100);
  },
});

/** The page gets no result: the user sees a drag that failed, and main logs the refusal. */
function send(channel: string, handle: unknown): void {
  void ipcRenderer.invoke(channel, handle).catch(() => null);
}

window.addEventListener('message', (event) => {
  if (event.source === window && event.data === 'adslate:ready') ipcRenderer.send('adslate:connect');
});

ipcRenderer.on('adslate:command', (_event, command: unknown) => {
  window.postMessage({ type: 'adslate:command', command }, window.location.origin);
});

ipcRenderer.on('adslate:port', ({ ports }) => {
  window.postMessage('adslate:port', window.location.origin, [...ports]);
});

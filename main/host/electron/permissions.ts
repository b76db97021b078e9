import type { Session } from 'electron';
import { isOwnPage } from './address.ts';

/** The one thing a page may ask the system for: to put text on the clipboard. */
const ALLOWED = 'clipboard-sanitized-write';

export const mayHave = (permission: string, address: string): boolean => permission === ALLOWED && isOwnPage(address);

/** Electron grants what nobody refuses, so all three questions get an answer. */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(details.isMainFrame && mayHave(permission, details.requestingUrl));
  });
  session.setPermissionCheckHandler((contents, permission, origin) => {
    // For a frame inside a page the origin handed in has been wrong before; the page's own address must agree.
    return mayHave(permission, origin) && (contents === null || isOwnPage(contents.getURL()));
  });
  session.setDevicePermissionHandler(() => false);
}

import type { MENU_PLACES } from '../../shared/api/choices.ts';

/** The titles of the system's menus. */
export const enMenu: Readonly<Record<(typeof MENU_PLACES)[number], string>> = {
  file: 'File',
  edit: 'Edit',
  view: 'View',
  campaign: 'Campaign',
  sync: 'Sync',
  help: 'Help',
};

/** Where a command stands in the system's menu. The system's own entries (cutting, zoom, windows) are put into these by the host. */
export const MENU_PLACES = ['file', 'edit', 'view', 'campaign', 'sync', 'help'] as const;

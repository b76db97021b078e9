export const DESKTOP_BUDGET: { readonly bytes: number; readonly files: number };
export function desktopFiles(archive: string): Promise<readonly { readonly path: string; readonly bytes: number }[]>;
export function tellDesktopFiles(folder: string): Promise<number>;

export function bundledPackages(folders: readonly string[], isCarried?: (name: string) => boolean): readonly string[];

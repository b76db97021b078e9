export function bundledPackages(folders: readonly string[]): readonly string[];

export const LEFT: Readonly<Record<string, boolean>>;
export function undecidedFuses(binary: string, switched: Readonly<Record<string, unknown>>): Promise<readonly string[]>;

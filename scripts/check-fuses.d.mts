export const LEFT: Readonly<Record<string, boolean>>;
export function fusesWithoutSetting(
  binary: string,
  switched: Readonly<Record<string, unknown>>,
): Promise<readonly string[]>;

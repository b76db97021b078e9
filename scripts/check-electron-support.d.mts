export function supportProblem(
  support: { readonly major: number; readonly firstRelease: string; readonly supportedUntil: string },
  version: string,
  today: string,
): string | null;

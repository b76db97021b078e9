/**
 * Fuses of the runtime without a setting. electron-builder sets those in electron-builder.yml and ignores the others,
 * so a fuse of a later Electron would keep its default.
 */

/** Fuses that keep their default, because electron-builder has no option for them. */
export const LEFT = { WasmTrapHandlers: true };

/**
 * @param {string} binary path of the runtime, or of the app on macOS
 * @param {Record<string, unknown>} switched the fuses that the tool switches, named as in electron-builder.yml
 * @returns {Promise<string[]>} a sentence for every fuse that is not decided
 */
export async function fusesWithoutSetting(binary, switched) {
  const { FuseState, FuseV1Options, getCurrentFuseWire } = await import('@electron/fuses');
  const { version: _version, ...wire } = await getCurrentFuseWire(binary);
  const decided = new Set(Object.keys(switched).map((name) => name.charAt(0).toUpperCase() + name.slice(1)));
  return Object.entries(wire).flatMap(([at, state]) => {
    const name = FuseV1Options[Number(at)] ?? `number ${Number(at) + 1}`;
    if (state === FuseState.REMOVED || decided.has(name)) return [];
    if (!Object.hasOwn(LEFT, name)) return [`Nobody has decided the fuse ${name} of this runtime.`];
    const wanted = LEFT[name] ? FuseState.ENABLE : FuseState.DISABLE;
    return state === wanted ? [] : [`The fuse ${name} of this runtime stands the other way.`];
  });
}

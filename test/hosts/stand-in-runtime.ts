import { registerHooks } from 'node:module';

/** Preloaded into Node: whoever imports `electron` gets the stand-in beside this file. */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? { url: new URL('./stand-in-electron.ts', import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
});

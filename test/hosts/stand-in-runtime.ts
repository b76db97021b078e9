import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import './stand-in-heap.ts';

// Threads are started with this file, too, and have no page.
if (isMainThread) await import('./stand-in-page.ts');

/** Preloaded into Node: whoever imports `electron` gets the stand-in beside this file. */
const MODULE = 'stand-in:electron';
const at = JSON.stringify(new URL('./stand-in-electron.ts', import.meta.url).href);
const source = `export * from ${at}; import * as all from ${at}; export default all;`;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: MODULE, shortCircuit: true } : next(specifier, context),
  load: (url, context, next) =>
    url === MODULE ? { format: 'module', source, shortCircuit: true } : next(url, context),
});

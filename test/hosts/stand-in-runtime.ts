import { registerHooks } from 'node:module';
import { readSurface } from './electron-surface.ts';
import './stand-in-heap.ts';

/**
 * Preloaded into Node: whoever imports `electron` gets a module with exactly the exports that Electron declares for its main
 * process, each held to its declaration. How they behave is in the stand-in beside this file.
 */
const MODULE = 'stand-in:electron';
const at = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);

const names = [...readSurface().values.keys()];
const source = `
import * as behaviour from ${at('./stand-in-electron.ts')};
import ${at('./stand-in-page.ts')};
import { guard } from ${at('./stand-in-calls.ts')};
${names.map((name) => `export const ${name} = guard.value('${name}', behaviour.${name});`).join('\n')}
export default { ${names.join(', ')} };
`;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: MODULE, shortCircuit: true } : next(specifier, context),
  load: (url, context, next) =>
    url === MODULE ? { format: 'module', source, shortCircuit: true } : next(url, context),
});

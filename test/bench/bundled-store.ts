import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The store as the program ships it. */
export const bundledStore = (folder: string) =>
  bundled<typeof import('../../main/store/store.ts')>(folder, 'main/store/store.ts');

/** A core with an account, for files in and out, as the program ships it. */
export const bundledExchange = (folder: string) =>
  bundled<typeof import('../exchange/an-exchange.ts')>(folder, 'test/exchange/an-exchange.ts');

/**
 * Loads a part as the program is bundled: started from its sources, a thread would spend most of a second on translating
 * TypeScript, which nobody who uses Adslate waits for.
 */
async function bundled<Part>(folder: string, entry: string): Promise<Part> {
  execFileSync(process.execPath, [join(import.meta.dirname, 'bundle-child.ts'), folder, entry], { stdio: 'inherit' });
  const module: unknown = await import(pathToFileURL(join(folder, 'part.js')).href);
  return module as Part;
}

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

type Store = typeof import('../../main/workspace/open.ts');

/**
 * Bundles the store as the program is bundled, and loads it from there: started from its sources, a thread would
 * spend most of a second on translating TypeScript, which nobody who uses Adslate waits for.
 */
export async function bundledStore(folder: string): Promise<Store> {
  const root = join(import.meta.dirname, '..', '..');
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node24',
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: {
        input: {
          open: join(root, 'main/workspace/open.ts'),
          'workspace-worker': join(root, 'main/workspace/worker/entry.ts'),
          'safety-worker': join(root, 'main/workspace/safety/entry.ts'),
        },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  const module: unknown = await import(pathToFileURL(join(folder, 'open.js')).href);
  return module as Store;
}

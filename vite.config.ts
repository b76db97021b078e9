import { builtinModules } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Rolldown, type UserConfig } from 'vite';

/**
 * Every program of the project is one bundle, so that what runs needs no node_modules. `vite build --mode NAME`
 * builds one of them; without a mode it builds the window.
 */
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const external = ['electron', ...builtinModules, /^node:/, /^@napi-rs\//];

const WRITER = at('main/store/worker/writer.ts');
const READER = at('main/store/worker/reader.ts');

/**
 * What the threads of a workspace load is three chunks: of both, of the one that writes and of the one that reads. In thirty, which
 * is what others share of it, a thread takes a third more CPU time to start, and every account that is opened starts two.
 */
export function storeChunks() {
  const loadedBy = new Map<string, Set<string>>();
  const loads = (thread: string, id: string, graph: ModuleGraph): boolean => {
    const loaded = loadedBy.get(thread) ?? new Set([thread]);
    if (!loadedBy.has(thread)) {
      loadedBy.set(thread, loaded);
      // A set that grows while it is walked is walked to its end.
      for (const each of loaded) for (const next of graph.getModuleInfo(each)?.importedIds ?? []) loaded.add(next);
    }
    return id !== thread && loaded.has(id);
  };
  const threads = { writer: WRITER, reader: READER };
  const own = Object.entries(threads).map(([name, thread]) => ({
    name: (id: string, graph: ModuleGraph) => (loads(thread, id, graph) ? name : null),
    debugName: name,
  }));
  const both = {
    name: (id: string, graph: ModuleGraph) =>
      Object.values(threads).every((thread) => loads(thread, id, graph)) ? 'store' : null,
    debugName: 'store',
  };
  // The first that has a module keeps it.
  return { groups: [both, ...own] };
}

interface ModuleGraph {
  getModuleInfo(id: string): Rolldown.ModuleInfo | null;
}

/** Programs that share a folder share a build, so that what they have in common is bundled once. */
const programs = (input: Record<string, string>, outDir: string, format: 'es' | 'cjs'): UserConfig => ({
  ssr: { noExternal: true, external: ['electron'] },
  publicDir: false,
  build: {
    ssr: true,
    outDir: at(outDir),
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input,
      external,
      output: {
        format,
        entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].js',
        // Beside the entries, because code that names a sibling file may end up in a chunk.
        chunkFileNames: '[name]-[hash].js',
        codeSplitting: storeChunks(),
      },
    },
  },
});

/** `.banner` of details.module.css is `details-banner`; `.launch-bar` of launch.module.css stays as it is. */
function scopedClass(name: string, file: string): string {
  const module = basename(file, '.module.css');
  return name === module || name.startsWith(`${module}-`) ? name : `${module}-${name}`;
}

const renderer: UserConfig = {
  root: at('renderer'),
  base: './',
  plugins: [react()],
  css: {
    modules: {
      // Readable, and the same in every build, so that one module can name a class of another: `:global(.ui-badge)`.
      generateScopedName: scopedClass,
    },
  },
  build: {
    outDir: at('out/renderer'),
    emptyOutDir: true,
    target: 'chrome150',
    sourcemap: true,
    // One sheet: code that comes later is tried again while the host is away, a sheet of its own would be left out.
    cssCodeSplit: false,
    // The page comes from this very machine, so its size in transfer is no concern.
    chunkSizeWarningLimit: 4000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // In one chunk, so that `no-eval.ts` has spoken before any other chunk builds a schema.
            { name: 'zod', test: /node_modules[\\/]zod[\\/]|no-eval\.ts$/ },
            // The script to begin with, whole: cut up by who shares what it is forty files, which pack a tenth worse.
            { name: 'desk', tags: ['$initial'] },
            // What dialogs share, whole for the same reason; it comes with the first of them, once the window has started.
            { name: 'dialogs', minShareCount: 2 },
          ],
        },
      },
    },
  },
};

export default defineConfig(({ mode }) => {
  switch (mode) {
    case 'main':
      return programs(
        {
          electron: at('main/hosts/electron/main.ts'),
          web: at('main/hosts/web/main.ts'),
          cli: at('main/hosts/cli/main.ts'),
          demo: at('main/hosts/cli/demo/main.ts'),
          'writer-worker': WRITER,
          'reader-worker': READER,
          'cube-worker': at('main/cube/entry.ts'),
          'exchange-worker': at('main/files/spreadsheet/worker/entry.ts'),
          'safety-worker': at('main/store/safety/entry.ts'),
          'probe-worker': at('main/files/probe/entry.ts'),
          'sandbox-worker': at('sandbox/worker.ts'),
        },
        'out/main',
        'es',
      );
    case 'sandbox':
      return programs({ cli: at('sandbox/cli.ts') }, 'out/sandbox', 'es');
    case 'preload':
      return programs({ preload: at('preload/preload.ts') }, 'out/preload', 'cjs');
    default:
      return renderer;
  }
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { storeChunks } from '../../vite.config.ts';

/**
 * Bundles a part with the threads it starts as the program is bundled: `node test/bench/bundle-child.ts FOLDER ENTRY`. A process
 * of its own, because the bundler takes more memory than what is measured.
 */
const [folder = '', entry = ''] = process.argv.slice(2);
const root = join(import.meta.dirname, '..', '..');

const THREADS = {
  'writer-worker': 'main/store/worker/writer.ts',
  'reader-worker': 'main/store/worker/reader.ts',
  'exchange-worker': 'main/files/spreadsheet/worker/entry.ts',
  'safety-worker': 'main/store/safety/entry.ts',
  'probe-worker': 'main/files/probe/entry.ts',
  'sandbox-worker': 'sandbox/worker.ts',
};

// As in the package: without it Node reads every file twice, first as what it is not.
writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));

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
      input: Object.fromEntries(
        Object.entries({ part: entry, ...THREADS }).map(([name, path]) => [name, join(root, path)]),
      ),
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        codeSplitting: storeChunks(),
      },
    },
  },
});

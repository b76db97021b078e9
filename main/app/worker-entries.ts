/**
 * Where the entry file of each worker thread lies: beside its source while running from TypeScript, beside the
 * bundle after a build.
 */
const ENTRIES = {
  workspace: { source: '../store/worker/entry.ts', bundle: './workspace-worker.js' },
  exchange: { source: '../files/spreadsheet/worker/entry.ts', bundle: './exchange-worker.js' },
  safety: { source: '../store/safety/entry.ts', bundle: './safety-worker.js' },
  probe: { source: '../files/probe/entry.ts', bundle: './probe-worker.js' },
  sandbox: { source: '../../sandbox/worker.ts', bundle: './sandbox-worker.js' },
} as const;

export function workerEntry(name: keyof typeof ENTRIES): URL {
  const fromSource = import.meta.url.endsWith('.ts');
  return new URL(fromSource ? ENTRIES[name].source : ENTRIES[name].bundle, import.meta.url);
}

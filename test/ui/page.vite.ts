import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Serves `page.html`: the desk over an account in memory, for looking at components without a host. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  cacheDir: fileURLToPath(new URL('../../.cache/vite-page', import.meta.url)),
  plugins: [react()],
  server: { host: '127.0.0.1', port: 5199, fs: { allow: ['../..'] } },
});

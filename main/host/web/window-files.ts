import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** One file of the window, ready to be sent. */
export interface WindowFile {
  readonly contentType: string;
  readonly bytes: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
  json: 'application/json',
};

/**
 * The window's files by the path a browser asks for, read once at the start. A request is looked up, never joined
 * to a folder, so no path in a request can leave it.
 */
export function readWindowFiles(folder: string): ReadonlyMap<string, WindowFile> {
  const files = new Map<string, WindowFile>();
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true, recursive: true }) : [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const contentType = TYPES[entry.name.slice(entry.name.lastIndexOf('.') + 1)];
    if (contentType === undefined) continue;
    files.set(`/${relative(folder, path).split(sep).join('/')}`, { contentType, bytes: readFileSync(path) });
  }
  const page = files.get('/index.html');
  // An empty window without a word would be the worst of the answers.
  if (page === undefined) throw new Error(`there is no built window in ${folder}. "npm start" builds it.`);
  return files.set('/', page);
}

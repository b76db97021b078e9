import { homedir } from 'node:os';
import { join } from 'node:path';

/** The per-user folder for application data, where the window keeps its accounts too. */
export function defaultDataDir(): string {
  const { env, platform } = process;
  if (platform === 'win32') return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Adslate');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Adslate');
  return join(env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'adslate');
}

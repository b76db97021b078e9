import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The per-user folder for application data, where the window keeps its accounts too. */
export function defaultDataDir(): string {
  const { env, platform } = process;
  // Set but empty, or relative, it would mean another folder wherever Adslate is started.
  const named = (variable: string): string | null => {
    const folder = env[variable];
    return folder !== undefined && isAbsolute(folder) ? folder : null;
  };
  if (platform === 'win32') return join(named('APPDATA') ?? join(homedir(), 'AppData', 'Roaming'), 'Adslate');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Adslate');
  return join(named('XDG_DATA_HOME') ?? join(homedir(), '.local', 'share'), 'adslate');
}

import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { defaultDataDir } from '../../main/hosts/start/start-options.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('a folder for data that is named empty or relative is not taken for one', () => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue('linux');
  for (const named of ['', 'data', './data']) {
    vi.stubEnv('XDG_DATA_HOME', named);
    expect(defaultDataDir()).toBe(join(homedir(), '.local', 'share', 'adslate'));
  }
  vi.stubEnv('XDG_DATA_HOME', '/srv/data');
  expect(defaultDataDir()).toBe(join('/srv/data', 'adslate'));
});

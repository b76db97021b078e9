import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import type { Core } from '../../app/core.ts';
import type { PreferencesPort } from '../../app/core-types.ts';
import type { Log } from '../../app/log.ts';

/** True for a folder nobody has worked in yet; such a folder opens on the practice account. */
export const isEmptyDataFolder = (dataDir: string): boolean => !existsSync(join(dataDir, 'accounts.json'));

/**
 * Makes the window open on a practice account, adding one when there is none. A practice service that does not
 * start is no reason to show no window: the window then shows its welcome, where the same can be tried again.
 */
export async function openPracticeAccount(core: Core, preferences: PreferencesPort, log: Log): Promise<void> {
  const { accounts } = createRouterClient(core.router);
  const known = await accounts.list();
  const practice = known.find((account) => account.practice);
  try {
    const { workspaceId } = practice ?? (await accounts.addPractice({ name: freeName(known.map(({ name }) => name)) }));
    preferences.set({ lastWorkspaceId: workspaceId });
  } catch (error) {
    log('practice unavailable', { error: error instanceof Error ? error.message : 'not an error' });
  }
}

function freeName(taken: readonly string[]): string {
  const names = new Set(taken.map((name) => name.toLowerCase()));
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? 'Practice' : `Practice ${count}`;
    if (!names.has(name.toLowerCase())) return name;
  }
}

import { err, ok, type Result } from '../../shared/result.ts';
import type { SecretsRefused } from '../core-types.ts';
import { type CoreParts, os } from './parts.ts';

export const secretsRouter = ({ options: { secrets }, accounts, events }: CoreParts) => {
  /** What accounts say of their secrets has changed with it. */
  const settled = async <T>(done: Result<T, SecretsRefused>) => {
    if (!done.ok) return err(done.error);
    events.publish({ type: 'accounts.changed' });
    return ok(await secrets.status());
  };
  return {
    status: os.secrets.status.handler(() => secrets.status()),
    choose: os.secrets.choose.handler(async ({ input, errors }) => {
      const chosen = await settled(await secrets.choose(input.grade, input.passphrase ?? null));
      if (chosen.ok) return chosen.value;
      throw errors.SECRETS_REFUSED({ data: { reason: chosen.error.reason } });
    }),
    unlock: os.secrets.unlock.handler(async ({ input, errors }) => {
      const unlocked = await settled(await secrets.unlock(input.passphrase));
      if (unlocked.ok) return unlocked.value;
      throw errors.SECRETS_REFUSED({ data: { reason: unlocked.error.reason } });
    }),
    lock: os.secrets.lock.handler(async () => {
      await secrets.lock();
      events.publish({ type: 'accounts.changed' });
      return secrets.status();
    }),
    forget: os.secrets.forget.handler(async ({ input, errors }) => {
      const { workspaceId } = input;
      if (!(await accounts.list()).some((account) => account.workspaceId === workspaceId)) {
        throw errors.NO_WORKSPACE({ data: { workspaceId } });
      }
      await secrets.forget(workspaceId);
      events.publish({ type: 'accounts.changed' });
      return secrets.status();
    }),
  };
};

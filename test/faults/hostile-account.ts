import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openAccount, type TestAccount } from '../sync/an-account.ts';
import { type Control, controlOf } from '../sync/control.ts';
import { type HostileService, startHostileService } from './a-hostile-service.ts';

/** An account whose requests go through a service that can be told to answer anything. */
interface HostileAccount {
  readonly service: HostileService;
  readonly control: Control;
  readonly account: TestAccount;
}

/**
 * Gives the tests of a file one such service, and each of them an account of its own on it, which is told before the test and
 * closed after it.
 */
export function onHostileService(tell: (met: HostileAccount) => Promise<void> | void): void {
  let service: HostileService;
  let account: TestAccount;
  beforeAll(async () => {
    service = await startHostileService();
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    const control = controlOf(service.sandbox);
    service.meet(null);
    await control.reset();
    service.strangers.length = 0;
    account = await openAccount({ sandbox: service.front });
    await tell({ service, control, account });
  });
  afterEach(() => account.close());
}

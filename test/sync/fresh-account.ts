import { onTestFinished } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { openAccount, type TestAccount } from './an-account.ts';
import { type Control, controlOf } from './control.ts';

/** An account that may use every call of an empty service of its own, with the service's remote control. */
export interface FreshAccount {
  readonly sandbox: RunningSandbox;
  readonly control: Control;
  readonly account: TestAccount;
}

/** To be called before each test; what it opens is closed when the test has ended. */
export async function freshAccount(): Promise<FreshAccount> {
  const sandbox = await startSandbox({ scenario: 'empty', clock: 'virtual', extensions: true });
  onTestFinished(() => sandbox.close());
  const account = await openAccount({ sandbox, capabilities: WITH_EXTENSIONS });
  onTestFinished(() => account.close());
  return { sandbox, control: controlOf(sandbox), account };
}

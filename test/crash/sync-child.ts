import type { RunningSandbox } from '../../sandbox/start.ts';
import { DOCUMENTED_ONLY } from '../../shared/plan/plan-types.ts';
import { hastyClock, openAccount } from '../sync/an-account.ts';

/** What the parent hands over as the first argument, in JSON. */
export interface ChildOrder {
  readonly folder: string;
  readonly ready: RunningSandbox['ready'];
  readonly kill: {
    readonly method: string;
    readonly path: string;
    /** Before the first byte leaves, or when the service has carried the request out and its answer is here. */
    readonly when: 'before' | 'after';
  };
}

/**
 * Syncs one workspace and kills itself, as `kill -9` would, at the first request that fits. The intent is on the
 * disk by then and the outcome is not.
 */
async function main(): Promise<void> {
  const order = JSON.parse(process.argv[2] ?? '{}') as ChildOrder;
  const account = await openAccount({
    sandbox: { ready: order.ready, close: async () => undefined },
    folder: order.folder,
    capabilities: DOCUMENTED_ONLY,
    clock: hastyClock(),
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const fits = request.method === order.kill.method && new URL(request.url).pathname === order.kill.path;
      if (fits && order.kill.when === 'before') process.kill(process.pid, 'SIGKILL');
      const answer = await fetch(request);
      if (fits) process.kill(process.pid, 'SIGKILL');
      return answer;
    },
  });
  await account.run({ submit: true });
  await account.close();
}

await main();

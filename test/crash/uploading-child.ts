import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { DOCUMENTED_ONLY } from '../../shared/plan/plan-types.ts';
import { hastyClock, openAccount } from '../sync/an-account.ts';
import type { Go } from './killed-child.ts';

/** What the child says, a line each. */
export type UploadSaid =
  | { readonly say: 'loaded' }
  | { readonly say: 'sent'; readonly bytes: number; readonly rssMb: number }
  | { readonly say: 'request'; readonly path: string }
  | { readonly say: 'synced' };

const say = (line: UploadSaid): void => void writeSync(1, `${JSON.stringify(line)}\n`);
const rssMb = (): number => Math.round(process.memoryUsage.rss() / 1024 / 1024);

/** Syncs once, telling how far the upload is, until it is killed or done. */
async function main(): Promise<void> {
  say({ say: 'loaded' });
  const [line] = (await once(process.stdin, 'data')) as [Buffer];
  const go = JSON.parse(line.toString()) as Go;
  const account = await openAccount({
    sandbox: { ready: go.ready, close: async () => undefined },
    folder: go.folder,
    capabilities: DOCUMENTED_ONLY,
    clock: hastyClock(go.aheadMs),
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { pathname } = new URL(request.url);
      if (pathname.endsWith('/media/complete')) say({ say: 'request', path: pathname });
      return fetch(request);
    },
    onEvent: (event) => {
      if (event.type === 'upload.progress') say({ say: 'sent', bytes: event.sentBytes, rssMb: rssMb() });
    },
  });
  await account.run();
  say({ say: 'synced' });
  await account.close();
}

await main();

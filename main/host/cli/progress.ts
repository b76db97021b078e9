import type { AppEvent } from '../../../shared/contract/app.ts';
import type { Context } from './command.ts';
import { counted } from './table.ts';

/** Shows the course of a run on standard error while somebody watches; programs see nothing of it. */
export async function watchProgress(context: Context, until: AbortSignal): Promise<void> {
  if (!context.interactive) return;
  const client = await context.client();
  let last = '';
  for await (const event of await client.app.events(undefined, { signal: until })) {
    const line = lineOf(event);
    if (line === null || line === last) continue;
    last = line;
    process.stderr.write(`${line}\n`);
  }
}

function lineOf(event: AppEvent): string | null {
  if (event.type === 'upload.progress') {
    const percent = event.totalBytes === 0 ? 100 : Math.floor((event.sentBytes / event.totalBytes) * 10) * 10;
    return `uploading ${event.fileName}: ${percent} %`;
  }
  if (event.type !== 'sync.progress' || event.phase === 'done') return null;
  const wait = event.retryAt === null ? '' : `, next try at ${new Date(event.retryAt).toISOString().slice(11, 19)} UTC`;
  if (event.phase !== 'sending') return `${event.phase}${wait}`;
  const tenths = Math.floor((event.batchesDone * 10) / Math.max(event.batchesTotal, 1));
  return `sending ${counted(event.batchesTotal, 'request')}: ${tenths * 10} %${wait}`;
}

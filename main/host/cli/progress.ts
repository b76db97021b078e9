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
  if (event.type === 'sync.pending') return pendingLine(event);
  if (event.type !== 'sync.progress' || event.phase === 'done') return null;
  const wait = event.retryAt === null ? '' : `, next try at ${clockText(event.retryAt)}`;
  if (event.phase !== 'sending') return `${event.phase}${wait}`;
  const tenths = Math.floor((event.batchesDone * 10) / Math.max(event.batchesTotal, 1));
  return `sending ${counted(event.batchesTotal, 'request')}: ${tenths * 10} %${wait}`;
}

function pendingLine({ state, nextAt }: Extract<AppEvent, { type: 'sync.pending' }>): string | null {
  const at = nextAt === null ? '' : `, next look at ${clockText(nextAt)}`;
  if (state === 'waiting') return `waiting for the service${at}`;
  return state === 'scheduled' ? `scheduled until the service is healthy${at}` : null;
}

const clockText = (at: number): string => `${new Date(at).toISOString().slice(11, 19)} UTC`;

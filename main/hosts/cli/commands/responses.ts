import { open } from 'node:fs/promises';
import { RESPONSE_LOG_MAX_MB, WINDOW_MAX } from '../../../../shared/api/limits.ts';
import type { ResponseSummary } from '../../../../shared/api/requests.ts';
import { usageError } from '../cli-error.ts';
import type { Command, Context } from '../command.ts';
import { writeOutputFile } from '../named-file.ts';
import { counted } from '../output.ts';

/** A screen's worth; with words there are mostly fewer. */
const LISTED_MAX = 50;

/** What the service answered, as it was received. */
const responsesCommand: Command = {
  name: 'answers',
  takes: '[WORDS] [--out FILE [--force]] [--keep MB]',
  summary:
    'Lists what the service answered, newest first, to reads and to what was sent; WORDS narrow it to what has each of them in path, status or correlation id. --out FILE writes all of these, whole and as they were received, as lines of JSON. --keep MB sets how much is kept; 0 keeps none. Secrets and signed addresses are never kept.',
  positionals: [0, 20],
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const words = context.positionals.join(' ');
    const bound = boundOf(context);
    const out = context.text('out');
    const kept =
      bound === null
        ? await client.responses.usage({ workspaceId })
        : await client.responses.setLimit({ workspaceId, boundMb: bound });
    if (out !== null) {
      const written = await writeOutputFile(context, out, (target) => writeAll(context, target, words));
      context.output.say(`${counted(written, 'answer')} written to ${out}.`);
      return context.output.result({ ...kept, written });
    }
    const { total, answers } = await client.responses.list({ workspaceId, from: 0, count: LISTED_MAX, words });
    const rows = answers.map(({ at, method, path, status, correlationId }) => [
      new Date(at).toISOString(),
      `${method} ${path}`,
      String(status),
      correlationId,
    ]);
    context.output.table(['Received', 'Request', 'Status', 'Correlation id'], rows);
    if (total > answers.length) context.output.say(`The newest ${answers.length} of ${total}; --out FILE writes all.`);
    const size = `${Math.ceil(kept.bytes / 1024)} KiB of at most ${kept.boundMb} MiB`;
    context.output.say(`${counted(kept.answers, 'answer')} kept, ${size}.`);
    context.output.result({ ...kept, total, listed: answers });
  },
};

function boundOf(context: Context): number | null {
  const text = context.text('keep');
  if (text === null) return null;
  const megabytes = /^\d{1,4}$/.test(text) ? Number(text) : RESPONSE_LOG_MAX_MB + 1;
  if (megabytes > RESPONSE_LOG_MAX_MB)
    throw usageError(`--keep takes megabytes, a whole number from 0 to ${RESPONSE_LOG_MAX_MB}.`);
  return megabytes;
}

/** Newest first. Answers that come meanwhile would move the windows, but nothing is asked meanwhile. */
async function writeAll(context: Context, target: string, words: string): Promise<number> {
  const { answers } = await context.account();
  const file = await open(target, 'wx', 0o600);
  try {
    let written = 0;
    for (;;) {
      const page = await answers.list(written, WINDOW_MAX, words);
      if (page.answers.length === 0) return written;
      for (const line of page.answers) await file.write(`${JSON.stringify(await whole(context, line))}\n`);
      written += page.answers.length;
    }
  } finally {
    await file.close();
  }
}

async function whole(context: Context, line: ResponseSummary): Promise<object> {
  const { answers } = await context.account();
  const found = (await answers.of(line.correlationId)).find(({ id }) => id === line.id);
  return { ...line, body: found?.body ?? null };
}

const PART = 500;

/** Everything that was ever sent, one line of JSON a request. */
const requestsCommand: Command = {
  name: 'ledger',
  takes: '--out FILE [--force]',
  summary:
    'Writes every request that was ever sent, with its rows, what became of it and the answers that are still kept, as lines of JSON. No credentials stand in it.',
  run: async (context) => {
    const out = context.text('out');
    if (out === null) throw usageError('Write: adslate ledger --out FILE.');
    const requests = await writeOutputFile(context, out, (target) => writeRequests(context, target));
    context.output.say(`${counted(requests, 'request')} written to ${out}.`);
    context.output.result({ requests });
  },
};

async function writeRequests(context: Context, target: string): Promise<number> {
  const { workspace, answers } = await context.account();
  const file = await open(target, 'wx', 0o600);
  let after = 0;
  let requests = 0;
  try {
    for (;;) {
      const entries = await workspace.outbox.ledger({ after, count: PART });
      if (entries.length === 0) return requests;
      for (const entry of entries) {
        const received = (await answers.of(entry.correlationId)).map(({ at, status, body }) => ({ at, status, body }));
        await file.write(`${JSON.stringify({ ...entry, answers: received })}\n`);
      }
      requests += entries.length;
      after = entries.at(-1)?.id ?? after;
    }
  } finally {
    await file.close();
  }
}

export const responseCommands: readonly Command[] = [requestsCommand, responsesCommand];

import { open } from 'node:fs/promises';
import { RESPONSE_LOG_MAX_MB, WINDOW_MAX } from '../../../../shared/api/limits.ts';
import type { ResponseLogInfo } from '../../../../shared/api/requests.ts';
import { usageError } from '../cli-error.ts';
import type { Command, Context } from '../command.ts';
import { writeOutputFile } from '../named-file.ts';
import { counted } from '../output.ts';

/** One screen of lines. */
const LISTED_MAX = 50;

const responsesCommand: Command = {
  name: 'responses',
  takes: '[WORDS]',
  purpose: 'Lists the stored responses of the service, newest first.',
  parameters: {
    WORDS: 'Shows only responses with these words in path, status or correlation ID.',
    '--out FILE': 'Exports the matching responses as received, as JSON lines.',
    '--force': 'Replaces an existing file.',
    '--limit MB': `Sets how much is stored, up to ${RESPONSE_LOG_MAX_MB}. 0 stores nothing.`,
  },
  example: 'adslate responses v1/campaigns 500',
  positionals: [0, 20],
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const words = context.positionals.join(' ');
    const limit = limitOf(context);
    const out = context.text('out');
    const stored =
      limit === null
        ? await client.responses.usage({ workspaceId })
        : await client.responses.setLimit({ workspaceId, boundMb: limit });
    if (out !== null) {
      const written = await writeOutputFile(context, out, (target) => writeAll(context, target, words));
      context.output.say(`Wrote ${counted(written, 'response')} to ${out}.`);
      return context.output.result({ ...storedJson(stored), written });
    }
    const { total, answers } = await client.responses.list({ workspaceId, from: 0, count: LISTED_MAX, words });
    const rows = answers.map(({ at, method, path, status, correlationId }) => [
      new Date(at).toISOString(),
      `${method} ${path}`,
      String(status),
      correlationId,
    ]);
    context.output.table(['Received', 'Request', 'Status', 'Correlation ID'], rows);
    if (total > answers.length)
      context.output.say(`The newest ${answers.length} of ${total}. Add --out FILE to export all.`);
    const size = `${Math.ceil(stored.bytes / 1024)} KB of up to ${stored.boundMb} MB`;
    context.output.say(`${counted(stored.answers, 'response')} stored, ${size}.`);
    context.output.result({ ...storedJson(stored), total, listed: answers });
  },
};

const storedJson = ({ answers, boundMb, ...others }: ResponseLogInfo) => ({
  responses: answers,
  limitMb: boundMb,
  ...others,
});

function limitOf(context: Context): number | null {
  const text = context.text('limit');
  if (text === null) return null;
  const megabytes = /^\d{1,4}$/.test(text) ? Number(text) : RESPONSE_LOG_MAX_MB + 1;
  if (megabytes > RESPONSE_LOG_MAX_MB)
    throw usageError(`--limit must be a whole number of megabytes from 0 to ${RESPONSE_LOG_MAX_MB}.`);
  return megabytes;
}

/** Newest first. A new response would shift the pages, but nothing is requested at the same time. */
async function writeAll(context: Context, target: string, words: string): Promise<number> {
  const { responses } = await context.account();
  const file = await open(target, 'wx', 0o600);
  try {
    let written = 0;
    for (;;) {
      const page = await responses.list(written, WINDOW_MAX, words);
      if (page.answers.length === 0) return written;
      for (const line of page.answers) {
        const found = (await responses.of(line.correlationId)).find(({ id }) => id === line.id);
        await file.write(`${JSON.stringify({ ...line, body: found?.body ?? null })}\n`);
      }
      written += page.answers.length;
    }
  } finally {
    await file.close();
  }
}

const PART = 500;

/** Exports every request ever sent, one line of JSON each. */
const requestsCommand: Command = {
  name: 'requests',
  takes: '--out FILE',
  purpose: 'Exports the request log as JSON lines, without credentials.',
  parameters: {
    '--out FILE': 'File to write: every request, its rows, its result and the stored responses.',
    '--force': 'Replaces an existing file.',
  },
  example: 'adslate requests --out requests.jsonl',
  run: async (context) => {
    const out = context.text('out');
    if (out === null) throw usageError('The file is missing. Run "adslate requests --out FILE".');
    const requests = await writeOutputFile(context, out, (target) => writeRequests(context, target));
    context.output.say(`Wrote ${counted(requests, 'request')} to ${out}.`);
    context.output.result({ requests });
  },
};

async function writeRequests(context: Context, target: string): Promise<number> {
  const { workspace, responses } = await context.account();
  const file = await open(target, 'wx', 0o600);
  let after = 0;
  let requests = 0;
  try {
    for (;;) {
      const entries = await workspace.outbox.readRequestLog({ after, count: PART });
      if (entries.length === 0) return requests;
      for (const entry of entries) {
        const received = (await responses.of(entry.correlationId)).map(({ at, status, body }) => ({
          at,
          status,
          body,
        }));
        await file.write(`${JSON.stringify({ ...entry, responses: received })}\n`);
      }
      requests += entries.length;
      after = entries.at(-1)?.id ?? after;
    }
  } finally {
    await file.close();
  }
}

export const responseCommands: readonly Command[] = [requestsCommand, responsesCommand];

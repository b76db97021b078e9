import { open } from 'node:fs/promises';
import { RESPONSE_LOG_MAX_MB, WINDOW_MAX } from '../../../../shared/api/limits.ts';
import type { ResponseLogInfo } from '../../../../shared/api/requests.ts';
import type { ActiveAccount } from '../../../core/active-account.ts';
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
      const account = await context.account();
      const written = await writeOutputFile(context, out, (target) =>
        writeLines(target, storedResponses(account, words)),
      );
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
async function* storedResponses({ responses }: ActiveAccount, words: string): AsyncGenerator<object> {
  for (let from = 0; ; ) {
    const { answers } = await responses.list(from, WINDOW_MAX, words);
    if (answers.length === 0) return;
    for (const line of answers) {
      const found = (await responses.of(line.correlationId)).find(({ id }) => id === line.id);
      yield { ...line, body: found?.body ?? null };
    }
    from += answers.length;
  }
}

/** Writes each entry as a line of JSON. @returns the number of entries */
async function writeLines(target: string, entries: AsyncGenerator<object>): Promise<number> {
  const file = await open(target, 'wx', 0o600);
  try {
    let written = 0;
    for await (const entry of entries) {
      await file.appendFile(`${JSON.stringify(entry)}\n`);
      written += 1;
    }
    return written;
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
    const account = await context.account();
    const requests = await writeOutputFile(context, out, (target) => writeLines(target, sentRequests(account)));
    context.output.say(`Wrote ${counted(requests, 'request')} to ${out}.`);
    context.output.result({ requests });
  },
};

async function* sentRequests({ workspace, responses }: ActiveAccount): AsyncGenerator<object> {
  for (let after = 0; ; ) {
    const entries = await workspace.outbox.readRequestLog({ after, count: PART });
    if (entries.length === 0) return;
    for (const entry of entries) {
      const received = await responses.of(entry.correlationId);
      yield { ...entry, responses: received.map(({ at, status, body }) => ({ at, status, body })) };
      after = entry.id;
    }
  }
}

export const responseCommands: readonly Command[] = [requestsCommand, responsesCommand];

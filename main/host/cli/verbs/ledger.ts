import { open } from 'node:fs/promises';
import type { Command, Context } from '../command.ts';
import { EXIT, usageStop } from '../stop.ts';
import { counted } from '../table.ts';
import { writeTo } from '../write-to.ts';

const PART = 500;

/** Everything that was ever sent, one line of JSON a request. */
export const ledgerCommand: Command = {
  name: 'ledger',
  takes: '--out FILE [--force]',
  summary:
    'Writes every request that was ever sent, with its rows, what became of it and the answers that are still kept, as lines of JSON. No credentials stand in it.',
  options: { out: { type: 'string' }, force: { type: 'boolean' } },
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const out = context.text('out');
    if (out === null) throw usageStop('Write: adslate ledger --out FILE.');
    const requests = await writeTo(context, out, (target) => writeRequests(context, target));
    context.output.say(`${counted(requests, 'request')} written to ${out}.`);
    context.output.result({ requests });
    return EXIT.done;
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

import type { OutboxClient } from '../workspace/outbox/ops.ts';
import { type JournalLine, readJournal } from './journal.ts';

/** Classes whose intent changed nothing on the service, as the journal tells. */
const HARMLESS: ReadonlySet<string> = new Set(['NOT_SENT', 'LATER', 'AUTH', 'REFUSED']);

/**
 * Compares the side journal with the outbox. A database that was restored from a backup has forgotten what was
 * sent after it; the journal has not. What it knows and the outbox does not is put in doubt (or, where the answer's
 * ids are in the journal, adopted), so that it is not sent a second time.
 *
 * @returns how many rows were concerned
 */
export const recallFromJournal = async (file: string, outbox: OutboxClient, epoch: number): Promise<number> =>
  recall(await readJournal(file), outbox, epoch);

/** The same for lines that were read already. */
export async function recall(
  lines: readonly JournalLine[],
  outbox: Pick<OutboxClient, 'correlationsKnown' | 'importIntents'>,
  epoch: number,
): Promise<number> {
  const intents = lines.filter(({ t }) => t === 'intent');
  const known = new Set(await outbox.correlationsKnown({ ids: intents.map(({ c }) => c) }));
  const forgotten = intents.filter(({ c }) => !known.has(c));
  if (forgotten.length === 0) return 0;
  const outcomes = new Map(lines.filter(({ t }) => t === 'outcome').map((line) => [line.c, line]));
  const open = forgotten.filter(({ c }) => !HARMLESS.has(outcomes.get(c)?.class ?? ''));
  return outbox.importIntents({ epoch, intents: open.map((intent) => imported(intent, outcomes.get(intent.c))) });
}

const imported = (intent: JournalLine, outcome: JournalLine | undefined) => ({
  correlationId: intent.c,
  kind: intent.kind ?? '',
  verb: intent.verb ?? '',
  rows: intent.rows ?? [],
  campaignId: intent.campaign ?? null,
  adGroupId: intent.adGroup ?? null,
  at: intent.at,
  ids: outcome?.ids ?? [],
});

import { createSerialQueue } from '../../shared/serial-queue.ts';
import type { NewBatch } from '../store/outbox/outbox-types.ts';
import type { RequestOutcome, TeamIntent } from '../store/outbox/team-intents.ts';
import { oneRow, type Queries } from './connection.ts';

/** Names a lease in every write: an epoch may come again after a failover, a token never. */
export interface LeaseKey {
  readonly epoch: number;
  readonly token: string;
}

/**
 * The lease was taken, or a colleague has it (since a moment in milliseconds since 1970), or computers have yet to say what they
 * know, since the database may have forgotten some of it.
 */
export type LeaseAnswer =
  | { readonly is: 'taken'; readonly key: LeaseKey; readonly pollInMs: number }
  | { readonly is: 'held'; readonly member: string; readonly since: number; readonly leftMs: number }
  | { readonly is: 'waits'; readonly computers: string };

export type TeamIntend =
  | { readonly is: 'ok' | 'fenced' }
  /** Rows with a send that is not settled, or without a sign-off, as `kind:id`. */
  | { readonly is: 'live' | 'needs-sign-off'; readonly names: readonly string[] }
  | { readonly is: 'over-budget'; readonly waitMs: number };

/** What became of a request, as it is told to the database. */
export interface IntentOutcome extends RequestOutcome {
  readonly class: string;
  readonly detail: string;
}

/** How far a computer knows the intents of a server; another server numbers its changes anew. */
export interface IntentMark {
  readonly server: string;
  readonly changes: number;
}

export interface OpenIntents extends IntentMark {
  /** Whether others wait for what this computer knows, since the database may have forgotten some of it. */
  readonly isAwaited: boolean;
  /** Of the correlation ids that were handed in, those the database does not know. */
  readonly unknown: readonly string[];
  readonly intents: readonly (TeamIntent & { readonly desk: number })[];
}

/** The lease and the intents of an account, as one computer of the team reads and writes them. */
export type SenderDatabase = ReturnType<typeof openSender>;

export function openSender(client: Queries, account: string, desk: number) {
  // Several requests of a sync are under way at once, and a lease is renewed beside them.
  const inTurn = createSerialQueue();
  /** The one row of a function's answer. */
  const call = async <Row extends object>(name: string, ...args: readonly unknown[]): Promise<Row> => {
    const all = [account, desk, ...args];
    const places = all.map((_, at) => `$${at + 1}`).join(', ');
    return inTurn(() => oneRow<Row>(client, `SELECT * FROM adslate.${name}(${places})`, all));
  };
  const withKey = async <Answer>(
    name: string,
    { epoch, token }: LeaseKey,
    ...args: readonly unknown[]
  ): Promise<Answer> => Object.values(await call<Record<string, Answer>>(name, epoch, token, ...args))[0] as Answer;
  return {
    desk,
    take: async (): Promise<LeaseAnswer> => {
      const row = await call<LeaseRow>('lease_take_v1');
      if (row.answer === 'waits') return { is: 'waits', computers: row.member };
      return row.answer === 'taken'
        ? { is: 'taken', key: { epoch: row.epoch, token: row.token }, pollInMs: Number(row.poll_in_ms) }
        : { is: 'held', member: row.member, since: row.since.getTime(), leftMs: Number(row.left_ms) };
    },
    renew: (key: LeaseKey) => withKey<boolean>('lease_renew_v1', key),
    /** @param pollAfterMs when the next computer may ask the service by itself; null leaves it as it is */
    release: (key: LeaseKey, pollAfterMs: number | null) => withKey<boolean>('lease_release_v1', key, pollAfterMs),
    intend: async ({ epoch, token }: LeaseKey, batch: NewBatch, perHour: number): Promise<TeamIntend> => {
      const row = await call<IntendRow>('intend_v1', epoch, token, JSON.stringify(wireOf(batch)), batch.body, perHour);
      if (row.answer === 'over-budget') return { is: row.answer, waitMs: Number(row.wait_ms) };
      return row.answer === 'ok' || row.answer === 'fenced'
        ? { is: row.answer }
        : { is: row.answer, names: row.row_refs ?? [] };
    },
    dateAnew: (key: LeaseKey, correlation: string) => withKey<boolean>('date_anew_v1', key, correlation),
    /** `otherwise`: the database knows another outcome. */
    settle: (key: LeaseKey, outcome: IntentOutcome) =>
      withKey<'ok' | 'fenced' | 'otherwise'>('settle_v1', key, ...outcomeArgs(outcome)),
    /** A late answer, for which no lease is needed. @returns whether its request is known */
    receipt: async (outcome: IntentOutcome): Promise<boolean> =>
      (await call<{ receipt_v1: boolean }>('receipt_v1', ...outcomeArgs(outcome))).receipt_v1,
    importIntents: async (intents: readonly TeamIntent[]): Promise<number> => {
      const wire = intents.map((intent) => ({ ...intent, method: 'POST', path: '', attempt: 0 }));
      return (await call<{ import_intents_v1: number }>('import_intents_v1', JSON.stringify(wire))).import_intents_v1;
    },
    open: async (mark: IntentMark | null, known: readonly string[]): Promise<OpenIntents> => {
      const row = await call<OpenRow>('what_is_open_v1', mark?.server ?? '', mark?.changes ?? 0, known);
      const { server, changes, is_awaited: isAwaited, unknown, intents } = row;
      return { server, changes: Number(changes), isAwaited, unknown, intents };
    },
  };
}

interface LeaseRow {
  readonly answer: 'taken' | 'held' | 'waits';
  readonly epoch: number;
  readonly token: string;
  readonly poll_in_ms: string;
  readonly member: string;
  readonly since: Date;
  readonly left_ms: string;
}

interface IntendRow {
  readonly answer: TeamIntend['is'];
  readonly row_refs: readonly string[] | null;
  readonly wait_ms: string;
}

interface OpenRow {
  readonly server: string;
  readonly changes: string;
  readonly is_awaited: boolean;
  readonly unknown: readonly string[];
  readonly intents: OpenIntents['intents'];
}

const outcomeArgs = ({ correlation, class: of, detail, ops }: IntentOutcome) =>
  [correlation, of, detail, JSON.stringify(ops)] as const;

/** The names under which the functions of the database read a request. Values travel as text, which keeps them as they are. */
function wireOf({ correlationId, campaignId, adGroupId, body: _, ops, ...batch }: NewBatch) {
  return {
    ...batch,
    correlation: correlationId,
    campaign: campaignId,
    adGroup: adGroupId,
    ops: ops.map((op) => ({
      kind: op.kind,
      row: op.rowId,
      sent: JSON.stringify(op.sent),
      base: op.base === null ? null : JSON.stringify(op.base),
      digest: op.digest,
    })),
  };
}

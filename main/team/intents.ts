import { createSerialQueue } from '../../shared/serial-queue.ts';
import type { NewBatch } from '../store/outbox/outbox-types.ts';
import type { RequestOutcome, TeamIntent } from '../store/outbox/team-intents.ts';
import { oneRow, type Queries } from './connection.ts';

/** Identifies a lease in every write. An epoch may repeat after a failover, a token never. */
export interface LeaseKey {
  readonly epoch: number;
  readonly token: string;
}

/**
 * The lease was taken; or a colleague holds it (`since` in milliseconds since 1970); or the database may have lost
 * requests, and the named computers must report theirs first.
 */
export type LeaseAnswer =
  | { readonly is: 'taken'; readonly key: LeaseKey; readonly pollInMs: number }
  | { readonly is: 'held'; readonly member: string; readonly since: number; readonly leftMs: number }
  | { readonly is: 'waits'; readonly computers: string };

export type TeamIntend =
  | { readonly is: 'ok' | 'fenced' }
  /** Rows with an unsettled send, or without a sign-off, as `kind:id`. */
  | { readonly is: 'live' | 'needs-sign-off'; readonly names: readonly string[] }
  | { readonly is: 'over-budget'; readonly waitMs: number };

/** The outcome of a request as reported to the database. */
export interface IntentOutcome extends RequestOutcome {
  readonly class: string;
  readonly detail: string;
}

/** The change number up to which a computer has read the intents of a server. Another server starts its own numbers. */
export interface IntentMark {
  readonly server: string;
  readonly changes: number;
}

export interface OpenIntents extends IntentMark {
  /** Whether the database may have lost requests and waits for this computer's report. */
  readonly isAwaited: boolean;
  /** The given correlation IDs that the database does not have. */
  readonly unknown: readonly string[];
  readonly intents: readonly (TeamIntent & { readonly desk: number })[];
}

/** Reads and writes the lease and the intents of an account for one computer of the team. */
export type SenderDatabase = ReturnType<typeof openSender>;

export function openSender(client: Queries, account: string, desk: number) {
  // Several requests of a sync run at once, and the lease is renewed at the same time.
  const inTurn = createSerialQueue();
  /** Calls a function and returns its one row. */
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
    /** @param pollAfterMs when the next computer may poll the service; null changes nothing */
    release: (key: LeaseKey, pollAfterMs: number | null) => withKey<boolean>('lease_release_v1', key, pollAfterMs),
    intend: async ({ epoch, token }: LeaseKey, batch: NewBatch, perHour: number): Promise<TeamIntend> => {
      const row = await call<IntendRow>('intend_v1', epoch, token, JSON.stringify(wireOf(batch)), batch.body, perHour);
      if (row.answer === 'over-budget') return { is: row.answer, waitMs: Number(row.wait_ms) };
      return row.answer === 'ok' || row.answer === 'fenced'
        ? { is: row.answer }
        : { is: row.answer, names: row.row_refs ?? [] };
    },
    dateAnew: (key: LeaseKey, correlation: string) => withKey<boolean>('date_anew_v1', key, correlation),
    /** `otherwise`: the database has another outcome. */
    settle: (key: LeaseKey, outcome: IntentOutcome) =>
      withKey<'ok' | 'fenced' | 'otherwise'>('settle_v1', key, ...outcomeArgs(outcome)),
    /** Reports a late answer; no lease is needed. @returns whether its request is known */
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

/** Request fields as the database functions name them. Values are sent as text to keep them unchanged. */
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

import { isOpen, type TeamIntent, type TeamIntentOp } from '../../../main/store/outbox/team-intents.ts';
import type { IntentOutcome, LeaseKey, OpenIntents, SenderDatabase, TeamIntend } from '../../../main/team/intents.ts';

interface ModelIntent extends Omit<TeamIntent, 'ops' | 'sentInMs' | 'lastInMs'> {
  readonly desk: number;
  sentAt: number;
  lastAt: number;
  readonly ops: ModelOp[];
}
type ModelOp = { -readonly [Name in keyof TeamIntentOp]: TeamIntentOp[Name] } & { change: number };

interface State {
  epoch: number;
  token: string | null;
  desk: number;
  takenAt: number;
  expiresAt: number | null;
  nextPollAt: number;
  changes: number;
  server: number;
  unreported: number[];
  rate: { readonly level: number; readonly at: number } | null;
  intents: ModelIntent[];
}

const WIRE_MS = 65_000;
const LEASE_MS = 60_000;
const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
const REMEMBERED = 8;
const TAKEN_OVER = 'the lease was taken over before the answer was written down';
const SENT_AGAIN = 'settled before the row was sent again';

/** The lease and the intents in plain objects, as the functions of the database have them (`sender.ts`). */
export class ModelSender {
  #state: State = {
    ...{ epoch: 0, token: null, desk: 0, takenAt: 0, expiresAt: null, nextPollAt: 0, changes: 0, server: 1 },
    ...{ unreported: [], rate: null, intents: [] },
  };
  #before: State[] = [];
  #tokens = 0;
  /** Which server this is: a standby that takes over is another. */
  server = 1;
  /** When each request was dated last, by its correlation id; forgotten ones too. */
  readonly dated = new Map<string, number>();
  readonly #now: () => number;
  readonly #desks: readonly number[];

  constructor(now: () => number, desks: readonly number[]) {
    this.#now = now;
    this.#desks = desks;
  }

  get state(): Readonly<State> {
    return this.#state;
  }

  /** A standby takes over that lacks the last changes. */
  failover(forgets: number): void {
    this.server++;
    const kept = this.#before.at(-1 - forgets) ?? this.#before[0];
    if (forgets > 0 && kept !== undefined) this.#state = structuredClone(kept);
    this.#before = [];
  }

  desk(desk: number): SenderDatabase {
    const changing = async <T>(work: () => T): Promise<T> => {
      this.#before.push(structuredClone(this.#state));
      if (this.#before.length > REMEMBERED) this.#before.shift();
      return work();
    };
    return {
      desk,
      take: () => changing(() => this.#take(desk)),
      renew: (key) => changing(() => this.#holds(desk, key)),
      release: (key, pollAfterMs) =>
        changing(() => {
          if (!this.#holds(desk, key)) return false;
          Object.assign(this.#state, { token: null, expiresAt: this.#now() });
          if (pollAfterMs !== null) this.#state.nextPollAt = this.#now() + pollAfterMs;
          return true;
        }),
      intend: (key, batch, perHour) => changing(() => this.#intend(desk, key, batch, perHour)),
      dateAnew: (key, correlation) =>
        changing(() => {
          const intent = this.#by(correlation);
          if (!this.#holds(desk, key) || intent === undefined) return false;
          if (!intent.ops.some(({ state }) => state === 'SENT')) return false;
          Object.assign(intent, { sentAt: this.#now(), lastAt: this.#now() + WIRE_MS });
          this.dated.set(correlation, this.#now());
          return true;
        }),
      settle: (key, outcome) =>
        changing(() => (this.#holds(desk, key) ? (this.#settle(outcome) ? 'ok' : 'otherwise') : 'fenced')),
      receipt: (outcome) =>
        changing(() => {
          if (this.#by(outcome.correlation)?.desk !== desk) return false;
          this.#settle({ ...outcome, ops: outcome.ops.filter(({ state }) => !isOpen(state)) });
          return true;
        }),
      importIntents: (intents) =>
        changing(() => {
          const fresh = intents.filter(({ correlation }) => this.#by(correlation) === undefined);
          for (const intent of fresh) this.#write(desk, intent, this.#now() + intent.lastInMs);
          this.#state.unreported = this.#state.unreported.filter((each) => each !== desk);
          return fresh.length;
        }),
      open: async (mark, known) => this.#open(desk, mark, known),
    };
  }

  #by(correlation: string): ModelIntent | undefined {
    return this.#state.intents.find((intent) => intent.correlation === correlation);
  }

  #take(desk: number): Awaited<ReturnType<SenderDatabase['take']>> {
    const s = this.#state;
    const now = this.#now();
    if (s.server !== this.server)
      Object.assign(s, { server: this.server, token: null, expiresAt: now, unreported: [...this.#desks] });
    if (s.unreported.length > 0) return { is: 'waits', computers: s.unreported.join(', ') };
    if (s.token !== null && (s.expiresAt ?? 0) > now && s.desk !== desk)
      return { is: 'held', member: `member of ${s.desk}`, since: s.takenAt, leftMs: (s.expiresAt ?? 0) - now };
    const ended = s.expiresAt ?? now;
    for (const intent of s.intents) {
      for (const op of intent.ops) {
        if (op.state !== 'SENT') continue;
        intent.lastAt = ended + WIRE_MS;
        Object.assign(op, { state: 'IN_DOUBT', reason: TAKEN_OVER, change: ++s.changes });
      }
    }
    const token = `token ${++this.#tokens}`;
    Object.assign(s, { epoch: s.epoch + 1, token, desk, takenAt: now, expiresAt: now + LEASE_MS });
    return { is: 'taken', key: { epoch: s.epoch, token }, pollInMs: Math.max(0, s.nextPollAt - now) };
  }

  #holds(desk: number, { epoch, token }: LeaseKey): boolean {
    const s = this.#state;
    if (s.epoch !== epoch || s.desk !== desk || s.token === null || s.server !== this.server) return false;
    if (s.token !== token) return false;
    s.expiresAt = this.#now() + LEASE_MS;
    return true;
  }

  #intend(desk: number, key: LeaseKey, batch: Parameters<SenderDatabase['intend']>[1], perHour: number): TeamIntend {
    if (!this.#holds(desk, key)) return { is: 'fenced' };
    if (this.#by(batch.correlationId) !== undefined) return { is: 'ok' };
    const live = batch.ops.filter(({ kind, rowId }) => this.#isLive(kind, rowId, batch.verb));
    if (live.length > 0) {
      const rows = live.map(({ kind, rowId }) => ({ kind, rowId })).toSorted((a, b) => a.rowId - b.rowId);
      return { is: 'live', names: rows.map(({ kind, rowId }) => `${kind}:${rowId}`) };
    }
    const waitMs = this.#spend(batch.ops.length, perHour);
    if (waitMs > 0) return { is: 'over-budget', waitMs };
    const ops = batch.ops.map(
      (op, idx): TeamIntentOp => ({
        ...{
          idx,
          kind: op.kind,
          row: op.rowId,
          sent: JSON.stringify(op.sent),
          state: 'SENT',
          remoteId: null,
          reason: null,
        },
        base: op.base === null ? null : JSON.stringify(op.base),
      }),
    );
    const { correlationId, kind, verb, campaignId, adGroupId, preImage, body } = batch;
    const intent = { correlation: correlationId, kind, verb, campaign: campaignId, adGroup: adGroupId, preImage, body };
    this.#write(desk, { ...intent, sentInMs: 0, lastInMs: WIRE_MS, ops }, this.#now() + WIRE_MS);
    return { is: 'ok' };
  }

  #isLive(kind: string, row: number, verb: string): boolean {
    return this.#state.intents.some(
      (intent) =>
        intent.verb === verb && intent.ops.some((op) => op.kind === kind && op.row === row && isOpen(op.state)),
    );
  }

  #spend(elements: number, perHour: number): number {
    const s = this.#state;
    const whole = perHour * 1000;
    const passed = Math.max(0, this.#now() - (s.rate?.at ?? 0));
    const level = s.rate === null ? whole : Math.min(whole, Math.floor(s.rate.level + (passed / HOUR_MS) * whole));
    const wanted = Math.min(elements, perHour) * 1000;
    if (level < wanted) return Math.ceil(((wanted - level) * HOUR_MS) / whole);
    s.rate = { level: level - wanted, at: this.#now() };
    return 0;
  }

  #write(desk: number, intent: TeamIntent, lastAt: number): void {
    const change = ++this.#state.changes;
    const { sentInMs, lastInMs: _, ...head } = intent;
    const sentAt = this.#now() + sentInMs;
    for (const op of intent.ops.filter(({ state }) => state === 'IN_DOUBT' || state === 'NEEDS_USER')) {
      for (const older of this.#state.intents) {
        if (older.sentAt > sentAt || older.verb !== intent.verb) continue;
        const own = older.ops.find(({ kind, row, state }) => kind === op.kind && row === op.row && isOpen(state));
        if (own !== undefined) Object.assign(own, { state: 'RETURNED', reason: SENT_AGAIN, change });
      }
    }
    const ops = intent.ops.map((op): ModelOp => {
      const isTaken = isOpen(op.state) && this.#isLive(op.kind, op.row, intent.verb);
      return { ...op, state: isTaken ? 'RETURNED' : op.state, change };
    });
    this.#state.intents.push({ ...head, desk, sentAt, lastAt, ops });
    this.dated.set(intent.correlation, this.#now());
  }

  #settle({ correlation, ops }: IntentOutcome): boolean {
    const change = ++this.#state.changes;
    const intent = this.#by(correlation);
    if (intent === undefined) return false;
    if (intent.ops.some(({ state }) => state === 'SENT')) intent.lastAt = Math.min(intent.lastAt, this.#now());
    for (const { idx, state, remoteId, reason } of ops) {
      const op = intent.ops.find((each) => each.idx === idx);
      if (op !== undefined && isOpen(op.state) && state !== 'SENT')
        Object.assign(op, { state, remoteId, reason, change });
    }
    return ops.every(({ idx, state, remoteId }) => {
      const op = intent.ops.find((each) => each.idx === idx);
      return op === undefined || (op.state === state && op.remoteId === remoteId);
    });
  }

  #open(desk: number, mark: Parameters<SenderDatabase['open']>[0], known: readonly string[]): OpenIntents {
    const s = this.#state;
    const now = this.#now();
    const since = mark?.server === String(this.server) ? mark.changes : null;
    const shown = s.intents.filter(({ ops, sentAt }) => {
      if (ops.some(({ state }) => isOpen(state))) return true;
      return ops.some(({ change }) => change > (since ?? 0)) && (since !== null || sentAt > now - WEEK_MS);
    });
    return {
      server: String(this.server),
      changes: s.changes,
      isAwaited: s.unreported.includes(desk),
      unknown: known.filter((correlation) => this.#by(correlation) === undefined),
      intents: shown.map(({ sentAt, lastAt, ops, body, ...head }) => ({
        ...head,
        body: ops.some(({ state }) => isOpen(state)) ? body : '',
        sentInMs: Math.round(sentAt - now),
        lastInMs: Math.round(lastAt - now),
        ops: ops.map(({ change: _, ...op }) => op),
      })),
    };
  }
}

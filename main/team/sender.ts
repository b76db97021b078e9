import { fail, ok } from '../../shared/result.ts';
import { isOpen, type OpOutcome } from '../store/outbox/team-intents.ts';
import type { Outbox, TakeTurn } from '../sync/ports.ts';
import type { IntentMark, IntentOutcome, LeaseAnswer, SenderDatabase } from './intents.ts';
import { holdLease, LEASE_TAKEN, type Lease, type LeaseClock, whyAway } from './lease.ts';

/** What sending for a team needs in addition to the outbox of this computer. */
export interface TeamSenderDeps {
  /** The lease and the intents; throws when the database can't be reached. */
  readonly database: () => Promise<SenderDatabase>;
  /**
   * Takes the entries of colleagues, so that no plan is based on outdated rows.
   *
   * @returns the text for the user if the log can't be read to its end; null if it was
   * @throws when the database can't be reached
   */
  readonly catchUp: () => Promise<string | null>;
  /** How far this computer has read the intents. */
  readonly mark: { read(): Promise<IntentMark | null>; write(mark: IntentMark): Promise<void> };
  /** Correlation IDs in the side journal: requests that may have left this computer. */
  readonly journaled: () => Promise<ReadonlySet<string>>;
  readonly clock: LeaseClock & { nowMs(): number };
}

/** Requests of this period are compared with the database each time the lease is taken. */
const RECENT_MS = 24 * 3_600_000;

/**
 * Lets this computer send when no colleague does. A turn first reads the log, then the requests of all computers, so
 * that requests of colleagues are confirmed here before anything is planned.
 */
export const teamTurns =
  (deps: TeamSenderDeps, local: Outbox): TakeTurn =>
  async () => {
    try {
      const db = await deps.database();
      const taken = await takeOrReport(deps, db, local);
      if (taken.is === 'waits') return awayFrom(waitsText(taken.computers));
      if (taken.is === 'held') {
        const { member, since, leftMs } = taken;
        return fail('COLLEAGUE_SYNCS', { member, since, until: Math.round(deps.clock.nowMs() + leftMs) });
      }
      const lease = holdLease(db, taken.key, deps.clock);
      let begun: { readonly stopped: string | null } | null = null;
      try {
        begun = await lease.use(async () => {
          const stopped = await deps.catchUp();
          if (stopped === null) await recall(deps, db, lease, local);
          return { stopped };
        });
      } finally {
        if (begun?.stopped !== null) await lease.end(null);
      }
      if (begun?.stopped !== null) return awayFrom(begun?.stopped ?? lease.lost()?.detail ?? '');
      const outbox = teamOutbox({ db, lease, local });
      return ok({ outbox, lost: lease.lost, pollInMs: taken.pollInMs, end: lease.end, keep: lease.keep });
    } catch (thrown) {
      return awayFrom(whyAway(thrown));
    }
  };

/** Takes the lease. If the database waits for reports, this computer reports its requests and tries again. */
export async function takeOrReport(deps: ReportDeps, db: SenderDatabase, local: Sent): Promise<LeaseAnswer> {
  const taken = await db.take();
  if (taken.is !== 'waits') return taken;
  await reportSent(deps, db, local);
  return db.take();
}

const awayFrom = (detail: string) => fail('TEAM_OFFLINE', { since: null, detail });

export const waitsText = (computers: string): string =>
  `The team's database was restored. Before the next sync, these computers must connect once: ${computers}. If one is lost, an admin can retire it in Settings > Team.`;

/** The part of the outbox that reports use; reading it needs no lease. */
type Sent = Pick<Outbox, 'correlationsSince' | 'intentsOf'>;
type ReportDeps = Pick<TeamSenderDeps, 'mark'> & { readonly clock: Pick<TeamSenderDeps['clock'], 'nowMs'> };

/**
 * Reports this computer's requests and their outcomes to a database that may have lost them, so that users are not asked
 * about known outcomes. Needs no lease.
 */
export async function reportSent({ clock, mark }: ReportDeps, db: SenderDatabase, local: Sent) {
  const known = await local.correlationsSince({ since: clock.nowMs() - RECENT_MS });
  const open = await db.open(await mark.read(), known);
  if (open.unknown.length > 0 || open.isAwaited) {
    const own = open.intents.filter(({ desk, ops }) => desk === db.desk && ops.some(({ state }) => isOpen(state)));
    for (const { correlation, ops } of await local.intentsOf({
      correlations: own.map((intent) => intent.correlation),
    })) {
      const settled = ops.filter(({ state }) => !isOpen(state));
      if (settled.length > 0) await db.receipt({ correlation, class: 'RECALLED', detail: 'known here', ops: settled });
    }
    await db.importIntents(await local.intentsOf({ correlations: open.unknown }));
  }
  return open;
}

/** Reconciles the local outbox with the database; either may lack requests that the other has. */
async function recall(deps: TeamSenderDeps, db: SenderDatabase, lease: Lease, local: Outbox): Promise<void> {
  await local.recover();
  const open = await reportSent(deps, db, local);
  const unsent = await neverLeft(db.desk, open.intents, local, deps.journaled);
  for (const { correlation, ops } of unsent) {
    const returned = ops.map((op): OpOutcome => ({ ...op, state: 'RETURNED', reason: NEVER_LEFT }));
    await db.settle(lease.key, { correlation, class: 'NOT_SENT', detail: NEVER_LEFT, ops: returned });
  }
  const others = open.intents.filter((intent) => !unsent.includes(intent));
  const ahead = await local.recallIntents({ intents: others });
  for (const outcome of ahead) await db.settle(lease.key, { ...outcome, class: 'RECALLED', detail: 'known here' });
  await deps.mark.write({ server: open.server, changes: open.changes });
}

const NEVER_LEFT = 'the program ended before anything of it was sent';

/** Open intents of this computer that are neither in its outbox nor in its journal: they were never sent. */
async function neverLeft(
  desk: number,
  intents: Awaited<ReturnType<SenderDatabase['open']>>['intents'],
  local: Outbox,
  journaled: TeamSenderDeps['journaled'],
) {
  const own = intents.filter((intent) => intent.desk === desk && intent.ops.some(({ state }) => isOpen(state)));
  if (own.length === 0) return [];
  const known = new Set(await local.correlationsKnown({ ids: own.map(({ correlation }) => correlation) }));
  const written = await journaled();
  return own.filter(({ correlation }) => !known.has(correlation) && !written.has(correlation));
}

interface TeamOutboxDeps {
  readonly db: SenderDatabase;
  readonly lease: Lease;
  readonly local: Outbox;
}

/**
 * The outbox of a turn. An intent is written to the database first, then here; an outcome is written here first, then
 * there. So after a crash one of the two is always up to date.
 */
function teamOutbox({ db, lease, local }: TeamOutboxDeps): Outbox {
  /** Reports the outcome that this outbox has for a request to the database. */
  const tellOf = async (of: { readonly batchId: number } | { readonly opId: number }, by: string, detail: string) => {
    const outcome = await local.outcomeOf(of);
    if (outcome !== null) await tell({ ...outcome, class: by, detail });
  };
  const tell = async (outcome: IntentOutcome): Promise<void> => {
    const said = await lease.use(() => db.settle(lease.key, outcome));
    if (said === 'ok') return;
    lease.lose(said === 'otherwise' ? KNOWN_OTHERWISE : LEASE_TAKEN);
    // An answer is proof, whoever holds the lease by now. If it can't be reported now, the next turn does it.
    if (said !== 'otherwise') await db.receipt(outcome).catch(whyAway);
  };
  const own: Partial<Outbox> = {
    saveIntent: async (args) => {
      const { batch } = args;
      // This outbox also counts what colleagues sent in the last hour, and knows the limit that the team has learned.
      const { perHour } = await local.changeLimit({ changes: 0 });
      if (batch.ops.length > perHour) return { kind: 'too-many', perHour };
      const waitMs = await local.waitForChanges({ changes: batch.ops.length });
      if (waitMs > 0) return { kind: 'over-budget', waitMs };
      const said = await lease.use(() => db.intend(lease.key, batch, perHour));
      if (said === null || said.is === 'fenced') {
        lease.lose(LEASE_TAKEN);
        return { kind: 'stale-epoch' };
      }
      if (said.is === 'over-budget') return { kind: 'over-budget', waitMs: said.waitMs };
      if (said.is !== 'ok') return { kind: 'live', rowIds: batch.ops.map(({ rowId }) => rowId) };
      const answer = await local.saveIntent(args);
      if (answer.kind !== 'ok') {
        const ops = batch.ops.map((_, idx): OpOutcome => ({ idx, state: 'RETURNED', remoteId: null, reason: null }));
        await tell({ correlation: batch.correlationId, class: 'NOT_SENT', detail: answer.kind, ops });
      }
      return answer;
    },
    renewTimestamp: async (args) => {
      const batch = await local.outcomeOf({ batchId: args.batchId });
      const isOurs = batch !== null && (await lease.use(() => db.dateAnew(lease.key, batch.correlation)));
      if (isOurs !== true) lease.lose(LEASE_TAKEN);
      return isOurs === true && local.renewTimestamp(args);
    },
    recordOutcome: async (args) => {
      const outcome = await local.recordOutcome(args);
      await tellOf({ batchId: args.batchId }, args.class, args.settlement.is);
      return outcome;
    },
    adopt: async (args) => {
      const answer = await local.adopt(args);
      if (answer.adopted) await tellOf({ opId: args.opId }, 'ADOPTED', args.evidence);
      return answer;
    },
    markNotProcessed: async (args) => {
      await local.markNotProcessed(args);
      await tellOf({ opId: args.opId }, 'ABSENT', args.evidence);
    },
    openUnresolved: async (args) => {
      await local.openUnresolved(args);
      await tellOf({ opId: args.opId }, 'ASKED', args.why);
    },
    resolve: async (args) => {
      const asked = await local.question({ id: args.questionId });
      const answer = await local.resolve(args);
      if (asked !== null && answer.problem === null) await tellOf({ opId: asked.opId }, 'ANSWERED', 'by a person');
      return answer;
    },
    // Rows read before a colleague took over would undo what has been sent since.
    merge: async (args) => (lease.lost() === null ? local.merge(args) : { merged: false }),
  };
  return Object.assign(Object.create(local) as Outbox, own);
}

const KNOWN_OTHERWISE = 'A colleague has settled a request in another way. Sync again.';

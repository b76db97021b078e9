import { err, ok } from '../../shared/result.ts';
import { isOpen, type OpOutcome } from '../store/outbox/team-intents.ts';
import type { NoTurn, Outbox, TakeTurn } from '../sync/ports.ts';
import type { IntentMark, IntentOutcome, LeaseAnswer, SenderDatabase } from './intents.ts';
import { holdLease, LEASE_TAKEN, type Lease, type LeaseClock, whyAway } from './lease.ts';

/** What sending for a team needs beside the outbox of this computer. */
export interface TeamSenderDeps {
  /** The lease and the intents; fails when the database cannot be reached. */
  readonly database: () => Promise<SenderDatabase>;
  /** Takes in what colleagues have shared, so that nothing is planned from old rows. */
  readonly catchUp: () => Promise<void>;
  /** How far this computer knows the intents. */
  readonly mark: { read(): Promise<IntentMark | null>; write(mark: IntentMark): Promise<void> };
  /** Correlation ids of the side journal: what it knows may have left this computer. */
  readonly journaled: () => Promise<ReadonlySet<string>>;
  readonly clock: LeaseClock & { nowMs(): number };
}

/** What a computer has sent within this time is compared with the database each time it takes the lease. */
const RECENT_MS = 24 * 3_600_000;

/**
 * Lets this computer send when no colleague does. A turn begins with what the team knows: the log, then the requests of all
 * computers, so that what a colleague has sent is confirmed here before anything is planned.
 */
export const teamTurns =
  (deps: TeamSenderDeps, local: Outbox): TakeTurn =>
  async () => {
    try {
      const db = await deps.database();
      const taken = await takeOrReport(deps, db, local);
      if (taken.is === 'waits') return err(awayFrom(waitsText(taken.computers)));
      if (taken.is === 'held') {
        const { member, since, leftMs } = taken;
        return err({ kind: 'colleague-syncs', member, since, until: Math.round(deps.clock.nowMs() + leftMs) });
      }
      const lease = holdLease(db, taken.key, deps.clock);
      const begun = await lease.use(async () => {
        await deps.catchUp();
        await recall(deps, db, lease, local);
        return true;
      });
      if (begun === null) return err(awayFrom(lease.lost()?.detail ?? ''));
      const outbox = teamOutbox({ db, lease, local });
      return ok({ outbox, lost: lease.lost, pollInMs: taken.pollInMs, end: lease.end, keep: lease.keep });
    } catch (thrown) {
      return err(awayFrom(whyAway(thrown)));
    }
  };

/** Takes the lease; a database that waits for what this computer has sent is told it first. */
export async function takeOrReport(deps: ReportDeps, db: SenderDatabase, local: Sent): Promise<LeaseAnswer> {
  const taken = await db.take();
  if (taken.is !== 'waits') return taken;
  await reportSent(deps, db, local);
  return db.take();
}

const awayFrom = (detail: string): NoTurn => ({ kind: 'team-away', detail });

export const waitsText = (computers: string): string =>
  `The team's database was restored. Before the next sync, these computers must connect once: ${computers}. If one is lost, an admin can retire it in Settings > Team.`;

/** What this computer has sent; to read it nothing has to be taken over. */
type Sent = Pick<Outbox, 'correlationsSince' | 'intentsOf'>;
type ReportDeps = Pick<TeamSenderDeps, 'mark'> & { readonly clock: Pick<TeamSenderDeps['clock'], 'nowMs'> };

/**
 * Says to a database that may have forgotten it what this computer has sent, and what became of it: nobody has to be asked what is
 * known here. Needs no turn.
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

/** Makes the local outbox and the database say the same of every request; both may know what the other has forgotten. */
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

/** Open intents of this computer that neither its outbox nor its journal knows: nothing of them has left it. */
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
 * The outbox of a turn. An intent is written to the database first and then here; an outcome here first and then there, so
 * that whatever dies in between, one of the two knows at least as much as has happened.
 */
function teamOutbox({ db, lease, local }: TeamOutboxDeps): Outbox {
  /** Tells the database what this outbox says of a request by now. */
  const tellOf = async (of: { readonly batchId: number } | { readonly opId: number }, by: string, detail: string) => {
    const outcome = await local.outcomeOf(of);
    if (outcome !== null) await tell({ ...outcome, class: by, detail });
  };
  const tell = async (outcome: IntentOutcome): Promise<void> => {
    const said = await lease.use(() => db.settle(lease.key, outcome));
    if (said === 'ok') return;
    lease.lose(said === 'otherwise' ? KNOWN_OTHERWISE : LEASE_TAKEN);
    // What was answered is proof, whoever has the lease by now. What cannot be told now is told with the next turn.
    if (said !== 'otherwise') await db.receipt(outcome).catch(whyAway);
  };
  const own: Partial<Outbox> = {
    saveIntent: async (args) => {
      const { batch } = args;
      // This outbox knows what colleagues have sent in the last hour, and what the team has learned of the limit.
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
    // What was read before a colleague took over would undo what has been sent since.
    merge: async (args) => (lease.lost() === null ? local.merge(args) : { merged: false }),
  };
  return Object.assign(Object.create(local) as Outbox, own);
}

const KNOWN_OTHERWISE = 'A colleague has settled a request in another way. Sync again.';

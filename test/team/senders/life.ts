import { TURN_MS } from '../../../main/store/outbox/outbox-types.ts';
import type { Turn } from '../../../main/sync/ports.ts';
import { refresh } from '../../../main/sync/refresh.ts';
import { runSync } from '../../../main/sync/run.ts';
import type { IntentMark, SenderDatabase } from '../../../main/team/intents.ts';
import { teamTurns } from '../../../main/team/sender.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { isDeleted, isNew } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../../shared/plan/plan-types.ts';
import { aContext } from '../../sync/simulator/a-context.ts';
import { checkAtEnd, isAtRest } from '../../sync/simulator/invariants.ts';
import { accept, createModelRows, type ModelRows, rowOf, rowsOf } from '../../sync/simulator/model-rows.ts';
import { createModelService, type ModelService } from '../../sync/simulator/model-service.ts';
import { createModelStore, type ModelStore } from '../../sync/simulator/model-store.ts';
import { PROFILE } from '../../sync/simulator/real-store.ts';
import { type Seeded, seeded, type VirtualClock, virtualClock } from '../../sync/simulator/seeded.ts';
import {
  Crash,
  createSimulatedAccount,
  type Interruption,
  type Process,
  type SimulatedAccount,
} from '../../sync/simulator/simulated-account.ts';
import { make, type Person, randomDraft, settleConflicts, trueAnswer, workAWhile } from '../../sync/simulator/user.ts';
import { ModelSender } from './model-sender.ts';

export interface SenderFigures {
  turns: number;
  refused: number;
  crashes: number;
  frozen: number;
  failovers: number;
  cuts: number;
  requests: number;
  doubts: number;
  questions: number;
}

/** A computer of the team: its store lasts, its processes come and go. */
interface Desk {
  readonly no: number;
  readonly store: ModelStore;
  readonly account: SimulatedAccount;
  mark: IntentMark | null;
}

interface Frozen {
  readonly process: Process;
  readonly running: Promise<void>;
  readonly desk: Desk;
}

interface Life {
  readonly random: Seeded;
  readonly clock: VirtualClock;
  readonly service: ModelService;
  readonly server: ModelSender;
  readonly desks: readonly Desk[];
  readonly person: Person;
  readonly figures: SenderFigures;
  readonly problems: string[];
  readonly extensions: boolean;
  /** What the team shares: the rows, and how often they changed. */
  rows: ModelRows;
  version: number;
  isCalm: boolean;
}

const CALM_MAX = 80;
/** As much time passes at once for all that is done side by side. */
const STEP_MS = 15_000;
/** A request may arrive as long after the end of the lease it was sent under: an intent's age and its time on the wire. */
const LATE_MS = 65_000;

/**
 * One life of an account that two to four computers share: one after the other they sync, die, stand still while a colleague
 * takes over, and go on; the connection to the database is cut, and a standby takes over that has forgotten the last changes.
 * In the end everything is on the service once, as it was wanted.
 */
export async function playLife(
  seed: number,
): Promise<{ readonly problems: readonly string[]; readonly figures: SenderFigures }> {
  const life = newLife(seed);
  const { random, clock, service, server, desks, person, figures, problems } = life;
  onDesk(life, pick(life), () => make(person, randomDraft(random, 'First')));
  if (random.chance(0.3)) onDesk(life, pick(life), () => make(person, randomDraft(random, 'Second')));
  const storms = 2 + random.int(6);
  const frozen: Frozen[] = [];
  let wasRest = false;
  for (let step = 0; step < storms + CALM_MAX && problems.length === 0; step++) {
    life.isCalm = step >= storms;
    service.setFaults(life.isCalm ? 0 : 0.25);
    const desk = life.isCalm ? (desks[step % desks.length] ?? pick(life)) : pick(life);
    // A computer that stands still has its only process there.
    const still = frozen.findIndex((each) => each.desk === desk);
    if (still >= 0) await thaw(life, frozen.splice(still, 1));
    const turns = figures.turns;
    const started = await play(life, desk, life.isCalm ? null : interruptionOf(random));
    if (started !== null) frozen.push(started);
    if (life.isCalm && frozen.length > 0) await thaw(life, frozen.splice(0, 1));
    if (!life.isCalm && random.chance(0.2)) {
      figures.failovers++;
      server.failover(random.int(5));
    }
    if (random.chance(0.6)) await clock.sleep(random.int(random.chance(0.7) ? 120_000 : 900_000));
    // Nobody edits what a process stands still with: that the log keeps such edits apart is not of this simulation.
    if (frozen.length === 0) onDesk(life, pick(life), () => (life.isCalm ? settleConflicts : workAWhile)(person));
    if (!life.isCalm && frozen.length > 0 && random.chance(0.5))
      await thaw(life, frozen.splice(random.int(frozen.length), 1));
    checkServer(life);
    // The last look at the service comes after the last request is settled.
    const isRest = life.isCalm && frozen.length === 0 && figures.turns > turns && isOver(life);
    if (isRest && wasRest && service.isQuiet()) break;
    wasRest = isRest;
    if (isRest) service.settle();
  }
  await thaw(life, frozen);
  service.settle();
  const [desk] = desks;
  if (desk !== undefined && problems.length === 0) {
    takeRows(life, desk);
    problems.push(...desks.flatMap(({ account }) => account.broken));
    problems.push(...checkAtEnd(desk.store, service, person.wishes, person.made));
  }
  figures.requests = service.arrived.length;
  return { problems, figures };
}

function newLife(seed: number): Life {
  const random = seeded(seed);
  const clock = virtualClock();
  const service = createModelService(random, clock, { cutsBids: random.chance(0.2) });
  const numbers = Array.from({ length: 2 + random.int(3) }, (_, at) => at + 1);
  const server = new ModelSender(() => clock.nowMs(), numbers);
  const desks = numbers.map((no): Desk => {
    const store = createModelStore(PROFILE);
    return { no, store, account: createSimulatedAccount(service, clock, store, random), mark: null };
  });
  const [first] = desks;
  if (first === undefined) throw new Error('a team without a computer');
  return {
    ...{ random, clock, service, server, desks, problems: [], extensions: random.chance(0.4) },
    person: { random, clock, service, store: first.store, wishes: new Map(), made: new Set() },
    figures: {
      turns: 0,
      refused: 0,
      crashes: 0,
      frozen: 0,
      failovers: 0,
      cuts: 0,
      requests: 0,
      doubts: 0,
      questions: 0,
    },
    ...{ rows: createModelRows(), version: 0, isCalm: false },
  };
}

const pick = ({ random, desks }: Life): Desk => desks[random.int(desks.length)] as Desk;

/** Takes in what the team shares; what this computer itself has made on the service it knows for good. */
function takeRows(life: Life, { store }: Desk): void {
  const rows = structuredClone(life.rows);
  Object.assign(store.state(), { rows });
  for (const { kind, rowId, verb, state, remoteId, sent } of store.state().box.ops) {
    const isUnknown = state === 'DONE' && verb === 'create' && rowOf(rows, kind, rowId)?.remoteId === null;
    if (isUnknown) accept(rows, kind, rowId, { remoteId, sent });
  }
}

/** A row that was taken out while it was being sent, and was not made, leaves with the facts of its computer. */
function dropTakenOut({ store }: Desk): void {
  const live = new Set(store.liveOps().map(({ kind, rowId }) => `${kind} ${rowId}`));
  for (const row of store.rows())
    if (isNew(row) && isDeleted(row) && !live.has(`${row.kind} ${row.id}`))
      rowsOf(store.state().rows, row.kind).delete(row.id);
}

function shareRows(life: Life, { store }: Desk): void {
  life.rows = structuredClone(store.state().rows);
  life.version++;
}

/** Somebody edits at a computer, and shares it. */
function onDesk(life: Life, desk: Desk, work: () => void): void {
  takeRows(life, desk);
  Object.assign(life.person, { store: desk.store });
  // Nor is the edit of a row that a computer has just deleted on the service.
  const deleted = life.desks.flatMap(({ store }) => store.state().box.ops.filter(isDeletion));
  const shown = desk.store.state().rows;
  if (deleted.some(({ kind, rowId }) => (rowOf(shown, kind, rowId)?.values as AnyValues)?.['status'] !== 'deleted'))
    return;
  const wishes = [...life.person.wishes];
  const made = [...life.person.made];
  work();
  // A row that is taken out here while a colleague sends it is a conflict of the log, which is not of this simulation.
  const { rows } = desk.store.state();
  const isGone = ({ kind, row }: { readonly kind: string; readonly row: number }): boolean =>
    rowOf(rows, kind as Kind, row as RowId) === undefined;
  const sent = [...life.server.state.intents.flatMap(({ ops }) => ops), ...life.desks.flatMap(openOps)];
  if (sent.some((op) => op.state !== 'RETURNED' && op.state !== 'REJECTED' && isGone(op))) {
    takeRows(life, desk);
    // What was changed on the service itself stays: such a wish is gone.
    const kept = wishes.filter(([row]) => life.person.wishes.has(row));
    life.person.wishes.clear();
    for (const [row, wish] of kept) life.person.wishes.set(row, wish);
    life.person.made.clear();
    for (const row of made) life.person.made.add(row);
  } else shareRows(life, desk);
}

const isDeletion = ({ state, sent }: { readonly state: string; readonly sent: AnyValues }): boolean =>
  sent['status'] === 'deleted' && (state === 'DONE' || state === 'SENT' || state === 'IN_DOUBT');

const openOps = ({ store }: Desk) =>
  store.state().box.ops.map(({ kind, rowId, state }) => ({ kind, row: rowId, state }));

function interruptionOf(random: Seeded): Interruption | null {
  if (!random.chance(0.75)) return null;
  const how = random.chance(0.25) ? 'before' : random.chance(0.35) ? 'after' : 'pause';
  return { at: 1 + random.int(random.chance(0.5) ? 60 : 200), how };
}

/** @returns the process when it stands still */
async function play(life: Life, desk: Desk, interruption: Interruption | null): Promise<Frozen | null> {
  const process = desk.account.process(interruption);
  const running = run(life, desk, process);
  if (interruption?.how !== 'pause') {
    await running;
    return null;
  }
  const first = await Promise.race([running, process.paused]);
  if (first !== 'paused') return null;
  life.figures.frozen++;
  // What is done side by side comes to a halt too; between the look at an age and the first byte nothing can.
  await new Promise((resolve) => setImmediate(resolve));
  // Some stand still for a moment only.
  await life.clock.sleep(life.random.int(life.random.chance(0.3) ? 50_000 : 400_000));
  return { process, running, desk };
}

async function thaw(life: Life, frozen: readonly Frozen[]): Promise<void> {
  for (const { process, running } of frozen) {
    process.resume();
    await running;
    if (life.random.chance(0.2)) await life.clock.sleep(life.random.int(60_000));
  }
}

async function run(life: Life, desk: Desk, process: Process): Promise<void> {
  const { figures, clock } = life;
  try {
    const { outbox } = await process.own();
    let seen = 0;
    const takeTurn = teamTurns(
      {
        database: async () => databaseOf(life, desk, process),
        catchUp: () =>
          process.gate(true, () => {
            seen = life.version;
            takeRows(life, desk);
            return null;
          }),
        mark: {
          read: async () => desk.mark,
          // What was taken in is in the rows of this computer for good.
          write: (mark) =>
            process.gate(true, () => {
              if (seen !== life.version) return;
              dropTakenOut(desk);
              shareRows(life, desk);
              seen = life.version;
              desk.mark = mark;
            }),
        },
        journaled: async () => new Set(desk.account.journal.map(({ c }) => c)),
        clock: { ...clock, startTimer: () => () => undefined },
      },
      outbox,
    );
    const taken = await takeTurn();
    if (!taken.ok) {
      figures.refused++;
      return;
    }
    figures.turns++;
    const turn = taken.value;
    await inTurn(life, desk, process, turn);
    // Shared with the end of the turn, unless somebody has shared something since.
    await process.gate(true, () => {
      if (turn.lost() === null && seen === life.version) shareRows(life, desk);
    });
    await turn.end(null);
  } catch (thrown) {
    if (!(thrown instanceof Crash)) throw thrown;
    figures.crashes++;
  }
}

async function inTurn(life: Life, desk: Desk, process: Process, turn: Turn): Promise<void> {
  const { random, person, figures } = life;
  const ports = {
    ...process.ports,
    outbox: turn.outbox,
    lost: turn.lost,
    clock: {
      ...process.ports.clock,
      // What a timer does in the program.
      sleep: async (delayMs: number) => {
        for (let left = delayMs; left > 0; left -= STEP_MS) {
          await process.ports.clock.sleep(Math.min(left, STEP_MS));
          await turn.keep();
        }
      },
    },
    api: {
      ...process.ports.api,
      newCorrelationId: () => `${desk.no}-${process.ports.api.newCorrelationId()}`,
      send: (request: Parameters<Process['ports']['api']['send']>[0]) => {
        checkRequest(life, desk, request.correlationId);
        return process.ports.api.send(request);
      },
    },
  };
  const capabilities = life.extensions ? WITH_EXTENSIONS : DOCUMENTED_ONLY;
  const context = () => aContext(ports, { capabilities });
  for (const question of await ports.outbox.listUnresolved()) {
    await ports.clock.sleep(Math.max(0, question.absentFrom - life.clock.nowMs()));
    if (turn.lost() !== null) return;
    const answer = trueAnswer({ ...person, store: desk.store }, question);
    if (answer !== null) await ports.outbox.resolve({ questionId: question.id, answer });
    figures.questions++;
  }
  if (life.isCalm || random.chance(0.2)) await refresh(context());
  if (turn.lost() === null) await runSync(context());
}

/** The database as a process reaches it: a call may not arrive, or its answer may not. */
function databaseOf(life: Life, { no }: Desk, { gate }: Process): SenderDatabase {
  const { random, server, figures } = life;
  const db = server.desk(no);
  const isCut = (): boolean => {
    const cut = !life.isCalm && random.chance(0.02);
    if (cut) figures.cuts++;
    return cut;
  };
  const reached = async <T>(call: () => Promise<T>): Promise<T> => {
    if (isCut()) throw new Error('ECONNRESET');
    const answer = await gate(true, call);
    // It may die or stand still before it hears the answer.
    await gate(true, () => undefined);
    if (isCut()) throw new Error('ECONNRESET');
    return answer;
  };
  return {
    desk: no,
    take: () => reached(() => db.take()),
    renew: (key) => reached(() => db.renew(key)),
    release: (key, after) => reached(() => db.release(key, after)),
    intend: (key, batch, perHour) => reached(() => db.intend(key, batch, perHour)),
    dateAnew: (key, correlation) => reached(() => db.dateAnew(key, correlation)),
    settle: (key, outcome) => reached(() => db.settle(key, outcome)),
    receipt: (outcome) => reached(() => db.receipt(outcome)),
    importIntents: (intents) => reached(() => db.importIntents(intents)),
    open: (mark, known) => reached(() => db.open(mark, known)),
  };
}

/** What must hold of every request when it leaves. */
function checkRequest(life: Life, desk: Desk, correlation: string): void {
  const { server, clock, problems } = life;
  const dated = server.dated.get(correlation);
  if (dated === undefined) problems.push('a request left before its intent was in the database');
  else if (clock.nowMs() - dated > TURN_MS + STEP_MS) problems.push('a request left long after its intent');
  const { state } = server;
  // A lease that was given back and taken by nobody leaves nobody to meet.
  const isTaken = state.token !== null && state.desk !== desk.no;
  const isLate = isTaken && clock.nowMs() > state.takenAt + LATE_MS;
  if (isLate) problems.push(`computer ${desk.no} sends while computer ${state.desk} has the lease`);
}

/** What must hold of the database at any time. */
function checkServer(life: Life): void {
  const { state } = life.server;
  const live = new Set<string>();
  for (const intent of state.intents) {
    for (const op of intent.ops) {
      if (op.state === 'SENT' && intent.desk !== state.desk)
        life.problems.push('an op is on its way and nobody owns it');
      if (op.state !== 'SENT' && op.state !== 'IN_DOUBT' && op.state !== 'NEEDS_USER') continue;
      const key = `${op.kind} ${op.row} ${intent.verb}`;
      if (live.has(key)) life.problems.push('two live sends of one row');
      live.add(key);
    }
  }
  life.figures.doubts += live.size;
  for (const { no, store } of life.desks) {
    for (const { correlationId } of store.liveOps())
      if (!life.server.dated.has(correlationId))
        life.problems.push(`computer ${no} has an open request that the database never knew`);
  }
}

/** Whether nothing is open or changed anywhere. */
function isOver(life: Life): boolean {
  const [desk] = life.desks;
  if (desk === undefined) return true;
  takeRows(life, desk);
  const isSettled = life.desks.every(({ store }) => store.liveOps().length === 0);
  const isOpenThere = life.server.state.intents.some(({ ops }) =>
    ops.some(({ state }) => state === 'SENT' || state === 'IN_DOUBT' || state === 'NEEDS_USER'),
  );
  return isSettled && !isOpenThere && isAtRest(desk.store);
}

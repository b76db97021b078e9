import type { Ports } from '../../../main/sync/ports.ts';
import { refresh } from '../../../main/sync/refresh.ts';
import { runSync } from '../../../main/sync/run.ts';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../../shared/plan/plan-types.ts';
import { aContext } from './a-context.ts';
import { checkAtEnd, checkAtRest, checkRoundOver, checkTakenOver, isAtRest } from './invariants.ts';
import { createModelService, type ModelService } from './model-service.ts';
import { type Seeded, seeded, type VirtualClock, virtualClock } from './seeded.ts';
import type { SimStore } from './sim-store.ts';
import {
  Crash,
  createSimulatedAccount,
  DiskFull,
  Endless,
  type Interruption,
  type Process,
  type SimulatedAccount,
} from './simulated-account.ts';
import { answerHonestly, make, type Person, randomDraft, workAWhile } from './user.ts';

interface LifeOptions {
  readonly seed: number;
  readonly store: SimStore;
  /** Instead of random ones: what befalls the first processes, in order, and which request goes wrong. */
  readonly fixed?: {
    readonly interruptions: readonly Interruption[];
    readonly fault?: { readonly request: number; readonly fault: number };
    /** Told what a process has left that died, and what befalls the next ones; true ends the life, which was played from there already. */
    readonly isKnown?: (left: readonly unknown[], next: readonly Interruption[]) => boolean;
  };
  /** Whether the deployment offers the extensions; by the seed when it is not said. */
  readonly extensions?: boolean;
  /** Called after every commit and before every start of a process, for tests that lose commits. */
  readonly disk?: { readonly committed: () => void; readonly starting: (account: SimulatedAccount) => Promise<void> };
}

interface LifeOutcome {
  readonly problems: readonly string[];
  readonly figures: LifeFigures;
}

export interface LifeFigures {
  processes: number;
  crashes: number;
  pauses: number;
  fullDisks: number;
  requests: number;
  faults: number;
  questions: number;
  conflicts: number;
}

/** Share of requests that go wrong while it storms. */
const FAULT_SHARE = 0.3;
/** A draft that has not come to rest after so many quiet syncs never will. */
const CALM_MAX = 40;

/**
 * One life of an account: drafts, edits, syncs that fail, processes that die, stand still or meet a full disk,
 * another person at the same account, answers of an honest user, and in the end a service that works. Then
 * everything must be there exactly once, as it was wanted.
 */
export async function playLife(options: LifeOptions): Promise<LifeOutcome> {
  const random = seeded(options.seed);
  const clock = virtualClock();
  const { store, fixed } = options;
  const isFixed = fixed !== undefined;
  const service = createModelService(random, clock, {
    cutsBids: random.chance(0.2),
    ...(fixed?.fault === undefined ? {} : { planned: fixed.fault }),
  });
  const account = createSimulatedAccount(service, clock, store, random, options.disk?.committed);
  const life: Life = {
    random,
    clock,
    service,
    account,
    extensions: options.extensions ?? (isFixed ? false : random.chance(0.4)),
    person: { random, clock, service, store, wishes: new Map(), made: new Set() },
    figures: { processes: 0, crashes: 0, pauses: 0, fullDisks: 0, requests: 0, faults: 0, questions: 0, conflicts: 0 },
    problems: [],
  };
  draft(life);
  const storms = isFixed ? fixed.interruptions.length : 1 + random.int(5);
  const faults = isFixed ? 0 : FAULT_SHARE;
  for (let step = 0; step < storms + CALM_MAX; step++) {
    const isCalm = step >= storms;
    service.setFaults(isCalm ? 0 : faults);
    service.setLimited(!isCalm && !isFixed && random.chance(0.005));
    const interruption = isCalm ? null : isFixed ? (fixed.interruptions[step] ?? null) : interruptionOf(random);
    const opsBefore = store.opCount();
    await options.disk?.starting(account);
    await play(life, interruption, isCalm);
    life.problems.push(...checkAtRest(store, options.disk === undefined ? opsBefore : 0));
    if (fixed?.isKnown !== undefined && life.figures.crashes > step) {
      const left = [account.journal, service.state(), clock.nowMs(), random.state()];
      const problems = [...life.problems, ...account.broken];
      if (fixed.isKnown(left, fixed.interruptions.slice(step + 1))) return { problems, figures: life.figures };
    }
    if (!isCalm && !isFixed) workAWhile(life.person);
    if (!isFixed && random.chance(0.3)) await clock.sleep(random.int(900_000));
    life.figures.questions += answerHonestly(life.person);
    if (life.problems.length > 0) break;
    if (!isCalm || !isAtRest(store)) continue;
    if (service.isQuiet()) break;
    // A request may still be on its way although a later one has said the same; when it arrives after somebody
    // else's edit, only the next look can tell.
    service.settle();
  }
  service.settle();
  life.problems.push(...account.broken, ...checkAtEnd(store, service, life.person.wishes, life.person.made));
  life.figures.requests = service.arrived.length;
  life.figures.faults = service.faultsSeen();
  life.figures.conflicts = life.person.conflicts ?? 0;
  return { problems: life.problems, figures: life.figures };
}

interface Life {
  readonly random: Seeded;
  readonly clock: VirtualClock;
  readonly service: ModelService;
  readonly account: SimulatedAccount;
  readonly extensions: boolean;
  readonly person: Person;
  readonly figures: LifeFigures;
  readonly problems: string[];
}

function draft({ random, person, service, extensions }: Life): void {
  const name = 'First';
  make(person, randomDraft(random, name));
  if (random.chance(0.3)) {
    // Two campaigns of one name are told apart by their ids alone.
    const second = extensions && random.chance(0.3) ? name : 'Second';
    make(person, randomDraft(random, second));
  }
  if (extensions && random.chance(0.3)) service.addStrangers('campaign', null, null, { name });
}

function interruptionOf(random: Seeded): Interruption | null {
  if (!random.chance(0.7)) return null;
  const how = random.chance(0.4) ? 'before' : random.chance(0.6) ? 'after' : random.chance(0.5) ? 'pause' : 'disk';
  return { at: 1 + random.int(70), how };
}

/** One process, or two when the first stands still and the second takes over. */
async function play(life: Life, interruption: Interruption | null, isCalm: boolean): Promise<void> {
  const process = life.account.process(interruption);
  const running = run(life, process, isCalm);
  const first = interruption?.how === 'pause' ? await Promise.race([running, process.paused]) : await running;
  if (first !== 'paused') return;
  life.figures.pauses++;
  await run(life, life.account.process(null), isCalm);
  await life.clock.sleep(life.random.int(300_000));
  process.resume();
  await running;
}

async function run(life: Life, process: Process, isCalm: boolean): Promise<void> {
  const { figures, problems, random } = life;
  figures.processes++;
  try {
    const ports = await process.own();
    problems.push(...checkTakenOver(life.account.store));
    if (isCalm || random.chance(0.2)) await refresh(contextOf(life, ports));
    const rounds = random.chance(0.2) ? 2 : 1;
    for (let n = 0; n < rounds; n++) {
      try {
        await runSync(contextOf(life, ports));
      } catch (thrown) {
        // The program reports it and goes on; the next sync of the same process must make up for it.
        if (!(thrown instanceof DiskFull)) throw thrown;
        figures.fullDisks++;
        await runSync(contextOf(life, ports));
      }
      problems.push(...checkRoundOver(life.account.store));
    }
  } catch (thrown) {
    if (thrown instanceof Crash) figures.crashes++;
    else if (thrown instanceof Endless) problems.push(thrown.message);
    else if (!(thrown instanceof DiskFull)) throw thrown;
  }
}

const contextOf = ({ extensions }: Life, ports: Ports) =>
  aContext(ports, { capabilities: extensions ? WITH_EXTENSIONS : DOCUMENTED_ONLY });

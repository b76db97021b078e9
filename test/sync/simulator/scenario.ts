import { createContext } from '../../../main/sync/core/context.ts';
import { refresh } from '../../../main/sync/core/refresh.ts';
import { round } from '../../../main/sync/core/round.ts';
import { drive } from '../../../main/sync/driver.ts';
import { outboxOps } from '../../../main/workspace/outbox/ops.ts';
import { readTrees } from '../../../main/workspace/rows/read-trees.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import type { AnyRow } from '../../../shared/model/row.ts';
import { asWorkspaceId, type RemoteId, type RowId } from '../../../shared/model/scalars.ts';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../../shared/plan/plan-types.ts';
import { autoDraft, sbaDraft } from '../a-draft.ts';
import { createModelService, type ModelService } from './model-service.ts';
import { type Seeded, seeded, type VirtualClock, virtualClock } from './seeded.ts';
import { Crash, type CrashPlan, createSimulatedAccount, PROFILE, type SimulatedAccount } from './simulated-account.ts';

export interface ScenarioOutcome {
  readonly problems: readonly string[];
  readonly crashes: number;
  readonly requests: number;
  readonly questions: number;
}

export interface ScenarioOptions {
  readonly seed: number;
  /** Share of requests that go wrong. */
  readonly faults: number;
  readonly crashes: number;
  /** Dies at exactly this effect of the first round, for enumerating all of them. */
  readonly firstCrash?: CrashPlan;
}

const STEPS_MAX = 40;

/**
 * One life of an account: drafts, edits, syncs that fail and processes that die, answers of an honest user, and in
 * the end a service that works. Then everything must be there exactly once.
 */
export async function playScenario(options: ScenarioOptions): Promise<ScenarioOutcome> {
  const random = seeded(options.seed);
  const clock = virtualClock();
  const service = createModelService(random, clock);
  const account = createSimulatedAccount(service, clock);
  const extensions = random.chance(0.3);
  const problems: string[] = [];
  let crashes = 0;
  let questions = 0;
  create(account, clock, random.chance(0.7) ? autoDraft() : sbaDraft(null));
  if (random.chance(0.5)) create(account, clock, sbaDraft(null, 'Second brand'));
  service.setFaults(options.faults);
  let crash: CrashPlan | null = options.firstCrash ?? null;
  for (let step = 0; step < STEPS_MAX; step++) {
    const isCalm = step >= STEPS_MAX / 2;
    if (isCalm) service.setFaults(0);
    if (crash === null && !isCalm && crashes < options.crashes && random.chance(0.6)) {
      crash = { at: 1 + random.int(120), when: random.chance(0.5) ? 'before' : 'after' };
    }
    if (await dies(account, random, clock, crash, extensions)) crashes++;
    crash = null;
    problems.push(...checkAtRest(account));
    if (!isCalm && random.chance(0.3)) editSomething(account, random, clock);
    questions += await answerHonestly(account, service, clock);
    if (isCalm && isAtRest(account)) break;
  }
  service.settle();
  problems.push(...account.broken, ...checkAtEnd(account, service));
  account.db.close();
  return { problems, crashes, requests: service.arrived.length, questions };
}

/** Runs one process: takes the outbox over and syncs. @returns whether it died on the way */
async function dies(
  account: SimulatedAccount,
  random: Seeded,
  clock: VirtualClock,
  crash: CrashPlan | null,
  extensions: boolean,
): Promise<boolean> {
  const ports = account.ports(crash);
  try {
    const { epoch } = await ports.outbox.takeOver();
    const ctx = createContext({
      runId: 'run',
      workspaceId: asWorkspaceId('w1'),
      epoch,
      profile: PROFILE,
      capabilities: extensions ? WITH_EXTENSIONS : DOCUMENTED_ONLY,
      advertiserId: '900001' as RemoteId,
      submit: false,
      campaignIds: null,
      logoField: 'SBABaseProfileRequest',
      today: async () => '2026-11-21',
      nowMs: () => clock.nowMs(),
      random: () => random.next(),
      newCorrelationId: () => ports.api.newCorrelationId(),
      isCancelled: () => false,
      lanesMax: 4,
    });
    const { signal } = new AbortController();
    if (random.chance(0.3)) await drive(refresh(ctx), ports, signal);
    await drive(round({ ...ctx, stop: null }), ports, signal);
    return false;
  } catch (thrown) {
    if (thrown instanceof Crash) return true;
    throw thrown;
  }
}

function create(account: SimulatedAccount, clock: VirtualClock, rows: ReturnType<typeof autoDraft>): void {
  account.store.setNow(clock.nowMs());
  const done = account.store.apply({ label: 'draft', source: 'user', creates: rows });
  if (!done.ok) throw new Error(JSON.stringify(done.error));
}

function editSomething(account: SimulatedAccount, random: Seeded, clock: VirtualClock): void {
  const items = localRows(account).filter(({ kind }) => kind === 'adItem' || kind === 'platformMultiplier');
  const row = items[random.int(Math.max(1, items.length))];
  if (row === undefined) return;
  account.store.setNow(clock.nowMs());
  const field = row.kind === 'adItem' ? 'bid' : 'multiplier';
  account.store.apply({
    label: 'edit',
    source: 'user',
    updates: [{ kind: row.kind, id: row.id, field, value: 150 + random.int(500) }],
  });
}

/** A user who waits out the window, looks, and says what is true. */
async function answerHonestly(account: SimulatedAccount, service: ModelService, clock: VirtualClock): Promise<number> {
  const { store } = account;
  const open = outboxOps.questions(store);
  for (const question of open) {
    await clock.sleep(Math.max(0, question.absentFrom - clock.nowMs()));
    store.setNow(clock.nowMs());
    const row = store.readRow({ kind: question.kind, id: question.rowId });
    let list = await service.list(question.kind, {});
    while (!list.ok) list = await service.list(question.kind, {});
    const all = list.value;
    const parent = row?.kind === 'campaign' ? null : store.readRow({ kind: 'campaign', id: row?.campaignId as RowId });
    const found = all.find((record) => {
      const inCampaign = parent === null || record.campaignId === parent.remoteId;
      return (
        row !== null && inCampaign && identity(row.kind, row.values) === identity(row.kind, record.values as AnyValues)
      );
    });
    const [[epoch]] = account.db.all(`SELECT value FROM outbox_meta WHERE key = 'epoch'`) as [[number]];
    store.tx(() =>
      outboxOps.answer(store, {
        epoch,
        questionId: question.id,
        answer: found === undefined ? 'absent' : { exists: found.remoteId },
      }),
    );
  }
  return open.length;
}

function localRows(account: SimulatedAccount): readonly AnyRow[] {
  const ids = account.db.all('SELECT id FROM campaign ORDER BY id').map(([id]) => id as RowId);
  return readTrees(account.db, ids).flatMap((tree): readonly AnyRow[] => [
    tree.campaign,
    ...tree.adGroups,
    ...tree.adItems,
    ...tree.keywords,
    ...tree.sbaProfiles,
    ...tree.placementMultipliers,
    ...tree.platformMultipliers,
  ]);
}

const isAtRest = (account: SimulatedAccount): boolean =>
  localRows(account).every(({ dirty }) => dirty === 0) && outboxOps.live(account.store).length === 0;

/** What must hold whenever no process runs. */
function checkAtRest({ db }: SimulatedAccount): readonly string[] {
  const twice = db.all(
    `SELECT kind, row_id, verb FROM outbox_op WHERE state IN ('SENT','IN_DOUBT','NEEDS_USER')
     GROUP BY kind, row_id, verb HAVING count(*) > 1`,
  );
  const unaccounted = db.all('SELECT id FROM outbox_batch WHERE id NOT IN (SELECT batch_id FROM outbox_op)');
  return [...twice.map(() => 'two live sends of one row'), ...unaccounted.map(() => 'a batch without elements')];
}

/** What must hold when everything has come to rest: all there, once, under its own id, with the values wanted. */
function checkAtEnd(account: SimulatedAccount, service: ModelService): readonly string[] {
  const problems: string[] = [];
  if (!isAtRest(account)) problems.push('the draft did not come to rest');
  const locals = localRows(account);
  const remote = new Map(service.rows.map((row) => [row.id, row]));
  const claimed = new Set<number>();
  for (const row of locals) {
    const isPair = row.kind === 'placementMultiplier' || row.kind === 'platformMultiplier';
    if (isPair) continue;
    const id = Number(row.remoteId);
    if (row.remoteId === null) problems.push(`${row.kind} has no id`);
    else if (claimed.has(id)) problems.push(`${row.kind} shares its id`);
    else if (remote.get(id)?.kind !== row.kind) problems.push(`${row.kind} has the id of something else`);
    claimed.add(id);
    if (row.kind === 'adItem' && Math.round(Number(remote.get(id)?.fields['bid']) * 100) !== row.values.bid) {
      problems.push(`a bid of ${JSON.stringify(remote.get(id)?.fields['bid'])} on the service, ${row.values.bid} here`);
    }
  }
  const orphans = service.rows.filter(({ id, kind }) => !claimed.has(id) && !kind.endsWith('Multiplier'));
  problems.push(...orphans.map(({ kind }) => `a second ${kind} on the service`));
  return problems;
}

function identity(kind: string, values: AnyValues): string {
  const fields = { campaign: ['name'], adGroup: ['name'], keyword: ['text', 'matchType'] }[kind] ?? [
    'itemId',
    'headline',
  ];
  return fields.map((field) => values[field]).join('|');
}

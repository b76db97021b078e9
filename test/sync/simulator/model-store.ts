import type { LimitAnswer } from '../../../main/store/outbox/change-limit.ts';
import type { JournalIntent } from '../../../main/store/outbox/inspect.ts';
import type { OutboxClient } from '../../../main/store/outbox/ops.ts';
import {
  type NewBatch,
  ON_THE_WIRE_MS,
  type OpState,
  SETTLE_MS,
  type Settlement,
} from '../../../main/store/outbox/outbox-types.ts';
import type { OpOutcome, RequestOutcome, TeamIntent } from '../../../main/store/outbox/team-intents.ts';
import type { RemoteRow } from '../../../main/store/types.ts';
import type { DeploymentSettings } from '../../../shared/deployment/deployment-settings.ts';
import { type AnyValues, fieldNames, fieldSpec } from '../../../shared/model/fields.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { type AnyRow, isDeleted, isNew, type Row } from '../../../shared/model/row.ts';
import type { RemoteId, RowId } from '../../../shared/model/scalars.ts';
import {
  type ChangeLimitRecord,
  hourOfRefusal,
  type LimitSign,
  learnLimit,
  limitOf,
  NOTHING_LEARNED,
} from '../../../shared/plan/change-limit.ts';
import { rowLabel } from '../../../shared/rules/rule.ts';
import {
  type Adoption,
  addSent,
  addSentElsewhere,
  batchBy,
  carriedBy,
  createModelOutbox,
  elementOf,
  isBinding,
  isLiveSend,
  liveBatches,
  type ModelBatch,
  type ModelOp,
  type ModelOutbox,
  opBy,
  openQuestionFor,
  openQuestions,
  sentSince,
  spend,
  takeSent,
  takeUp,
  teamIntentOf,
  waitOf,
  writeIntent,
} from './model-outbox.ts';
import { accept, createModelRows, edit, type ModelRows, merge, put, rowOf, rowsOf, treesOf } from './model-rows.ts';
import { rowsOfTrees, type SimStore } from './sim-store.ts';

/** Everything the model holds: what a crash keeps, and what a lost commit takes back. */
export interface ModelState {
  readonly rows: ModelRows;
  readonly box: ModelOutbox;
  readonly meta: Map<string, string>;
}

export interface ModelStore extends SimStore {
  readonly state: () => ModelState;
  /** Puts an earlier state back, as a disk does that has lost its newest commits. */
  restore(state: ModelState): void;
}

interface SettleArgs {
  readonly epoch: number;
  readonly batchId: number;
  readonly settlement: Settlement;
  readonly limit?: LimitAnswer;
}

/** The store in plain objects. That it is the same as the real one is what `real-store.ts` shows. */
export function createModelStore(profile: DeploymentSettings): ModelStore {
  let state: ModelState = { rows: createModelRows(), box: createModelOutbox(), meta: new Map() };
  let now = 0;
  const isCurrent = (epoch: number): boolean => epoch === state.box.epoch;

  const acceptOp = (
    batch: ModelBatch,
    op: ModelOp,
    remoteId: RemoteId | null,
    fields: AnyValues,
    seen: AnyValues | null = null,
  ): OpState => {
    const isReview = batch.verb === 'submit' || batch.verb === 'cancel';
    const sent = isReview ? {} : carriedBy(batch, baseFields(op.kind), seen ?? op.sent);
    const pushed = { remoteId: isReview ? null : remoteId, sent, serviceFields: fields };
    const accepted = accept(state.rows, op.kind, op.rowId, pushed);
    if (accepted === 'taken') {
      op.state = 'IN_DOUBT';
      return 'IN_DOUBT';
    }
    const row = rowOf(state.rows, op.kind, op.rowId);
    const isOff = sent['status'] === 'deleted' || sent['state'] === 'archived';
    if (row !== undefined && isDeleted(row) && isOff) closeDeleted(op.kind, op.rowId);
    op.state = 'DONE';
    op.remoteId = remoteId;
    return 'DONE';
  };
  const closeDeleted = (kind: Kind, id: RowId): void => {
    const field = kind === 'adItem' ? 'status' : kind === 'keyword' ? 'state' : null;
    const row = rowOf(state.rows, kind, id);
    if (field === null || row === undefined) return;
    const values = { ...row.values, [field]: kind === 'adItem' ? 'deleted' : 'archived' };
    put(state.rows, row, { remoteId: row.remoteId, values, base: null, dirty: 0 });
  };
  const leaveIfDeleted = ({ kind, rowId }: ModelOp): void => {
    const row = rowOf(state.rows, kind, rowId);
    if (row !== undefined && row.remoteId === null && isNew(row) && isDeleted(row)) {
      rowsOf(state.rows, kind).delete(rowId);
    }
  };
  const recover = (): number => {
    const sent = state.box.ops.filter((op) => op.state === 'SENT');
    for (const op of sent) op.state = 'IN_DOUBT';
    return sent.length;
  };
  const settleOp = (batch: ModelBatch, op: ModelOp, settlement: Settlement): OpState => {
    const element = elementOf(settlement, op.index);
    if (element !== 'returned' && element.is === 'done') {
      return acceptOp(batch, op, element.remoteId, element.serviceFields);
    }
    op.state = element === 'returned' ? 'RETURNED' : element.is === 'rejected' ? 'REJECTED' : 'IN_DOUBT';
    if (op.state !== 'IN_DOUBT') leaveIfDeleted(op);
    return op.state;
  };

  const learned = (): ChangeLimitRecord =>
    JSON.parse(state.meta.get('change-limit') ?? JSON.stringify(NOTHING_LEARNED)) as ChangeLimitRecord;
  const learn = (sign: LimitSign): void =>
    void state.meta.set('change-limit', JSON.stringify(learnLimit(learned(), sign)));
  const perHour = (): number => limitOf(learned(), profile.rate.opsPerHour, true).perHour;
  const waitForChanges = (changes: number): number => {
    const waitMs = waitOf(state.box, changes, perHour(), now);
    if (waitMs > 0) learn({ is: 'used-up', at: now });
    return waitOf(state.box, changes, perHour(), now);
  };

  const ops: { readonly [Name in keyof OutboxClient]?: (args: never) => unknown } = {
    takeOwnership: () => {
      state.box.epoch++;
      return { epoch: state.box.epoch, recovered: recover() };
    },
    recover,
    live: () => liveBatches(state.box),
    saveIntent: ({ epoch, batch }: { epoch: number; batch: NewBatch }) => {
      if (!isCurrent(epoch)) return { kind: 'stale-epoch' };
      const live = batch.ops.filter((op) => isLiveSend(state.box, op.kind, op.rowId, batch.verb));
      if (live.length > 0) return { kind: 'live', rowIds: live.map(({ rowId }) => rowId) };
      if (batch.ops.length > perHour()) return { kind: 'too-many', perHour: perHour() };
      const waitMs = waitForChanges(batch.ops.length);
      if (waitMs > 0) return { kind: 'over-budget', waitMs };
      spend(state.box, batch.ops.length, now);
      return { kind: 'ok', batchId: writeIntent(state.box, batch, now) };
    },
    renewTimestamp: ({ epoch, batchId }: { epoch: number; batchId: number }) => {
      if (!isCurrent(epoch)) return false;
      const batch = batchBy(state.box, batchId);
      takeSent(state.box, batch.sentAt, batch.ops.length);
      addSent(state.box, now, batch.ops.length);
      Object.assign(batch, { sentAt: now, lastMomentAt: now + ON_THE_WIRE_MS });
      return true;
    },
    recordOutcome: ({ epoch, batchId, settlement, limit = {} }: SettleArgs) => {
      if (!isCurrent(epoch)) return { done: 0, rejected: 0, inDoubt: 0, states: [] };
      const batch = batchBy(state.box, batchId);
      batch.lastMomentAt = now;
      const open = batch.ops.filter(({ state: is }) => is === 'SENT');
      const states = batch.ops.map((op) => (op.state === 'SENT' ? settleOp(batch, op, settlement) : op.state));
      takeSent(state.box, batch.sentAt, open.filter(({ state: is }) => is === 'RETURNED' || is === 'REJECTED').length);
      if (limit.perHour !== undefined) learn({ is: 'named', perHour: limit.perHour, at: now });
      const began = limit.retryAfterMs === undefined ? null : hourOfRefusal(limit.retryAfterMs, now);
      if (began !== null) {
        const changes = sentSince(state.box, now, began);
        learn({ is: 'refused', changes, asked: batch.ops.length, isWaitNamed: limit.retryAfterMs !== null, at: now });
      }
      const count = (wanted: OpState): number => states.filter((one) => one === wanted).length;
      return { done: count('DONE'), rejected: count('REJECTED'), inDoubt: count('IN_DOUBT'), states };
    },
    adopt: ({ epoch, opId, remoteId, serviceFields, seen }: Adoption) => {
      const op = opBy(state.box, opId);
      if (!isCurrent(epoch) || (op.state !== 'IN_DOUBT' && op.state !== 'NEEDS_USER')) return { adopted: false };
      const batch = batchBy(state.box, op.batchId);
      return { adopted: acceptOp(batch, op, remoteId, serviceFields, seen) === 'DONE' };
    },
    adoptRow: (args: { epoch: number; ref: { kind: Kind; id: RowId }; remoteId: RemoteId; seen: AnyValues }) => {
      if (!isCurrent(args.epoch)) return { adopted: false };
      const { kind, id } = args.ref;
      return { adopted: accept(state.rows, kind, id, { remoteId: args.remoteId, sent: args.seen }) === 'ok' };
    },
    merge: ({ epoch, rows }: { epoch: number; rows: readonly RemoteRow[] }) => {
      if (!isCurrent(epoch)) return { merged: false };
      for (const { kind, remoteId } of rows) state.box.missed.delete(`${kind}:${remoteId}`);
      merge(state.rows, rows, now);
      return { merged: true };
    },
    recordMissing: ({ epoch, kind, ids }: { epoch: number; kind: Kind; ids: readonly RowId[] }) => {
      if (!isCurrent(epoch)) return { proven: [] };
      const proven = ids.filter((id) => {
        const key = `${kind}:${rowOf(state.rows, kind, id)?.remoteId}`;
        const since = state.box.missed.get(key) ?? now;
        state.box.missed.set(key, since);
        return now - since >= SETTLE_MS;
      });
      for (const id of proven) {
        const row = rowOf(state.rows, kind, id);
        if (row !== undefined && isDeleted(row)) closeDeleted(kind, id);
        // What is not deleted is listed again within a settle window on this service.
        else throw new Error(`${kind} ${id} counts as gone`);
      }
      return { proven };
    },
    recordAbsent: ({ epoch, opId }: { epoch: number; opId: number }) => {
      if (!isCurrent(epoch)) return;
      opBy(state.box, opId).absentAt ??= now;
    },
    markNotProcessed: ({ epoch, opId }: { epoch: number; opId: number }) => {
      const op = opBy(state.box, opId);
      if (!isCurrent(epoch) || (op.state !== 'IN_DOUBT' && op.state !== 'NEEDS_USER')) return;
      op.state = 'RETURNED';
      leaveIfDeleted(op);
    },
    restartSettleWindows: ({ epoch }: { epoch: number }) => {
      if (!isCurrent(epoch)) return;
      for (const op of state.box.ops) {
        if (op.state !== 'IN_DOUBT') continue;
        op.absentAt = null;
        batchBy(state.box, op.batchId).lastMomentAt = now;
      }
    },
    openUnresolved: ({ epoch, opId }: { epoch: number; opId: number }) => {
      const op = opBy(state.box, opId);
      if (!isCurrent(epoch) || op.state !== 'IN_DOUBT') return;
      op.state = 'NEEDS_USER';
      openQuestionFor(state.box, op, batchBy(state.box, op.batchId).lastMomentAt, now);
    },
    listUnresolved: () => openQuestions(state.box),
    question: ({ id }: { id: number }) => openQuestions(state.box).find((one) => one.id === id) ?? null,
    resolve: (args: { epoch: number; questionId: number; answer: 'absent' | { exists: RemoteId | null } }) => {
      const problem = answerProblem(args);
      return { problem, open: openQuestions(state.box).length };
    },
    changeLimit: () => ({ perHour: perHour() }),
    waitForChanges: ({ changes }: { changes: number }) => waitForChanges(changes),
    countStates: () => {
      const counts = { SENT: 0, IN_DOUBT: 0, NEEDS_USER: 0, DONE: 0, REJECTED: 0, RETURNED: 0 };
      for (const op of state.box.ops) counts[op.state]++;
      return counts;
    },
    campaignsToSync: () => {
      const ids = new Set<number>();
      for (const kind of KINDS) {
        if (kind === 'media') continue;
        for (const row of rowsOf(state.rows, kind).values()) if (row.dirty !== 0) ids.add(Number(row.campaignId));
      }
      return [...ids].sort((a, b) => a - b);
    },
    knownIds: ({ kind }: { kind: Kind }) =>
      [...rowsOf(state.rows, kind).values()]
        .filter(({ remoteId }) => remoteId !== null)
        .sort((a, b) => (String(a.remoteId) < String(b.remoteId) ? -1 : 1))
        .map(({ id, remoteId }) => ({ id, remoteId })),
    // Which ids were confirmed and when a campaign was read is told to a person and decides nothing of a round.
    confirmRemoteIds: () => undefined,
    recordRefresh: () => undefined,
    correlationsKnown: ({ ids }: { ids: readonly string[] }) => {
      const known = new Set(state.box.batches.map(({ correlationId }) => correlationId));
      return ids.filter((id) => known.has(id));
    },
    outcomeOf: (of: { batchId: number } | { opId: number }) => {
      const batch = batchBy(state.box, 'opId' in of ? opBy(state.box, of.opId).batchId : of.batchId);
      const ops = batch.ops.map(({ index, state: one, remoteId }) => ({
        idx: index,
        state: one,
        remoteId,
        reason: null,
      }));
      return { correlation: batch.correlationId, ops };
    },
    correlationsSince: ({ since }: { since: number }) =>
      state.box.batches
        .filter(({ sentAt, ops }) => sentAt >= since || ops.some((op) => isBinding(op.state)))
        .map(({ correlationId }) => correlationId),
    intentsOf: ({ correlations }: { correlations: readonly string[] }) =>
      state.box.batches
        .filter(({ correlationId }) => correlations.includes(correlationId))
        .map((batch) => teamIntentOf(batch, now)),
    recallIntents: ({ epoch, intents }: { epoch: number; intents: readonly TeamIntent[] }) =>
      isCurrent(epoch) ? intents.flatMap((intent) => recallIntent(intent) ?? []) : [],
    importIntents: ({ intents }: { intents: readonly JournalIntent[] }) => {
      let imported = 0;
      for (const intent of intents) imported += importIntent(intent);
      return imported;
    },
    closeAgreedDeletions: ({ epoch, kind, ids }: { epoch: number; kind: Kind; ids: readonly RowId[] }) => {
      if (!isCurrent(epoch)) return { closed: 0 };
      const rows = ids.map((id) => rowOf(state.rows, kind, id)).filter((row) => row !== undefined && isDeleted(row));
      for (const row of rows) if (row !== undefined) closeDeleted(kind, row.id);
      return { closed: rows.length };
    },
    conflicts: () =>
      state.rows.conflicts
        .toSorted((a, b) => a.at - b.at || kindAt(a) - kindAt(b) || a.id - b.id || fieldAt(a) - fieldAt(b))
        .flatMap(({ kind, id, field, base, theirs, at }) => {
          const row = rowOf(state.rows, kind, id);
          if (row === undefined) return [];
          const mine = (row.values as AnyValues)[field] ?? null;
          const above = row.campaignId === null ? undefined : rowOf(state.rows, 'campaign', row.campaignId);
          const campaign = above === undefined ? '' : rowLabel(above);
          return [{ ref: { kind, id }, label: '', campaign, field, base, mine, theirs, at }];
        }),
    resolveConflict: (args: { ref: { kind: Kind; id: RowId }; field: string; take: 'mine' | 'theirs' }) => {
      const { ref, field, take } = args;
      const open = state.rows.conflicts.find(
        (one) => one.kind === ref.kind && one.id === ref.id && one.field === field,
      );
      if (take === 'theirs' && open !== undefined)
        change({ label: '', source: 'user', updates: [{ ...ref, field, value: open.theirs }] });
      const kept = state.rows.conflicts.filter(
        (one) => one.kind !== ref.kind || one.id !== ref.id || one.field !== field,
      );
      state.rows.conflicts.length = 0;
      state.rows.conflicts.push(...kept);
    },
  };

  const recallIntent = (intent: TeamIntent): RequestOutcome | null => {
    const ahead: OpOutcome[] = [];
    const isKnown = state.box.batches.some(({ correlationId }) => correlationId === intent.correlation);
    if (!isKnown) addSentElsewhere(state.box, intent, now);
    for (const there of intent.ops) {
      const { idx } = there;
      const kind = there.kind as Kind;
      const row = rowOf(state.rows, kind, there.row as RowId);
      const verb = intent.verb as ModelBatch['verb'];
      const isNews = there.state === 'DONE' && isUnknown(row, verb, there);
      const batch = state.box.batches.find(({ correlationId }) => correlationId === intent.correlation);
      let op = batch?.ops.find(({ index }) => index === idx);
      if (op === undefined) {
        if (row === undefined || isLiveSend(state.box, kind, row.id, verb) || !(isBinding(there.state) || isNews))
          continue;
        op = takeUp(state.box, intent, there, now);
      } else if (isBinding(there.state)) {
        if (!isBinding(op.state) || (op.state === 'NEEDS_USER' && there.state !== 'NEEDS_USER'))
          ahead.push({ idx, state: op.state, remoteId: op.remoteId, reason: null });
        const own = batchBy(state.box, op.batchId);
        if (isBinding(op.state)) own.lastMomentAt = Math.max(own.lastMomentAt, Math.round(now + intent.lastInMs));
      } else if (
        (op.state === 'RETURNED' || op.state === 'DONE') &&
        isNews &&
        !isLiveSend(state.box, kind, op.rowId, verb)
      )
        op.state = 'IN_DOUBT';
      if (isBinding(op.state)) follow(op, there);
    }
    return ahead.length === 0 ? null : { correlation: intent.correlation, ops: ahead };
  };
  const follow = (op: ModelOp, there: TeamIntent['ops'][number]): void => {
    const batch = batchBy(state.box, op.batchId);
    if (there.state === 'NEEDS_USER' && op.state === 'IN_DOUBT') {
      op.state = 'NEEDS_USER';
      openQuestionFor(state.box, op, batch.lastMomentAt, now);
    }
    if (isBinding(there.state)) return;
    for (const question of state.box.questions) if (question.opId === op.id) question.isOpen = false;
    if (there.state === 'DONE' && !isUnknown(rowOf(state.rows, op.kind, op.rowId), op.verb, there))
      Object.assign(op, { state: 'DONE', remoteId: there.remoteId });
    else if (there.state === 'DONE') acceptOp(batch, op, there.remoteId as RemoteId | null, {});
    else {
      op.state = 'RETURNED';
      leaveIfDeleted(op);
    }
  };

  const importIntent = (intent: JournalIntent): number => {
    const verb = intent.verb as ModelBatch['verb'];
    const found = intent.rows.flatMap(({ kind, id }, at) => {
      const row = rowOf(state.rows, kind as Kind, id as RowId);
      if (row === undefined || (verb === 'create' && row.remoteId !== null)) return [];
      return isLiveSend(state.box, row.kind, row.id, verb) ? [] : [{ row, id: intent.ids[at] ?? null }];
    });
    if (found.length === 0) return 0;
    const ops = found.map(({ row }) => ({ kind: row.kind, rowId: row.id, sent: row.values, base: null }));
    const { correlationId, campaignId, adGroupId, at } = intent;
    const id = writeIntent(
      state.box,
      {
        ...{ kind: intent.kind as ModelBatch['kind'], verb, method: 'POST', path: '', attempt: 0, correlationId },
        ...{
          campaignId: campaignId as RowId | null,
          adGroupId: adGroupId as RowId | null,
          body: '',
          preImage: null,
          ops,
        },
      },
      at,
    );
    const batch = batchBy(state.box, id);
    batch.lastMomentAt = at;
    for (const [index, op] of batch.ops.entries()) {
      op.state = 'IN_DOUBT';
      const known = found[index]?.id ?? null;
      if (known !== null) acceptOp(batch, op, known as RemoteId, {});
    }
    return found.length;
  };
  const answerProblem = (args: {
    epoch: number;
    questionId: number;
    answer: 'absent' | { exists: RemoteId | null };
  }) => {
    if (!isCurrent(args.epoch)) return 'stale-epoch';
    const asked = state.box.questions[args.questionId - 1];
    if (asked?.isOpen !== true) return 'no-question';
    const op = opBy(state.box, asked.opId);
    if (args.answer === 'absent') {
      if (now < asked.absentFrom) return 'too-early';
      const row = batchBy(state.box, op.batchId).verb === 'create' ? rowOf(state.rows, op.kind, op.rowId) : undefined;
      const isOpen = (kind: Kind, id: RowId | null | undefined): boolean =>
        id != null && id !== op.rowId && isLiveSend(state.box, kind, id, 'create');
      if (isOpen('campaign', row?.campaignId) || isOpen('adGroup', row?.adGroupId)) return 'parent-open';
      op.state = 'RETURNED';
      leaveIfDeleted(op);
    } else {
      const batch = batchBy(state.box, op.batchId);
      const givesId = batch.verb === 'create' || batch.verb === 'upload';
      if (acceptOp(batch, op, givesId ? args.answer.exists : null, {}) !== 'DONE') {
        op.state = 'NEEDS_USER';
        return 'id-taken';
      }
    }
    asked.isOpen = false;
    return null;
  };
  const change = (batch: Parameters<SimStore['apply']>[0]): void =>
    edit(state.rows, batch, (kind, id) => isLiveSend(state.box, kind, id, null));

  return {
    state: () => state,
    restore: (earlier) => {
      state = structuredClone(earlier);
    },
    setNow: (nowMs) => {
      now = nowMs;
    },
    outbox: (name, args) => {
      const op = ops[name];
      if (op === undefined) throw new Error(`the model has no ${name}`);
      return (op as (a: unknown) => never)(args);
    },
    readTrees: (which) => treesOf(state.rows, which),
    readMedia: () => [...rowsOf(state.rows, 'media').values()] as unknown as readonly Row<'media'>[],
    getMeta: (key) => state.meta.get(key) ?? null,
    setMeta: (key, value) => void state.meta.set(key, value),
    apply: (batch) => {
      change(batch);
      return true;
    },
    rows: () => rowsOfTrees(treesOf(state.rows, 'all')),
    bodyOf: (id) => state.box.batches.find(({ correlationId }) => correlationId === id)?.body ?? null,
    liveOps: () =>
      state.box.ops
        .filter(({ state: one }) => isBinding(one))
        .map(({ kind, rowId, verb, state: one, batchId }) => {
          const { correlationId } = batchBy(state.box, batchId);
          return { kind, rowId, verb, state: one, correlationId };
        }),
    opCount: () => state.box.ops.length,
    close: () => undefined,
  };
}

function isUnknown(row: AnyRow | undefined, verb: string, op: TeamIntent['ops'][number]): boolean {
  if (row === undefined) return false;
  if (verb === 'create') return op.remoteId !== null && row.remoteId === null;
  if (verb !== 'update' || op.base === null) return false;
  const known = (row.base ?? row.values) as AnyValues;
  return Object.entries(JSON.parse(op.base) as AnyValues).every(([field, value]) => known[field] === value);
}

const kindAt = ({ kind }: { readonly kind: Kind }): number => KINDS.indexOf(kind);
const fieldAt = ({ kind, field }: { readonly kind: Kind; readonly field: string }): number =>
  fieldNames(kind).indexOf(field);
const BASE_FIELDS = new Map<Kind, readonly string[]>(
  KINDS.map((kind) => [kind, fieldNames(kind).filter((field) => fieldSpec(kind, field)?.bit !== null)]),
);
const baseFields = (kind: Kind): readonly string[] => BASE_FIELDS.get(kind) ?? [];

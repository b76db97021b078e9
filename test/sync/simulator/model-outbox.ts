import {
  type ElementSettlement,
  type LiveBatch,
  type LiveOp,
  type NewBatch,
  ON_THE_WIRE_MS,
  type OpenQuestion,
  type OpState,
  SETTLE_MS,
  type Settlement,
} from '../../../main/store/outbox/outbox-types.ts';
import type { TeamIntent } from '../../../main/store/outbox/team-intents.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { RemoteId, RowId } from '../../../shared/model/scalars.ts';

/** The outbox of the model: plain lists, with the meaning of the tables in `main/store/outbox/schema.ts`. */
export interface ModelOp extends Omit<LiveOp, 'state' | 'absentAt'> {
  readonly verb: LiveBatch['verb'];
  readonly batchId: number;
  state: OpState;
  remoteId: RemoteId | null;
  absentAt: number | null;
}
export interface ModelBatch extends Omit<LiveBatch, 'ops' | 'lastMomentAt'> {
  lastMomentAt: number;
  readonly ops: ModelOp[];
}
export interface ModelQuestion {
  readonly id: number;
  readonly opId: number;
  readonly askedAt: number;
  readonly absentFrom: number;
  isOpen: boolean;
}

export interface ModelOutbox {
  epoch: number;
  budget: { readonly level: number; readonly at: number } | null;
  readonly batches: ModelBatch[];
  readonly ops: ModelOp[];
  readonly questions: ModelQuestion[];
  /** When a read first lacked a row, under `kind:remoteId`. */
  readonly missed: Map<string, number>;
}

export const createModelOutbox = (): ModelOutbox => ({
  epoch: 0,
  budget: null,
  batches: [],
  ops: [],
  questions: [],
  missed: new Map(),
});

export const isBinding = (state: OpState): boolean =>
  state === 'SENT' || state === 'IN_DOUBT' || state === 'NEEDS_USER';

/** Batches with a live op, oldest first, each with its live ops, as the store hands them out. */
export const liveBatches = (box: ModelOutbox): readonly LiveBatch[] =>
  box.batches.flatMap((batch) => {
    const ops = batch.ops.filter(({ state }) => isBinding(state));
    return ops.length === 0 ? [] : [{ ...batch, ops: ops.map(lookOf) }];
  });

function lookOf({ id, index, kind, rowId, state, sent, base, absentAt }: ModelOp): LiveOp {
  return { id, index, kind, rowId, state, sent, base, absentAt };
}

export const isLiveSend = (box: ModelOutbox, kind: Kind, rowId: RowId, verb: string | null): boolean =>
  box.ops.some(
    (op) => op.kind === kind && op.rowId === rowId && (verb === null || op.verb === verb) && isBinding(op.state),
  );

const HOUR_MS = 3_600_000;

/** The token bucket of elements, in thousandths. @returns 0 or the wait in milliseconds */
export function spend(box: ModelOutbox, elements: number, perHour: number, nowMs: number): number {
  const level = budgetLevel(box, perHour, nowMs);
  const wanted = Math.min(elements, perHour) * 1000;
  if (level < wanted) return Math.ceil(((wanted - level) / 1000 / perHour) * HOUR_MS);
  box.budget = { level: level - wanted, at: nowMs };
  return 0;
}

export function budgetLevel(box: ModelOutbox, perHour: number, nowMs: number): number {
  const full = perHour * 1000;
  if (box.budget === null) return full;
  const passedMs = Math.max(0, nowMs - box.budget.at);
  return Math.min(full, Math.floor(box.budget.level + (passedMs / HOUR_MS) * full));
}

export function writeIntent(box: ModelOutbox, batch: NewBatch, nowMs: number): number {
  const id = box.batches.length + 1;
  const { kind, verb, campaignId, adGroupId, correlationId, preImage, body } = batch;
  const ops = batch.ops.map((op, index): ModelOp => {
    const { kind: rowKind, rowId, sent, base } = op;
    const opId = box.ops.length + 1 + index;
    return {
      id: opId,
      index,
      kind: rowKind,
      rowId,
      verb,
      batchId: id,
      state: 'SENT',
      remoteId: null,
      sent,
      base,
      absentAt: null,
    };
  });
  box.ops.push(...ops);
  const lastMomentAt = nowMs + ON_THE_WIRE_MS;
  box.batches.push({
    id,
    kind,
    verb,
    campaignId,
    adGroupId,
    correlationId,
    preImage,
    body,
    sentAt: nowMs,
    lastMomentAt,
    ops,
  });
  return id;
}

export function openQuestionFor(box: ModelOutbox, op: ModelOp, lastMomentAt: number, nowMs: number): void {
  box.questions.push({
    id: box.questions.length + 1,
    opId: op.id,
    askedAt: nowMs,
    absentFrom: lastMomentAt + SETTLE_MS,
    isOpen: true,
  });
}

/** The open questions without the sentence that names the thing, which the model does not write. */
export const openQuestions = (box: ModelOutbox): readonly OpenQuestion[] =>
  box.questions
    .filter(({ isOpen }) => isOpen)
    .map((question) => {
      const op = opBy(box, question.opId);
      const batch = batchBy(box, op.batchId);
      const { id, opId, askedAt, absentFrom } = question;
      const { sentAt, correlationId } = batch;
      return { id, opId, kind: op.kind, rowId: op.rowId, what: '', askedAt, sentAt, correlationId, absentFrom };
    });

export function opBy(box: ModelOutbox, id: number): ModelOp {
  const op = box.ops[id - 1];
  if (op === undefined) throw new Error(`no send ${id}`);
  return op;
}

export function batchBy(box: ModelOutbox, id: number): ModelBatch {
  const batch = box.batches[id - 1];
  if (batch === undefined) throw new Error(`no batch ${id}`);
  return batch;
}

export function elementOf(settlement: Settlement, index: number): ElementSettlement | 'returned' {
  switch (settlement.is) {
    case 'returned':
      return 'returned';
    case 'rejected':
    case 'in-doubt':
      return settlement;
    case 'elements':
      return settlement.elements[index] ?? { is: 'in-doubt', cause: '' };
  }
}

/** What an accepted send makes the base: a create leaves empty what it did not carry. */
export const carriedBy = (
  batch: Pick<ModelBatch, 'verb'>,
  baseFields: readonly string[],
  sent: AnyValues,
): AnyValues =>
  batch.verb === 'create' ? { ...Object.fromEntries(baseFields.map((field) => [field, null])), ...sent } : sent;

export interface Adoption {
  readonly epoch: number;
  readonly opId: number;
  readonly remoteId: RemoteId | null;
  readonly serviceFields: AnyValues;
  readonly seen: AnyValues | null;
}

/** A request as the team has it, of a batch whose answer nobody waits for any more. */
export const teamIntentOf = (batch: ModelBatch, nowMs: number): TeamIntent => ({
  ...{ correlation: batch.correlationId, kind: batch.kind, verb: batch.verb },
  ...{ campaign: batch.campaignId, adGroup: batch.adGroupId, preImage: batch.preImage, body: batch.body },
  ...{ sentInMs: batch.sentAt - nowMs, lastInMs: batch.lastMomentAt - nowMs },
  ops: batch.ops.map(({ index, kind, rowId, sent, base, state, remoteId }) => ({
    ...{ idx: index, kind, row: rowId, sent: JSON.stringify(sent), base: base === null ? null : JSON.stringify(base) },
    ...{ state: state === 'SENT' ? 'IN_DOUBT' : state, remoteId, reason: null },
  })),
});

/** Writes an op of a colleague down, in doubt. */
export function takeUp(box: ModelOutbox, intent: TeamIntent, op: TeamIntent['ops'][number], nowMs: number): ModelOp {
  let batch = box.batches.find(({ correlationId }) => correlationId === intent.correlation);
  if (batch === undefined) {
    batch = {
      ...{
        id: box.batches.length + 1,
        kind: intent.kind as ModelBatch['kind'],
        verb: intent.verb as ModelBatch['verb'],
      },
      ...{ campaignId: intent.campaign as RowId | null, adGroupId: intent.adGroup as RowId | null },
      ...{ correlationId: intent.correlation, preImage: intent.preImage, body: intent.body },
      ...{ sentAt: Math.round(nowMs + intent.sentInMs), lastMomentAt: Math.round(nowMs + intent.lastInMs), ops: [] },
    };
    box.batches.push(batch);
  }
  const taken: ModelOp = {
    ...{ id: box.ops.length + 1, index: op.idx, kind: op.kind as Kind, rowId: op.row as RowId },
    ...{ verb: batch.verb, batchId: batch.id, state: 'IN_DOUBT', remoteId: null, absentAt: null },
    ...{ sent: JSON.parse(op.sent), base: op.base === null ? null : JSON.parse(op.base) },
  };
  box.ops.push(taken);
  batch.ops.push(taken);
  return taken;
}

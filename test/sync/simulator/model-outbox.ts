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
import { CLOCKS_APART_MS } from '../../../shared/plan/change-limit.ts';

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
interface ModelQuestion {
  readonly id: number;
  readonly opId: number;
  readonly askedAt: number;
  readonly absentFrom: number;
  isOpen: boolean;
}

export interface ModelOutbox {
  epoch: number;
  /** Changes of the last hour. */
  readonly sent: Map<string, number>;
  readonly batches: ModelBatch[];
  readonly ops: ModelOp[];
  readonly questions: ModelQuestion[];
  /** When a read first lacked a row, under `kind:remoteId`. */
  readonly missed: Map<string, number>;
}

export const createModelOutbox = (): ModelOutbox => ({
  epoch: 0,
  sent: new Map(),
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

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Changes by the minute they were sent in; those of a colleague by their request as well. */
const minuteOf = (atMs: number): string => String(Math.floor(atMs / MINUTE_MS));
const endOf = (key: string, nowMs: number): number =>
  Math.min(Number(key.split('-')[0]) * MINUTE_MS, nowMs) + MINUTE_MS + HOUR_MS;

export function addSent(box: ModelOutbox, atMs: number, changes: number): void {
  const key = minuteOf(atMs);
  box.sent.set(key, Math.max(0, (box.sent.get(key) ?? 0) + changes));
}

export function takeSent(box: ModelOutbox, atMs: number, changes: number): void {
  if (box.sent.has(minuteOf(atMs))) addSent(box, atMs, -changes);
}

/** What a colleague has sent. */
export function addSentElsewhere(box: ModelOutbox, { correlation, sentInMs, ops }: TeamIntent, nowMs: number): void {
  const changes = ops.filter(({ state }) => state !== 'RETURNED').length;
  box.sent.set(`${minuteOf(Math.round(nowMs + sentInMs))}-${correlation}`, changes);
}

/** @returns how many changes of the last hour there are, or those that the service may count in an hour that began then */
export const sentSince = (box: ModelOutbox, nowMs: number, began: number | null = null): number =>
  [...box.sent]
    .filter(([key]) =>
      began === null ? endOf(key, nowMs) > nowMs : endOf(key, nowMs) - HOUR_MS > began - CLOCKS_APART_MS,
    )
    .reduce((sum, [, changes]) => sum + changes, 0);

/** @returns 0 or the wait in milliseconds */
export function waitOf(box: ModelOutbox, changes: number, perHour: number, nowMs: number): number {
  const wanted = Math.min(changes, perHour);
  const ends = [...box.sent.keys()].map((key) => endOf(key, nowMs)).filter((end) => end > nowMs);
  const countsAt = (at: number): number =>
    [...box.sent].reduce((sum, [key, sent]) => (endOf(key, nowMs) > at ? sum + sent : sum), 0);
  const fitsAt = [nowMs, ...ends.toSorted((a, b) => a - b)].find((at) => countsAt(at) + wanted <= perHour);
  return (fitsAt ?? nowMs) - nowMs;
}

export function spend(box: ModelOutbox, changes: number, nowMs: number): void {
  for (const key of box.sent.keys())
    if (Number(key.split('-')[0]) * MINUTE_MS + MINUTE_MS + HOUR_MS + CLOCKS_APART_MS <= nowMs) box.sent.delete(key);
  addSent(box, nowMs, changes);
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
      const { sentAt, correlationId, kind: of, verb } = batch;
      const row = { kind: op.kind, rowId: op.rowId, what: '' };
      return { id, opId, ...row, askedAt, sentAt, correlationId, absentFrom, of, verb };
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

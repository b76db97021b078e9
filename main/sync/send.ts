import type { Kind } from '../../shared/model/kinds.ts';
import { rowKey } from '../../shared/model/row.ts';
import { asRowId, type RowId } from '../../shared/model/scalars.ts';
import type { PlanBatch, PlanElement } from '../../shared/plan/plan-types.ts';
import { createBlockKey } from '../../shared/plan/plan-types.ts';
import { pick, refsOf, renderBatch } from '../../shared/plan/wire.ts';
import type { Outcome } from '../api/request-outcome.ts';
import { type IntendAnswer, type NewBatch, type Settlement, TURN_MS } from '../store/outbox/outbox-types.ts';
import {
  addRemoteId,
  ageOf,
  isBrokenOff,
  isOver,
  type Moment,
  mediaRow,
  momentOf,
  progress,
  remoteIdOf,
  type StopReason,
  type SyncContext,
  stopFor,
  touch,
  UNANSWERED_MAX,
  valuesOf,
  waitFor,
} from './context.ts';
import { expectedShape, namesOf, outcomesFor } from './expected-response.ts';
import { halveLimit, maxRequests, withRequestSlot } from './parallel.ts';
import { noteNotRead } from './read.ts';
import { FRESH_MS, withoutChanged } from './refresh.ts';
import { isReadable, type ListedRow, readAllRows, readListedRows } from './remote-rows.ts';
import { resolveBatch, usedRemoteIds } from './resolve.ts';
import { backoffMs, keepLimit, LATER_MAX, liftLimit, TRIES_MAX, WAIT_MAX_MS, waitAfterLimit } from './retry.ts';

/** Sends one batch of a plan. Rows that could not be sent count as skipped. */
export const sendBatch = (ctx: SyncContext, batch: PlanBatch): Promise<void> =>
  sendPart(ctx, batch, { left: SPLITS_MAX });

async function sendPart(ctx: SyncContext, batch: PlanBatch, splits: Splits): Promise<void> {
  if (!isReady(ctx, batch) || isCreateBlocked(ctx, createsOf(batch))) return skipRows(ctx, batch);
  const preImage = await idsBeforeCreate(ctx, batch);
  if (preImage === 'failed') return skipRows(ctx, batch);
  const body = bodyOf(ctx, batch);
  const outcome = await sendUntilSettled(ctx, { batch, body, preImage, splits });
  if (outcome === 'in-parts') return;
  if (outcome === null || !WAS_HANDLED.has(outcome.class)) skipRows(ctx, batch);
}

const bodyOf = (ctx: SyncContext, batch: PlanBatch): string =>
  renderBatch(batch, (kind, id) => remoteIdOf(ctx, kind, id));

const WAS_HANDLED: ReadonlySet<Outcome['class']> = new Set<Outcome['class']>(['ELEMENTS', 'REFUSED', 'IN_DOUBT']);

interface Sending {
  readonly batch: PlanBatch;
  /** The exact text of the request; the same for every try. */
  readonly body: string;
  readonly preImage: readonly string[] | null;
  readonly splits: Splits;
  /** Whether a paused run still begins the first try. */
  readonly evenPaused?: boolean;
}

/**
 * Sends one request and stores its outcome:
 *
 *   read again if old > intent on disk > journal line on disk > request > outcome on disk > journal line
 *       ^                                                            |
 *       +---- wait <---- NOT_SENT, LATER ----------------------------+     all other outcomes end here, except that
 *                                                 refused updates are sent again in halves
 *
 * @returns the outcome of the last try; `in-parts` if the request was larger than the hourly limit and was sent in
 * smaller ones, or if all of its rows have left the plan; null if the run ended before it, or the rows may not be sent
 */
export async function sendUntilSettled(ctx: SyncContext, sending: Sending): Promise<Outcome | 'in-parts' | null> {
  const { splits } = sending;
  let { batch, body, preImage } = sending;
  let preImageAt = momentOf(ctx);
  let tries = 1;
  const mayBegin = (): boolean => !(sending.evenPaused === true && tries === 1 ? isBrokenOff(ctx) : isOver(ctx));
  while (mayBegin()) {
    const current = await withoutChanged(ctx, batch);
    if (current.elements.length === 0) return 'in-parts';
    if (current !== batch) {
      batch = current;
      body = bodyOf(ctx, batch);
    }
    if (preImage !== null && ageOf(ctx, preImageAt) > FRESH_MS) {
      preImageAt = momentOf(ctx);
      const ids = await idsBeforeCreate(ctx, batch);
      if (ids === 'failed') return null;
      preImage = ids;
    }
    const correlationId = ctx.ports.api.newCorrelationId();
    const frozen = newBatch(ctx, batch, body, preImage, correlationId, tries);
    setResults(ctx, batch, 'sending');
    const sent = await sendWithIntent(ctx, frozen, () => request(ctx, batch, body, correlationId), mayBegin);
    if (sent.kind !== 'answered') setResults(ctx, batch, 'pending');
    if (sent.kind === 'too-many') {
      for (const part of partsOf(batch, sent.perHour)) await sendPart(ctx, part, splits);
      return 'in-parts';
    }
    if (sent.kind === 'over-budget') {
      // A paused run does not wait for the next hour.
      if (isOver(ctx)) return null;
      await waitFor(ctx, sent.waitMs, 'hourly-limit');
      continue;
    }
    if (sent.kind !== 'answered') return null;
    const { batchId, outcome } = sent;
    const halves = halvesOf(batch, outcome, splits);
    await record(ctx, batch, batchId, correlationId, outcome, halves.length > 0);
    for (const half of halves) await sendPart(ctx, half, splits);
    if (halves.length > 0) return outcome;
    const waitMs = await waitAfter(ctx, batch, outcome, tries);
    if (waitMs === 'over') return null;
    if (waitMs === null) return outcome;
    await waitFor(ctx, waitMs, outcome.class === 'LATER' ? 'later' : 'unreachable');
    tries++;
  }
  return null;
}

/** Sets the results of the rows of a request; reviews and files are not rows of a plan. */
function setResults(ctx: SyncContext, { kind: of, elements }: PlanBatch, is: 'sending' | 'pending'): void {
  if (of !== 'review' && of !== 'media') for (const { kind, id } of elements) ctx.state.results.set(kind, id, is);
}

/** The displayed result for the state of an element in the outbox. */
const RESULTS = { DONE: 'sent', REJECTED: 'failed', RETURNED: 'pending' } as const;

async function request(ctx: SyncContext, batch: PlanBatch, body: string, correlationId: string): Promise<Outcome> {
  ctx.state.tally.requests++;
  if (batch.verb === 'logo') return sendLogo(ctx, batch, correlationId);
  const [first] = batch.elements;
  const isTaken = first === undefined ? () => false : usedRemoteIds(ctx, { kind: first.kind, rowId: first.id });
  // The row of a review is its ad group, and its result does not name that ID.
  const names =
    batch.kind === 'review'
      ? []
      : namesOf(
          batch.kind,
          batch.elements.map(({ kind, id, remoteId, sent }) => ({
            remoteId: remoteId ?? remoteIdOf(ctx, kind, id),
            sent,
          })),
        );
  const shape = expectedShape(batch.kind, batch.verb, batch.elements.length, isTaken, names);
  const { method, path } = batch;
  return ctx.ports.api.send({ method, path, body, correlationId, shape });
}

async function record(
  ctx: SyncContext,
  batch: PlanBatch,
  batchId: number,
  correlationId: string,
  outcome: Outcome,
  isSplit: boolean,
): Promise<void> {
  const settlement = isSplit ? SPLIT : notYet(ctx, batch, settlementOfOutcome(ctx, batch, outcome));
  const limit = {
    perHour: outcome.perHour,
    ...(outcome.class === 'LATER' ? { retryAfterMs: outcome.retryAfterMs } : {}),
  };
  const settled = await ctx.ports.outbox.recordOutcome({ batchId, class: outcome.class, settlement, limit });
  const ids = batch.elements.map((element, at) => {
    const result = settlement.is === 'elements' ? settlement.elements[at] : undefined;
    const remoteId = result?.is === 'done' ? result.remoteId : null;
    const state = settled.states[at];
    const message = result?.is === 'rejected' ? result.message : settlement.is === 'rejected' ? settlement.message : '';
    if (batch.kind !== 'review' && batch.kind !== 'media') {
      const is = state === 'DONE' || state === 'REJECTED' || state === 'RETURNED' ? RESULTS[state] : 'unresolved';
      ctx.state.results.set(element.kind, element.id, is, ctx.ports.clock.nowMs(), message || null);
    }
    if (state === 'DONE') indexRemoteId(ctx, batch, element, remoteId);
    if (settled.states[at] === 'RETURNED' && isTooEarly(ctx, batch)) ctx.state.tally.untouched++;
    if (state === 'REJECTED') ctx.state.tally.refused.push({ kind: element.kind, id: element.id, message });
    return remoteId;
  });
  ctx.state.tally.done += settled.done;
  if (batch.verb === 'submit') ctx.state.tally.reviews += settled.done;
  const isGood = settled.states.length > 0 && settled.states.every((state) => state === 'DONE' || state === 'RETURNED');
  if (!isGood && batch.campaignId !== null) ctx.state.troubled.add(batch.campaignId);
  if (settled.done > 0 || settled.inDoubt > 0) touch(ctx, batch.campaignId, batch.kind);
  const at = ctx.ports.clock.nowMs();
  await ctx.ports.journal.append({ t: 'outcome', c: correlationId, at, class: outcome.class, ids });
  if (settled.inDoubt > 0) await resolveNow(ctx, batchId);
  const isOpen = settled.inDoubt > 0 && (await ctx.ports.outbox.live()).some(({ id }) => id === batchId);
  if (isOpen) blockCreates(ctx, createsOf(batch));
  stopIfUnanswered(ctx, batch, outcome, isOpen);
}

/** Whether no row of a request has a known outcome. */
const isUnanswered = (outcome: Outcome): boolean =>
  outcome.class === 'IN_DOUBT' ||
  (outcome.class === 'ELEMENTS' && outcome.elements.every(({ is }) => is === 'in-doubt'));

/**
 * Ends a run whose requests get no usable responses; otherwise the user would be asked about every row of the plan.
 * After the first such request only one is in progress at a time, and the third in a row ends the run unless a read has
 * shown that it was executed. The rest is sent when the service works again. A resumed run ends after its first such
 * request.
 *
 * @param isOpen whether the request is still unconfirmed after a read
 */
function stopIfUnanswered(ctx: SyncContext, { method, path }: PlanBatch, outcome: Outcome, isOpen: boolean): void {
  const { state } = ctx;
  if (!isUnanswered(outcome)) return;
  if (!isOpen) state.unanswered = 0;
  if (state.unanswered < UNANSWERED_MAX || isOver(ctx)) return;
  const { cause = 'the answers have no results', status } = outcome.class === 'IN_DOUBT' ? outcome : {};
  const isSilent = outcome.class === 'IN_DOUBT' && status === undefined;
  state.stop = {
    cause: isSilent ? 'unreachable' : 'service',
    detail: cause,
    call: `${method} ${path}`,
    ...(status === undefined ? {} : { status }),
  };
}

const createsOf = ({ verb, elements }: PlanBatch) => ({ verb, rows: elements });

/**
 * A review submitted in the run that created its campaign may arrive before the service has made it a proposal. If the
 * state can't be read first, a refusal means "not yet", and the next sync submits it again.
 */
const isTooEarly = (ctx: SyncContext, { verb, campaignId }: PlanBatch): boolean =>
  verb === 'submit' && campaignId !== null && ctx.state.fresh.has(rowKey('campaign', campaignId));

function notYet(ctx: SyncContext, batch: PlanBatch, settlement: Settlement): Settlement {
  if (!isTooEarly(ctx, batch)) return settlement;
  if (settlement.is === 'rejected') return { is: 'returned', detail: settlement.message };
  const [only] = settlement.is === 'elements' ? settlement.elements : [];
  return only?.is === 'rejected' ? { is: 'returned', detail: only.message } : settlement;
}

function indexRemoteId(
  ctx: SyncContext,
  batch: PlanBatch,
  element: PlanElement,
  remoteId: PlanElement['remoteId'],
): void {
  if (batch.kind === 'review' || remoteId === null) return;
  addRemoteId(ctx, element.kind, element.id, remoteId);
  const isParent = batch.kind === 'campaign' || batch.kind === 'adGroup';
  if (batch.verb === 'create' && isParent) ctx.state.fresh.add(rowKey(element.kind, element.id));
}

/** Most unconfirmed requests were executed, and one read proves it. */
async function resolveNow(ctx: SyncContext, batchId: number): Promise<void> {
  const live = await ctx.ports.outbox.live();
  const batch = live.find((candidate) => candidate.id === batchId);
  if (batch !== undefined) await resolveBatch(ctx, batch, live);
}

/**
 * @returns the delay before the batch is sent again; null for no further try; `over` if the run ended before it was
 * sent
 */
async function waitAfter(
  ctx: SyncContext,
  batch: PlanBatch,
  outcome: Outcome,
  tries: number,
): Promise<number | null | 'over'> {
  const { state } = ctx;
  switch (outcome.class) {
    case 'ELEMENTS':
    case 'REFUSED':
      await liftLimit(ctx, 'write');
      countDone(ctx, batch);
      return null;
    case 'IN_DOUBT':
      if (outcome.security) state.stop ??= { cause: 'security', detail: outcome.cause };
      countDone(ctx, batch);
      return null;
    case 'AUTH':
      state.stop ??= { cause: 'credentials', detail: outcome.message };
      return null;
    case 'LATER':
      halveLimit(ctx);
      return waitOutLimit(ctx, outcome, `${batch.method} ${batch.path}`, tries);
    case 'NOT_SENT':
      if (outcome.security) state.stop ??= { cause: 'security', detail: outcome.cause };
      else if (isOver(ctx)) return 'over';
      else if (tries >= TRIES_MAX) state.stop ??= { cause: 'unreachable', detail: outcome.cause };
      return state.stop === null ? backoffMs(tries, ctx.ports.random) : null;
  }
}

/** The completion of an upload is not a batch of the plan and not counted. */
function countDone(ctx: SyncContext, { verb }: PlanBatch): void {
  if (verb !== 'upload') ctx.state.tally.batchesDone++;
  progress(ctx);
}

/** @returns the delay for a limit; null if it is too long or the limit occurred too often: the run ends */
async function waitOutLimit(
  ctx: SyncContext,
  { retryAfterMs, message }: Extract<Outcome, { class: 'LATER' }>,
  call: string,
  tries: number,
): Promise<number | null> {
  const waitMs = waitAfterLimit(retryAfterMs, ctx.options.profile, ctx.ports.random);
  const until = Math.round(ctx.ports.clock.nowMs() + waitMs);
  await keepLimit(ctx, 'write', until, waitMs);
  if (tries < LATER_MAX && waitMs <= WAIT_MAX_MS) return waitMs;
  // Parallel requests get the same limit; the stored time is the one reported.
  const retryAt = ctx.state.rateLimit?.until ?? until;
  ctx.state.stop ??= { cause: 'rate-limited', detail: message, status: 429, call, retryAt };
  return null;
}

function settlementOfOutcome(ctx: SyncContext, batch: PlanBatch, outcome: Outcome): Settlement {
  switch (outcome.class) {
    case 'NOT_SENT':
      return { is: 'returned', detail: outcome.cause };
    case 'LATER':
    case 'AUTH':
      return { is: 'returned', detail: outcome.message };
    case 'REFUSED':
      return { is: 'rejected', message: outcome.message };
    case 'IN_DOUBT':
      return { is: 'in-doubt', cause: outcome.cause };
    case 'ELEMENTS': {
      const campaignId = remoteIdOf(ctx, 'campaign', batch.campaignId);
      const elements = batch.elements.map((element, at) => {
        const result = outcome.elements[at] ?? { is: 'in-doubt', cause: 'the answer has no result for it' };
        const remoteId = element.remoteId ?? remoteIdOf(ctx, element.kind, element.id);
        return outcomesFor(result, { ...element, remoteId }, batch, campaignId);
      });
      return { is: 'elements', elements };
    }
  }
}

function newBatch(
  ctx: SyncContext,
  batch: PlanBatch,
  body: string,
  preImage: readonly string[] | null,
  correlationId: string,
  attempt: number,
): NewBatch {
  const { kind, verb, method, path, campaignId, adGroupId } = batch;
  const ops = batch.elements.map((element) => {
    const base = ctx.index.rows.get(rowKey(element.kind, element.id))?.base ?? null;
    const before = base === null ? null : pick(valuesOf({ values: base }), Object.keys(element.sent));
    const digest = ctx.state.digests.get(rowKey(element.kind, element.id));
    return { kind: element.kind, rowId: element.id, sent: element.sent, base: before, digest };
  });
  return { kind, verb, method, path, campaignId, adGroupId, attempt, correlationId, body, preImage, ops };
}

/** Whether all rows that the body refers to have an ID. */
const isReady = (ctx: SyncContext, batch: PlanBatch): boolean =>
  refsOf(batch).every(({ kind, id }) => remoteIdOf(ctx, kind, id) !== null);

export function skipRows(ctx: SyncContext, batch: PlanBatch): void {
  // Rows that have left the plan are counted at the end of the run, unless the next pass sends them.
  ctx.state.tally.untouched += batch.elements.filter(
    ({ kind, id }) => !ctx.state.changedThere.has(rowKey(kind, id)),
  ).length;
  if (batch.campaignId !== null) ctx.state.troubled.add(batch.campaignId);
}

/**
 * One row that the service does not have, or one value that it does not accept, may cause the refusal of a whole
 * request. Updates are then sent again in halves until the faulty row is alone: the others are accepted. An update that
 * is executed twice changes nothing, so this needs no proof. Creates stay failed: it is not certain that none was
 * executed.
 *
 *   [a b c d] --refused--> [a b] done, [c d] --refused--> [c] refused, [d] done
 */
interface Splits {
  /** How many more requests may be split: a service that refuses everything does not get one request per row. */
  left: number;
}

/** Enough to find two faulty rows among the fifty of a request. */
const SPLITS_MAX = 10;

/** The settlement of a request that is sent again in halves. */
const SPLIT: Settlement = { is: 'returned', detail: 'refused whole; sent again in halves' };

/** Refusals that may be caused by one row (wire shapes, section 2). */
const OF_A_ROW: ReadonlySet<number> = new Set([400, 404, 422]);

/** The two halves of a request to send again; empty if it is not sent again. */
function halvesOf(batch: PlanBatch, outcome: Outcome, splits: Splits): readonly PlanBatch[] {
  const { elements, verb } = batch;
  const isRefused = outcome.class === 'REFUSED' && OF_A_ROW.has(outcome.status);
  if (!isRefused || verb !== 'update' || elements.length < 2 || splits.left === 0) return [];
  splits.left--;
  const middle = Math.ceil(elements.length / 2);
  return partsOf(batch, middle);
}

const partsOf = (batch: PlanBatch, size: number): readonly PlanBatch[] =>
  Array.from({ length: Math.ceil(batch.elements.length / size) }, (_, at) => ({
    ...batch,
    elements: batch.elements.slice(at * size, (at + 1) * size),
  }));

/**
 * The IDs on the service before a create, so that new rows can be recognized afterwards. If this run has created the
 * parent, there are none and no read is needed.
 *
 * @returns null if there is no read or none is needed; `failed` if the read failed: the batch must then not be sent,
 * since its outcome could not be proven
 */
export async function idsBeforeCreate(
  ctx: SyncContext,
  batch: PlanBatch,
): Promise<readonly string[] | null | 'failed'> {
  if (batch.kind === 'campaign' && batch.verb === 'create') return sameNamed(ctx, batch);
  if (!needsPreImage(batch)) return null;
  const parent =
    batch.kind === 'adGroup' ? rowKeyOf('campaign', batch.campaignId) : rowKeyOf('adGroup', batch.adGroupId);
  if (parent !== null && ctx.state.fresh.has(parent)) return [];
  const seen = await readListedRows(ctx, {
    kind: batch.kind,
    verb: batch.verb,
    campaignId: batch.campaignId,
    adGroupId: batch.adGroupId,
    ops: batch.elements.map(({ id }) => ({ rowId: id })),
  });
  if (seen === 'no-read') return null;
  if (!seen.ok) {
    stopFor(ctx, seen.error);
    const rowOf = (kind: Kind, id: RowId | null) =>
      id === null ? null : (ctx.index.rows.get(rowKey(kind, id)) ?? null);
    const parents = [rowOf('campaign', batch.campaignId), rowOf('adGroup', batch.adGroupId)];
    const path = batch.kind === 'media' ? batch.elements.map(({ kind, id }) => rowOf(kind, id)) : parents;
    noteNotRead(ctx, path, seen.error);
    return 'failed';
  }
  return seen.value.map(({ remoteId }) => remoteId);
}

/**
 * Existing campaigns with the name of a new one, if campaigns can be listed. They were created elsewhere, so finding
 * one later proves nothing.
 */
async function sameNamed(ctx: SyncContext, batch: PlanBatch): Promise<readonly string[] | null | 'failed'> {
  if (!(await listCampaignsBeforeCreate(ctx))) return 'failed';
  if (ctx.state.campaignsSeen === null) return null;
  const names = new Set(batch.elements.map(({ sent }) => trimmed(sent['name'])));
  return ctx.state.campaignsSeen.filter(({ name }) => names.has(name)).map(({ remoteId }) => remoteId);
}

/**
 * Lists the campaigns before one is created, at most once a minute.
 *
 * @returns false if the read failed
 */
export async function listCampaignsBeforeCreate(ctx: SyncContext): Promise<boolean> {
  const { campaignsSeenAt } = ctx.state;
  const isFresh = campaignsSeenAt !== null && ageOf(ctx, campaignsSeenAt) <= FRESH_MS;
  if (!ctx.options.capabilities.campaignRead || isFresh) return true;
  // While the list is read again, parallel creates use the previous one.
  if (ctx.state.campaignsSeen !== null) ctx.state.campaignsSeenAt = momentOf(ctx);
  const begunAt = momentOf(ctx);
  const seen = await readAllRows(ctx, 'campaign');
  if (seen === 'no-read') return true;
  if (!seen.ok) stopFor(ctx, seen.error);
  else {
    const toName = ({ remoteId, values }: ListedRow) => ({ remoteId, name: trimmed(values['name']) });
    ctx.state.campaignsSeen = seen.value.map(toName);
    ctx.state.campaignsSeenAt = begunAt;
  }
  return seen.ok;
}

const rowKeyOf = (kind: 'campaign' | 'adGroup', id: RowId | null): string | null =>
  id === null ? null : rowKey(kind, id);
const trimmed = (cell: unknown): string => (typeof cell === 'string' ? cell.trim() : '');

/**
 * Profiles, reviews and finished uploads are identified only by their ID. Ad items, keywords and multipliers have an
 * identity (item, text, type), so a later read is enough.
 */
function needsPreImage({ kind, verb }: PlanBatch): boolean {
  if (verb === 'submit' || verb === 'upload') return true;
  // Sending a logo twice is harmless, so the previous one is not read.
  return verb === 'create' && (kind === 'adGroup' || kind === 'sbaProfile' || kind === 'videoProfile');
}

/** Meta key of the form field name that this deployment accepts for a logo. */
export const LOGO_FIELD_KEY = 'logo-form-field';

/** Sends the logo of one profile. The file is read into memory: the service accepts at most one megabyte. */
async function sendLogo(ctx: SyncContext, batch: PlanBatch, correlationId: string): Promise<Outcome> {
  const [element] = batch.elements;
  const logoId = element?.sent['logo'];
  const row = typeof logoId === 'number' ? mediaRow(ctx, asRowId(logoId)) : null;
  const campaignId = remoteIdOf(ctx, 'campaign', batch.campaignId);
  const adGroupId = remoteIdOf(ctx, 'adGroup', batch.adGroupId);
  const sbaProfileId = remoteIdOf(ctx, 'sbaProfile', element?.id ?? null);
  if (row === null || campaignId === null || adGroupId === null || sbaProfileId === null) {
    return { class: 'REFUSED', status: 0, message: 'The logo is no longer in the media library. Choose another one.' };
  }
  const before = ctx.state.logoField;
  const png = await ctx.ports.uploader.bytes(row);
  if (!png.ok) return unreadable(png.error);
  const logo = { campaignId, adGroupId, sbaProfileId, png: png.value, correlationId };
  const answer = await ctx.ports.api.uploadLogo(logo, before);
  if (answer.field !== before) {
    ctx.state.logoField = answer.field;
    await ctx.ports.workspace.setMeta(LOGO_FIELD_KEY, answer.field);
  }
  return answer.outcome;
}

const unreadable = (code: string): Outcome => ({
  class: 'REFUSED',
  status: 0,
  message: `Can't read the logo file (${code}). Add it to the library again.`,
});

/** The result of a batch that got its slot. `never`: the run ended before it. */
type SendResult =
  | { readonly kind: 'answered'; readonly batchId: number; readonly outcome: Outcome }
  | Exclude<IntendAnswer, { readonly kind: 'ok' }>
  | { readonly kind: 'never' };

/**
 * How many intents may be stored ahead of a free request slot, so that no slot is idle during a disk write. After a
 * crash, each such intent is unconfirmed, so only kinds that a read can resolve get this.
 */
const INTENTS_AHEAD = 2;

/**
 * Stores the intent of a batch and sends its request, each as soon as there is a slot. The outcome is stored while
 * others send.
 *
 * @param request called only when the request may be sent, so that it reads the current state
 * @param mayBegin whether the run may continue; called again after each wait
 */
function sendWithIntent(
  ctx: SyncContext,
  batch: NewBatch,
  request: () => Promise<Outcome>,
  mayBegin: () => boolean,
): Promise<SendResult> {
  const ahead = isReadable(ctx, batch.kind) ? INTENTS_AHEAD : 0;
  return withRequestSlot(
    ctx,
    'intent',
    () => maxRequests(ctx) + ahead,
    async (): Promise<SendResult> => {
      if (!mayBegin()) return { kind: 'never' };
      // Taken before the write, which may take long: the age includes the write and the wait for a slot.
      const askedAt = momentOf(ctx);
      const intent = await recordIntent(ctx, batch);
      if (intent.kind !== 'ok') return intent;
      const { batchId } = intent;
      const send = async (): Promise<Outcome> => {
        if (!mayBegin()) return notSent('the sync ended before its turn came');
        // Later, when reads have resolved the other requests, `stopIfUnanswered` decides whether the run ends.
        if (ctx.state.unanswered >= UNANSWERED_MAX) return notSent('earlier requests got no usable response');
        const isOurs = await renewIntent(ctx, batchId, askedAt);
        if (!isOurs) return notSent(ctx.state.stop?.detail ?? lockLost.detail);
        const outcome = await request();
        // Counted before the slot is released.
        if (isUnanswered(outcome)) ctx.state.unanswered++;
        else if (WAS_HANDLED.has(outcome.class)) ctx.state.unanswered = 0;
        return outcome;
      };
      return {
        kind: 'answered',
        batchId,
        outcome: await withRequestSlot(ctx, 'request', () => maxRequests(ctx), send),
      };
    },
  );
}

/**
 * Renews the date of an intent that has waited long for its slot: the settle window begins at this date.
 *
 * @returns false if another process has taken the workspace over
 */
async function renewIntent(ctx: SyncContext, batchId: number, askedAt: Moment): Promise<boolean> {
  for (let since = askedAt; ageOf(ctx, since) > TURN_MS; ) {
    since = momentOf(ctx);
    const isOurs = await ctx.ports.outbox.renewTimestamp({ batchId });
    if (!isOurs) stopForLoss(ctx);
    if (!isOurs) return false;
  }
  return true;
}

const notSent = (cause: string): Outcome => ({ class: 'NOT_SENT', cause, security: false });

const lockLost: StopReason = { cause: 'disk', detail: 'Another program opened this account.' };

/** Stops the run because a colleague, or another process that opened the same file, may send now. */
function stopForLoss({ state, ports }: SyncContext): void {
  state.stop = ports.lost?.() ?? lockLost;
}

/** Writes the intent and its line of the side journal; both are on disk when this resolves. */
async function recordIntent(ctx: SyncContext, batch: NewBatch): Promise<IntendAnswer> {
  const answer = await ctx.ports.outbox.saveIntent({ batch });
  if (answer.kind === 'stale-epoch') stopForLoss(ctx);
  if (answer.kind !== 'ok') return answer;
  await ctx.ports.journal.append({
    t: 'intent',
    c: batch.correlationId,
    at: ctx.ports.clock.nowMs(),
    kind: batch.kind,
    verb: batch.verb,
    campaign: batch.campaignId,
    adGroup: batch.adGroupId,
    rows: batch.ops.map(({ kind, rowId }) => ({ kind, id: rowId })),
  });
  return answer;
}

interface Creates {
  readonly verb: string;
  readonly rows: readonly { readonly kind: Kind; readonly id: RowId }[];
}

/**
 * While a create is unconfirmed, its group gets no further creates of that kind: a read could not tell their rows
 * apart. The plan leaves such rows out; a create that becomes unconfirmed during a plan blocks its group here for the
 * remaining batches of that plan.
 */
function blockCreates(ctx: SyncContext, creates: Creates): void {
  for (const key of keysOf(ctx, creates)) ctx.state.blockedCreates.add(key);
}

const isCreateBlocked = (ctx: SyncContext, creates: Creates): boolean =>
  ctx.state.blockedCreates.size > 0 && keysOf(ctx, creates).some((key) => ctx.state.blockedCreates.has(key));

function keysOf(ctx: SyncContext, { verb, rows }: Creates): readonly string[] {
  if (verb !== 'create') return [];
  return rows.flatMap(({ kind, id }) => {
    const row = ctx.index.rows.get(rowKey(kind, id));
    const parent = row?.adGroupId ?? row?.campaignId ?? null;
    return parent === null || parent === id ? [] : [createBlockKey(kind, parent)];
  });
}

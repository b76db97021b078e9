import type { PlanLine, PlanView } from '../../shared/api/sync.ts';
import { changeImpact } from '../../shared/lifecycle/change-impact.ts';
import { needsReview } from '../../shared/lifecycle/states.ts';
import { type CampaignTree, rowsIn } from '../../shared/model/campaign-tree.ts';
import { KINDS, type Kind } from '../../shared/model/kinds.ts';
import { type AnyRow, cellOf, changedFields, isChanged, isDeleted, isNew, rowKey } from '../../shared/model/row.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { compareNames, textKey } from '../../shared/model/text.ts';
import type { Plan, PlanBatch } from '../../shared/plan/plan-types.ts';
import { refsOf } from '../../shared/plan/wire.ts';
import { rowLabel } from '../../shared/rules/rule.ts';

/**
 * Rows that a plan sends, by kind; an account may have a million. Each row is one change, whether new, changed or
 * deleted, independent of the number of its fields. Uploads and reviews do not count.
 */
export interface SentRows {
  readonly size: number;
  readonly has: (kind: Kind, id: RowId) => boolean;
}

export function changesOf({ batches }: Pick<Plan, 'batches'>): SentRows {
  const byKind = new Map(KINDS.map((kind) => [kind, new Set<RowId>()]));
  for (const batch of batches) {
    if (isOfRows(batch)) for (const { kind, id } of batch.elements) byKind.get(kind)?.add(id);
  }
  return {
    size: [...byKind.values()].reduce((sum, { size }) => sum + size, 0),
    has: (kind, id) => byKind.get(kind)?.has(id) === true,
  };
}

/** The first changed rows in the order of sending. */
export function firstChanges({ batches }: Pick<Plan, 'batches'>, count: number) {
  const some = batches.filter(isOfRows).slice(0, count);
  const first = some.flatMap(({ elements }) => elements.slice(0, count));
  return [...new Map(first.map(({ kind, id }) => [rowKey(kind, id), { kind, id }])).values()].slice(0, count);
}

const isOfRows = ({ kind }: Pick<PlanBatch, 'kind'>): boolean => kind !== 'review' && kind !== 'media';

/**
 * How many rows each request is the first to send, and after which request it can be sent.
 *
 * @returns by the index of the request; a logo follows its profile and counts as no change
 */
export function requestsOf({ batches }: Plan): readonly { readonly changes: number; readonly after: number | null }[] {
  const firstOf = new Map<string, number>();
  return batches.map((batch) => {
    const refs = refsOf(batch).flatMap(({ kind, id }) => firstOf.get(rowKey(kind, id)) ?? []);
    let changes = 0;
    for (const { kind, id } of isOfRows(batch) ? batch.elements : []) {
      const key = rowKey(kind, id);
      const first = firstOf.get(key);
      if (first === undefined) changes++;
      else refs.push(first);
      firstOf.set(key, first ?? batch.index);
    }
    return { changes, after: refs.length === 0 ? null : Math.max(...refs) };
  });
}

/** Changed rows that a plan does not send, with the plan's reason, or `otherwise` without one. */
export function staysOf(
  plan: Pick<Plan, 'batches' | 'leftOut'>,
  trees: readonly CampaignTree[],
  otherwise = 'nothing-to-send',
): readonly { readonly kind: Kind; readonly id: RowId; readonly reason: string }[] {
  const sent = changesOf(plan);
  const why = new Map(plan.leftOut.map(({ kind, id, reason }) => [rowKey(kind, id), reason]));
  return trees.flatMap((tree) =>
    SENT_KINDS.flatMap((kind) =>
      rowsIn(tree, kind)
        .filter((row) => isChanged(row) && !sent.has(kind, row.id))
        .map(({ id }) => ({ kind, id, reason: why.get(rowKey(kind, id)) ?? otherwise })),
    ),
  );
}

/** The row that keeps a campaign from its review, with the reason; see `unsubmitted` of the contract. */
export interface Unsubmitted {
  readonly kind: Kind;
  readonly id: RowId;
  readonly why: string;
}

/** What a review needs, at least one row of each. */
const REVIEW_PARTS: readonly (readonly Kind[])[] = [['sbaProfile', 'videoProfile'], ['adItem'], ['keyword']];

/** Why a plan does not submit a campaign, from its rows that are not sent. */
export function unsubmittedOf(
  tree: CampaignTree,
  sent: SentRows,
  stays: ReturnType<typeof staysOf>,
  submit: boolean,
): Unsubmitted {
  const { id } = tree.campaign;
  if (!submit) return { kind: 'campaign', id, why: 'off' };
  const missing = REVIEW_PARTS.find(
    (kinds) => !kinds.some((kind) => rowsIn(tree, kind).some((row) => row.remoteId !== null || sent.has(kind, row.id))),
  );
  const cause = stays.find(({ kind, reason }) => missing?.includes(kind) ?? reason === 'not-chosen');
  if (cause !== undefined) return { kind: cause.kind, id: cause.id, why: cause.reason };
  return { kind: 'campaign', id, why: missing === undefined ? 'nothing-to-send' : 'incomplete' };
}

/** Campaigns with sent rows that need a review and are not submitted; see the contract. */
export function unsubmittedIn(
  plan: Plan,
  trees: readonly CampaignTree[],
  submitted: ReadonlySet<RowId | null>,
  submit: boolean,
): PlanView['effects']['unsubmitted'] {
  const sent = changesOf(plan);
  const left = trees.filter(
    (tree) =>
      !submitted.has(tree.campaign.id) &&
      SENT_KINDS.some((kind) =>
        rowsIn(tree, kind).some((row) => sent.has(kind, row.id) && plannedRow(row, tree).effect === 'review'),
      ),
  );
  const first = inOrderOfNames(left.map((tree) => ({ ...headOf(tree, sent), tree }))).slice(0, NAMED);
  return {
    campaigns: left.length,
    first: first.map(({ tree, label }) => ({ ...unsubmittedOf(tree, sent, staysOf(plan, [tree]), submit), label })),
  };
}

const SENT_KINDS = KINDS.filter((kind) => kind !== 'media');

type RowLine = Extract<PlanLine, { is: 'row' }>;
type Effect = RowLine['effect'];
type LineField = Extract<PlanLine, { is: 'field' }>['field'];

export interface PlannedCampaign {
  readonly id: RowId;
  readonly label: string;
  readonly remoteId: string | null;
  readonly itemId: string | null;
  readonly state: string | null;
  readonly isNew: boolean;
  readonly startDate: string | null;
  /** Daily budget in cents before and after; null if the plan does not change it. */
  readonly budget: readonly [number, number] | null;
  readonly kinds: readonly { readonly kind: Kind; readonly rows: readonly PlannedRow[] }[];
}

export interface PlannedChanges {
  readonly campaigns: readonly PlannedCampaign[];
  readonly total: number;
}

/** The rows of a plan with their displayed values; yields after each campaign. */
export function* plannedChanges(plan: Plan, trees: readonly CampaignTree[]): Generator<void, PlannedChanges> {
  const sent = changesOf(plan);
  const campaigns: PlannedCampaign[] = [];
  for (const tree of trees) {
    campaigns.push(...plannedCampaign(tree, sent));
    yield;
  }
  return inOrder(campaigns);
}

/** A campaign with its sent rows; empty if none is sent. */
export function plannedCampaign(tree: CampaignTree, sent: SentRows): readonly PlannedCampaign[] {
  const kinds = SENT_KINDS.flatMap((kind) => {
    const rows = rowsIn(tree, kind).filter(({ id }) => sent.has(kind, id));
    return rows.length === 0 ? [] : [{ kind, rows: rows.map((row) => plannedRow(row, tree)) }];
  });
  return kinds.length === 0 ? [] : [{ ...headOf(tree, sent), kinds }];
}

const inOrderOfNames = <T extends { readonly label: string; readonly id: RowId }>(campaigns: readonly T[]): T[] =>
  campaigns.toSorted((one, other) => compareNames(one.label, other.label) || one.id - other.id);

export const inOrder = (campaigns: readonly PlannedCampaign[]): PlannedChanges => ({
  campaigns: inOrderOfNames(campaigns),
  total: campaigns.flatMap(({ kinds }) => kinds).reduce((sum, { rows }) => sum + rows.length, 0),
});

function headOf({ campaign, adItems }: CampaignTree, sent: SentRows): Omit<PlannedCampaign, 'kinds'> {
  const { values, base, id } = campaign;
  const after = isDeleted(campaign) ? 0 : perDay(values);
  const before = isNew(campaign) ? 0 : perDay(base ?? values);
  return {
    id,
    // As in every list of campaigns.
    label: campaign.values.name ?? campaign.remoteId ?? rowLabel(campaign),
    remoteId: campaign.remoteId,
    itemId: adItems[0]?.values.itemId ?? null,
    state: values.campaignState,
    isNew: isNew(campaign),
    startDate: values.startDate,
    budget: sent.has('campaign', id) && before !== after ? [before, after] : null,
  };
}

/** What a campaign may spend in a day, in cents: 0 while it is paused. */
const perDay = ({ status, dailyBudget }: Pick<CampaignTree['campaign']['values'], 'status' | 'dailyBudget'>): number =>
  status === 'paused' || status === 'completed' ? 0 : (dailyBudget ?? 0);

/** Fields that describe a new row; the first one with a value is shown. */
const SHOWN_OF_NEW = ['headline', 'bid', 'dailyBudget', 'totalBudget', 'multiplier', 'video'];
const BUDGETS: readonly string[] = ['dailyBudget', 'totalBudget'];

type PlannedRow = ReturnType<typeof plannedRow>;

function plannedRow(row: AnyRow, tree: CampaignTree) {
  const what: RowLine['what'] = isDeleted(row) ? 'deleted' : isNew(row) ? 'new' : 'changed';
  const shown = SHOWN_OF_NEW.filter((field) => what === 'new' && cellOf(row.values, field) !== null).slice(0, 1);
  const changed = what === 'changed' ? changedFields(row.kind, row.dirty) : shown;
  return {
    kind: row.kind,
    id: row.id,
    label: row.kind === 'keyword' ? (row.values.text ?? '') : rowLabel(row),
    detail: row.kind === 'keyword' ? row.values.matchType : null,
    itemId: row.kind === 'adItem' ? row.values.itemId : null,
    what,
    fields: changed.map((field) => ({ field, before: cellOf(row.base, field), after: cellOf(row.values, field) })),
    effect: effectOf(row, changed, tree),
    isBudget: row.kind === 'campaign' && changed.some((field) => BUDGETS.includes(field)),
  };
}

const REVIEWED: ReadonlySet<Kind> = new Set<Kind>([
  'campaign',
  'adGroup',
  'adItem',
  'keyword',
  'sbaProfile',
  'videoProfile',
]);

/** Bid changes are effective immediately. For other changes, `changeImpact` decides whether they need a review. */
function effectOf(row: AnyRow, changed: readonly string[], tree: CampaignTree): Effect {
  if (isDeleted(row)) return 'immediate';
  if (isNew(row)) return needsReview(tree.campaign) && REVIEWED.has(row.kind) ? 'review' : 'immediate';
  // Only the row itself is passed on: a campaign may have 50,000 keywords.
  const alone: CampaignTree =
    row.kind === 'keyword' ? { ...tree, keywords: [row] } : row.kind === 'adItem' ? { ...tree, adItems: [row] } : tree;
  const costs = changed
    .filter((field) => field !== 'bid')
    .map((field) => changeImpact(row.kind, field, alone, row.id).cost);
  return costs.some((cost) => cost === 'needs-review' || cost === 'needs-pause') ? 'review' : 'immediate';
}

/** Maximum number of names in the view of a plan. */
const NAMED = 8;

/**
 * Counts the effects of a plan.
 *
 * @param onService daily budgets of the account's campaigns, in cents; 0 for paused ones
 * @param submitted names of the campaigns that are submitted for review, by ID
 * @param unsubmitted what prevents the submission of other campaigns, by ID
 */
export function outlook(
  { campaigns }: PlannedChanges,
  sent: SentRows,
  today: string,
  onService: ReadonlyMap<RowId, number>,
  submitted: ReadonlyMap<RowId, string>,
  unsubmitted: ReadonlyMap<RowId, Unsubmitted>,
): Pick<PlanView, 'effects' | 'budgets'> {
  const going = campaigns.map(({ kinds, ...campaign }) => {
    const counts = { immediate: 0, review: 0 };
    for (const { kind, rows } of kinds) for (const { id, effect } of rows) if (sent.has(kind, id)) counts[effect]++;
    return { ...campaign, ...counts };
  });
  const reviewed = going.filter(({ id, review }) => review > 0 && submitted.has(id));
  const left = going.flatMap(({ id, label, review }) => {
    const why = review > 0 && !submitted.has(id) ? unsubmitted.get(id) : undefined;
    return why === undefined ? [] : [{ ...why, label }];
  });
  const later = going.flatMap(({ id, label, isNew: isFresh, startDate, immediate, review }) =>
    isFresh && startDate !== null && startDate > today && (review > 0 ? submitted.has(id) : immediate > 0)
      ? [{ label, startDate }]
      : [],
  );
  const [first] = later.toSorted((a, b) => (a.startDate < b.startDate ? -1 : 1));
  const budgets = going.flatMap(({ id, label, remoteId, budget }) =>
    budget === null || !sent.has('campaign', id) ? [] : [{ id, label, remoteId, before: budget[0], after: budget[1] }],
  );
  // The budget of an ended campaign counts only if the plan changes it.
  const ended = going.flatMap(({ budget, id }) =>
    budget === null || !sent.has('campaign', id) || onService.has(id) ? [] : [budget[0]],
  );
  const total = [...onService.values(), ...ended].reduce((sum, cents) => sum + cents, 0);
  const largest = budgets.toSorted((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before));
  return {
    effects: {
      immediate: going.reduce((sum, { immediate }) => sum + immediate, 0),
      review: reviewed.reduce((sum, { review }) => sum + review, 0),
      reviewed: reviewed.map(({ label }) => label).slice(0, NAMED),
      submitted: [...submitted.values()].slice(0, NAMED),
      unsubmitted: { campaigns: left.length, first: left.slice(0, NAMED) },
      scheduled: { campaigns: later.length, from: first?.startDate ?? null, first: later.slice(0, NAMED) },
    },
    budgets: {
      before: total,
      after: budgets.reduce((sum, { before, after }) => sum + after - before, total),
      campaigns: largest.slice(0, NAMED),
      more: Math.max(0, largest.length - NAMED),
    },
  };
}

export type RowResult = Extract<PlanLine, { is: 'row' }>['result'];

/** Filter and folding of the requested lines; see `planLines` of the contract. */
export interface LineView {
  readonly filter: 'all' | 'immediate' | 'review' | 'budgets';
  readonly words: string;
  readonly sentOnly: boolean;
  readonly closed: boolean;
  readonly turned: readonly RowId[];
  readonly whole: readonly string[];
}

/** What differs between the plan and the run that sends it: the check boxes, and the result of each row. */
interface RowFacts {
  readonly sent: SentRows;
  /**
   * Whether the check box of a row is selected. A row that is selected and not sent is left out because of its parent.
   */
  readonly isPicked: (row: { readonly kind: Kind; readonly id: RowId; readonly campaignId: RowId }) => boolean;
  readonly resultOf: (key: string) => RowResult;
}

export type PlanLines = ReturnType<typeof createPlanLines>;

/** Above this number of rows, campaigns are collapsed at first. */
const OPEN_MAX = 300;
/** A campaign's rows of one kind are folded above this number. */
const ROWS_SHOWN = 6;
/** Maximum length of two texts, in characters, to be shown side by side. */
const TEXT_ON_A_LINE = 36;

type Line = {
  readonly is: 'campaign' | 'kind' | 'row' | 'field' | 'more';
  readonly campaign: PlannedCampaign;
  readonly kind: Kind | null;
  readonly rows: readonly PlannedRow[];
  readonly at: number;
};
type Size = 'campaign' | 'line' | 'text';

/** The lines of a list of changes, in windows. The layout is cached for the last view. */
export function createPlanLines(changes: PlannedChanges, facts: RowFacts) {
  let kept: {
    readonly key: string;
    readonly lines: readonly Line[];
    readonly shape: [Size, number][];
    readonly counts: Record<LineView['filter'], number>;
  } | null = null;
  const layout = (view: LineView) => {
    const key = JSON.stringify([view.filter, view.words, view.sentOnly, view.closed, view.turned, view.whole]);
    if (kept?.key !== key) kept = { key, ...layOut(view.sentOnly ? sentChanges(changes, facts) : changes, view) };
    return kept;
  };
  const drawn = (line: Line): PlanLine => drawLine(line, facts);
  return (view: LineView, from: number, count: number) => {
    const { lines, shape, counts } = layout(view);
    return { counts, shape: [...shape], lines: lines.slice(from, from + count).map(drawn) };
  };
}

/** The campaigns of which at least one row was sent. */
const sentChanges = ({ campaigns, total }: PlannedChanges, { resultOf }: RowFacts): PlannedChanges => ({
  campaigns: campaigns.filter(({ kinds }) =>
    kinds.some(({ rows }) => rows.some(({ kind, id }) => resultOf(rowKey(kind, id)).is === 'sent')),
  ),
  total,
});

function layOut({ campaigns, total }: PlannedChanges, { filter, words, closed, turned, whole }: LineView) {
  const parts = textKey(words)
    .split(/\s+/u)
    .filter((word) => word !== '');
  const isFound = (campaign: PlannedCampaign, { label, detail }: PlannedRow): boolean => {
    if (parts.length === 0) return true;
    const text = textKey(`${campaign.label} ${label} ${detail ?? ''}`);
    return parts.every((part) => text.includes(part));
  };
  const counts = { all: 0, immediate: 0, review: 0, budgets: 0 };
  const turnedOnes = new Set<RowId>(turned);
  const wholeOnes = new Set(whole);
  const lines: Line[] = [];
  const shape: [Size, number][] = [];
  const add = (line: Line, size: Size): void => {
    lines.push(line);
    const last = shape.at(-1);
    if (last?.[0] === size) last[1]++;
    else shape.push([size, 1]);
  };
  for (const campaign of campaigns) {
    const shown = campaign.kinds.flatMap(({ kind, rows: all }) => {
      const found = all.filter((row) => isFound(campaign, row));
      counts.all += found.length;
      counts.budgets += found.filter(({ isBudget }) => isBudget).length;
      for (const { effect } of found) counts[effect]++;
      const rows = found.filter(
        ({ effect, isBudget }) => filter === 'all' || (filter === 'budgets' ? isBudget : effect === filter),
      );
      return rows.length === 0 ? [] : [{ kind, rows }];
    });
    if (shown.length === 0) continue;
    const isOpen = turnedOnes.has(campaign.id) !== (!closed && (total <= OPEN_MAX || parts.length > 0));
    const every = shown.flatMap(({ rows }) => rows);
    add({ is: 'campaign', campaign, kind: null, rows: every, at: isOpen ? 1 : 0 }, 'campaign');
    for (const { kind, rows } of isOpen ? shown : []) {
      if (rows.length > 1) add({ is: 'kind', campaign, kind, rows, at: 0 }, 'line');
      const isFolded = rows.length > ROWS_SHOWN && !wholeOnes.has(`${campaign.id}:${kind}`);
      const drawn = isFolded ? rows.slice(0, ROWS_SHOWN - 2) : rows;
      for (const row of drawn) {
        const [first] = row.fields;
        add({ is: 'row', campaign, kind, rows: [row], at: 0 }, isLong(first) ? 'text' : 'line');
        for (let at = 1; at < row.fields.length; at++) {
          add({ is: 'field', campaign, kind, rows: [row], at }, isLong(row.fields[at]) ? 'text' : 'line');
        }
      }
      if (isFolded) add({ is: 'more', campaign, kind, rows: rows.slice(drawn.length), at: 0 }, 'line');
    }
  }
  return { lines, shape, counts };
}

const isLong = (field: LineField | undefined): boolean =>
  typeof field?.before === 'string' &&
  typeof field.after === 'string' &&
  field.before.length + field.after.length > TEXT_ON_A_LINE;

function drawLine({ is, campaign, kind, rows, at }: Line, { sent, isPicked, resultOf }: RowFacts): PlanLine {
  const [row] = rows;
  const campaignId = campaign.id;
  const isSent = (one: PlannedRow): boolean => sent.has(one.kind, one.id);
  const picked = rows.filter(isSent).length;
  if (is === 'campaign' || kind === null || row === undefined) {
    const results = rows.map((one) => resultOf(rowKey(one.kind, one.id)).is);
    const { label, itemId, state, isNew: isFresh, startDate, budget } = campaign;
    return {
      is: 'campaign',
      campaignId,
      label,
      itemId,
      state,
      isNew: isFresh,
      startDate,
      changes: rows.length,
      picked,
      perDay: budget === null || !sent.has('campaign', campaignId) ? 0 : budget[1] - budget[0],
      isOpen: at === 1,
      sent: results.filter((result) => result === 'sent').length,
      isSending: results.includes('sending'),
      isPending: results.includes('pending'),
    };
  }
  switch (is) {
    case 'kind':
      return { is, campaignId, kind, rows: rows.length, picked, bids: meanBids(rows) };
    case 'more':
      return { is, campaignId, kind, rows: rows.length };
    case 'field':
      return { is, kind, id: row.id, field: row.fields[at] ?? { field: '', before: null, after: null } };
    case 'row': {
      const { id, label, detail, itemId, what, fields, effect } = row;
      const mine = isPicked({ kind, id, campaignId });
      return {
        is,
        campaignId,
        kind,
        id,
        label,
        detail,
        itemId,
        what,
        field: fields[0] ?? null,
        effect,
        isPicked: isSent(row),
        isBelowUnpicked: mine && !isSent(row),
        result: resultOf(rowKey(kind, id)),
      };
    }
  }
}

/** Mean of the changed bids, in cents. */
function meanBids(rows: readonly PlannedRow[]): [number, number] | null {
  const bids = rows.flatMap(({ fields }) =>
    fields.flatMap(({ field, before, after }) =>
      field === 'bid' && typeof before === 'number' && typeof after === 'number' ? [{ before, after }] : [],
    ),
  );
  if (bids.length === 0) return null;
  const mean = (side: 'before' | 'after') => Math.round(bids.reduce((sum, bid) => sum + bid[side], 0) / bids.length);
  return [mean('before'), mean('after')];
}

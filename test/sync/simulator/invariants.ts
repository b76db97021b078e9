import type { AnyValues } from '../../../shared/model/fields.ts';
import type { AnyRow } from '../../../shared/model/row.ts';
import type { ModelService, Stored } from './model-service.ts';
import type { SimStore } from './sim-store.ts';
import type { SentRequest } from './simulated-account.ts';

/** What must hold of every request at the moment it arrives. */
export function watchRequest(store: SimStore, { method, body, correlationId }: SentRequest): readonly string[] {
  const broken: string[] = [];
  const intent = store.bodyOf(correlationId);
  if (intent === null) broken.push('a request left before its intent was committed');
  else if (intent !== body) broken.push('the bytes on the wire are not those of the intent');
  if (method !== 'POST') return broken;
  const live = store.liveOps();
  const unsettled = live.filter(
    (op) => op.verb === 'create' && op.state !== 'SENT' && op.kind !== 'campaign' && op.correlationId !== correlationId,
  );
  if (unsettled.length === 0) return broken;
  const rows = new Map(store.rows().map((row) => [`${row.kind}:${row.id}`, row]));
  const parentOf = (op: { kind: string; rowId: number }): string => {
    const row = rows.get(`${op.kind}:${op.rowId}`);
    return `${op.kind} below ${row?.kind === 'adGroup' ? row.campaignId : (row?.adGroupId ?? row?.campaignId)}`;
  };
  const frozen = new Set(unsettled.map(parentOf));
  const mine = live.filter((op) => op.correlationId === correlationId && op.verb === 'create');
  if (mine.some((op) => frozen.has(parentOf(op)))) broken.push('a create left while another of its group was in doubt');
  return broken;
}

/** What must hold when a process has just taken the outbox over. */
export const checkTakenOver = (store: SimStore): readonly string[] =>
  store.liveOps().some(({ state }) => state === 'SENT')
    ? ['a send without an answer outlived the start of a process']
    : [];

/** What must hold when a round came to its end: every request it found or made has been given up or answered. */
export const checkRoundOver = (store: SimStore): readonly string[] =>
  store.liveOps().some(({ state }) => state === 'SENT') ? ['a round ended and left a send that nobody waits for'] : [];

/** What must hold whenever no process runs. */
export function checkAtRest(store: SimStore, opsBefore: number): readonly string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { kind, rowId, verb } of store.liveOps()) {
    const key = `${kind}:${rowId}:${verb}`;
    if (seen.has(key)) problems.push('two live sends of one row');
    seen.add(key);
  }
  const states = Object.values(store.outbox('countStates')).reduce((sum, count) => sum + count, 0);
  if (states !== store.opCount() || states < opsBefore) problems.push('a send has vanished from the outbox');
  const owners = new Set<string>();
  for (const { kind, remoteId } of store.rows()) {
    if (remoteId === null) continue;
    if (owners.has(`${kind}:${remoteId}`)) problems.push(`two rows of kind ${kind} have one id`);
    owners.add(`${kind}:${remoteId}`);
  }
  return problems;
}

export const isAtRest = (store: SimStore): boolean =>
  store.liveOps().length === 0 && store.rows().every(({ dirty }) => dirty === 0);

/** The last value a user gave a cell, unless somebody else wrote it afterwards. */
type Wishes = ReadonlyMap<string, string | number>;

/** What must hold when everything has come to rest: all there, once, under its own id, with the values wanted. */
export function checkAtEnd(
  store: SimStore,
  service: ModelService,
  wishes: Wishes,
  made: ReadonlySet<string>,
): readonly string[] {
  const problems: string[] = [];
  if (!isAtRest(store)) problems.push('the draft did not come to rest');
  const remote = new Map(service.rows.map((row) => [row.id, row]));
  const claimed = new Set<number>();
  for (const row of store.rows()) {
    if (isPair(row.kind)) continue;
    const id = Number(row.remoteId);
    const there = remote.get(id);
    if (row.remoteId === null) problems.push(`${row.kind} has no id`);
    else if (there === undefined || there.kind !== row.kind) problems.push(`${row.kind} has the id of something else`);
    else problems.push(...compare(row, there, wishes, made));
    // What a read brought in stands for nothing that was made here: it must not hide a duplicate.
    if (made.has(`${row.kind}:${row.id}`)) claimed.add(id);
  }
  for (const row of service.rows) {
    if (!claimed.has(row.id) && !row.isStrangers && !isPair(row.kind)) {
      problems.push(`${row.kind} ${row.id} is on the service beside what was made here`);
    }
  }
  return [...problems, ...comparePairs(store, service, wishes)];
}

const isPair = (kind: string): boolean => kind === 'placementMultiplier' || kind === 'platformMultiplier';

const STOLEN = "something of somebody else's was taken for ours";

function compare(row: AnyRow, there: Stored, wishes: Wishes, made: ReadonlySet<string>): readonly string[] {
  const problems: string[] = [];
  const values = row.values as AnyValues;
  const same = (field: string, wire: string): void => {
    const a = typeof values[field] === 'number' ? cents(there.fields[wire]) : there.fields[wire];
    if (a !== values[field]) problems.push(`${row.kind}: ${field} is ${String(a)} there and ${values[field]} here`);
  };
  const wish = wishes.get(`${row.kind}:${row.id}`);
  switch (row.kind) {
    case 'campaign':
    case 'adGroup':
      same('name', 'name');
      break;
    case 'adItem':
      same('itemId', 'itemId');
      same('bid', 'bid');
      if (row.values.status === 'deleted') same('status', 'status');
      if (wish !== undefined && wish !== cents(there.fields['bid'])) problems.push('an edit of a bid was lost');
      break;
    case 'keyword':
      same('text', 'keywordText');
      break;
    case 'sbaProfile':
      same('headline', 'headlineText');
      if (there.isStrangers && made.has(`sbaProfile:${row.id}`)) problems.push(STOLEN);
      break;
    default:
      break;
  }
  if (row.kind === 'campaign' && there.isStrangers && made.has(`campaign:${row.id}`)) problems.push(STOLEN);
  return problems;
}

function comparePairs(store: SimStore, service: ModelService, wishes: Wishes): readonly string[] {
  const problems: string[] = [];
  for (const row of store.rows()) {
    if (row.kind !== 'placementMultiplier' && row.kind !== 'platformMultiplier') continue;
    const type = row.kind === 'placementMultiplier' ? row.values.placement : row.values.platform;
    const campaign = store.rows().find(({ kind, id }) => kind === 'campaign' && id === row.campaignId);
    const there = service.rows.filter(
      ({ kind, campaignId, fields }) =>
        kind === row.kind &&
        String(campaignId) === campaign?.remoteId &&
        (fields['placementType'] ?? fields['platformType']) === type,
    );
    if (there.length !== 1) problems.push(`${there.length} multipliers of a kind and type`);
    const value = cents(there[0]?.fields['multiplier']);
    if (value !== row.values.multiplier) problems.push('a multiplier differs');
    const wish = wishes.get(`${row.kind}:${row.id}`);
    if (wish !== undefined && wish !== value) problems.push('an edit of a multiplier was lost');
  }
  return problems;
}

const cents = (value: unknown): number => Math.round(Number(value) * 100);

import { rmSync } from 'node:fs';
import { type Role, roles } from '../access.ts';
import { durationMs } from '../clock.ts';
import { tick } from '../due-handlers.ts';
import { type Fields, fieldOf, isFields, readDate, readId, readText, readWord } from '../fields.ts';
import { messages, ownMessages, Refusal } from '../messages.ts';
import { createKeys, insertPrincipal, type KeyTexts, listAccounts, normalisePublicKey } from '../principals.ts';
import { readCampaignFields, reread, showCampaign, updateCampaign } from '../resources/campaigns.ts';
import { itemIdFor } from '../resources/item-search.ts';
import { type Decision, decideReview, isOpen, openComponents, showReview } from '../resources/reviews.ts';
import { addAdvertiser, firstItems, migrateAdvertiser } from '../scenarios/catalogue.ts';
import { loadScenario } from '../scenarios/load.ts';
import { type Service, scenarioNames } from '../service.ts';
import type { AdvertiserRow, ItemRow, ReviewRow } from '../tables.ts';
import type { OtherWords } from '../wire/other-words.ts';
import type { Paging } from '../wire/respond.ts';
import { type ControlCall, type ControlRoute, fieldsOf, idOf } from '../wire/route.ts';
import { consoleRowRoutes } from './console-rows.ts';
import { type Fault, faultKinds } from './fault-list.ts';

/** Every call of the control interface. */
export const controlRoutes: readonly ControlRoute[] = [
  // `GET /sandbox/state`: the clock, the principals, object counts, and the campaigns with their ad groups.
  { method: 'GET', path: '/sandbox/state', handle: showState },
  { method: 'GET', path: '/sandbox/campaigns/:id/moves', handle: showMoves },
  {
    method: 'GET',
    path: '/sandbox/requests',
    handle: (service, { query }) => {
      const since = Number(query.get('since') ?? '0');
      return { requests: service.requests.since(Number.isFinite(since) ? since : 0), last: service.requests.last() };
    },
  },
  // `POST /sandbox/clock`: time moves forward only, and all events until then are handled in order.
  { method: 'POST', path: '/sandbox/clock', handle: moveClock },
  // `POST /sandbox/reviews/{reviewId}/decide`: decides a review now instead of at its due time.
  { method: 'POST', path: '/sandbox/reviews/:reviewId/decide', handle: decide },
  // `POST /sandbox/console/campaigns/{id}`: a person's action on a campaign in the retailer's own console.
  { method: 'POST', path: '/sandbox/console/campaigns/:id', handle: actOnCampaign },
  ...consoleRowRoutes,
  // `POST /sandbox/faults` orders failures, `DELETE` removes them; `POST /sandbox/rate` sets the limit or turns it off.
  { method: 'GET', path: '/sandbox/faults', handle: (service) => ({ faults: service.faults.list() }) },
  { method: 'POST', path: '/sandbox/faults', handle: orderFault },
  {
    method: 'DELETE',
    path: '/sandbox/faults',
    handle: (service) => {
      service.faults.clear();
      return { faults: [] };
    },
  },
  { method: 'POST', path: '/sandbox/rate', handle: setRate },
  // More principals, and the migration of one advertiser before the cutover.
  { method: 'POST', path: '/sandbox/accounts', handle: addAccount },
  { method: 'POST', path: '/sandbox/accounts/:advertiserId/migrate', handle: migrate },
  // `POST /sandbox/wire`: lists in pages, IDs above 2^53, other enumeration words. Omitted modes are turned off.
  { method: 'POST', path: '/sandbox/wire', handle: setModes },
  // `POST /sandbox/reset`: starts over, including clock, faults, request log and rate limit. Credentials are kept.
  {
    method: 'POST',
    path: '/sandbox/reset',
    handle: (service: Service, { body }) => {
      const scenario = isFields(body) ? readWord(body, 'scenario', scenarioNames) : null;
      const name = scenario ?? service.settings.scenario;
      service.faults.clear();
      service.requests.clear();
      service.rate.setLimit(service.settings.operationsPerHour);
      service.rate.clear();
      service.modes.reset();
      service.clock.moveTo(startOf(service));
      loadScenario(service, name);
      // Upload IDs restart, so files of earlier uploads are removed.
      rmSync(service.settings.filesDir, { recursive: true, force: true });
      return { scenario: name, now: new Date(service.clock.now()).toISOString() };
    },
  },
];

const counted = [
  'campaign',
  'ad_group',
  'ad_item',
  'keyword',
  'sba_profile',
  'ad_group_media',
  'media',
  'multiplier',
  'review',
  'item',
] as const;

function showState(service: Service): Readonly<Record<string, unknown>> {
  const { store, clock, settings } = service;
  const counts = counted.map((table) => [
    table.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()),
    store.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0,
  ]);
  return {
    now: new Date(clock.now()).toISOString(),
    clock: clock.mode,
    scenario: store.readSetting('scenario') ?? settings.scenario,
    extensions: settings.extensions,
    seed: settings.seed,
    operationsPerHour: service.rate.limit(),
    retailHost: settings.retailHost,
    headerPrefix: settings.quirks.headerPrefix,
    accounts: listAccounts(service),
    lastRequest: service.requests.last(),
    counts: Object.fromEntries(counts),
    catalogue: showCatalogue(service),
    campaigns: listCampaigns(service),
    reviews: store
      .all<ReviewRow>("SELECT * FROM review WHERE status IN ('pending', 'in-progress') ORDER BY review_id")
      .map((row) => ({
        reviewId: row.review_id,
        campaignId: row.campaign_id,
        adGroupId: row.ad_group_id,
        status: row.status,
      })),
  };
}

/** All states of a campaign since it was created, oldest first. */
function showMoves(service: Service, call: ControlCall): unknown {
  const rows = service.store.list('campaign_move', { campaign_id: idOf(call, 'id') });
  return {
    moves: rows.map((row) => ({
      at: new Date(row.at_ms).toISOString(),
      from: row.from_status,
      to: row.to_status,
      movedBy: row.moved_by,
    })),
  };
}

function listCampaigns(service: Service): readonly unknown[] {
  const groups = service.store.list('ad_group');
  const groupsByCampaign = Map.groupBy(groups, (group) => group.campaign_id);
  return service.store.list('campaign').map((row) => ({
    campaignId: row.campaign_id,
    name: row.name,
    campaignType: row.campaign_type,
    targetingType: row.targeting_type,
    status: row.status,
    advertiserId: row.advertiser_id,
    startDate: row.start_date,
    endDate: row.end_date,
    adGroups: (groupsByCampaign.get(row.campaign_id) ?? []).map((group) => ({
      adGroupId: group.ad_group_id,
      name: group.name,
      status: group.status,
    })),
  }));
}

/** The lists of the first advertiser at the top level; those of all advertisers under `byAdvertiser`. */
function showCatalogue(service: Service): Readonly<Record<string, unknown>> {
  const advertisers = service.store.list('advertiser');
  const lists = advertisers.map((row) => [String(row.advertiser_id), listsOf(service, row)] as const);
  const first = lists[0]?.[1] ?? { available: [], unpublished: [], notOwned: [], unreadable: [] };
  return { ...first, byAdvertiser: Object.fromEntries(lists) };
}

/** The catalog of one advertiser, in its account's format. */
function listsOf(service: Service, advertiser: AdvertiserRow) {
  const { available, unpublished, notOwned, unreadable } = firstItems(service, advertiser.advertiser_id);
  const ids = (items: readonly ItemRow[]) => items.map((item) => itemIdFor(advertiser.migrated === 1, item));
  return {
    available: ids(available),
    unpublished: ids(unpublished),
    notOwned: ids(notOwned),
    unreadable: ids(unreadable),
  };
}

async function addAccount(service: Service, call: ControlCall): Promise<unknown> {
  const fields = fieldsOf(call);
  const advertiserId = readId(fields, 'advertiserId');
  if (advertiserId === null || advertiserId < 0) throw new Refusal(400, 'advertiserId is needed');
  const role: Role = readWord(fields, 'role', roles) ?? 'owner';
  const consumerId = readText(fields, 'consumerId');
  const keys = await keysFor(readText(fields, 'publicKeyPem'));
  return service.store.inTransaction(() => {
    if (consumerId !== null && listAccounts(service).some((account) => account.consumerId === consumerId)) {
      throw new Refusal(409, 'consumerId is taken');
    }
    if (service.store.find('advertiser', advertiserId) === undefined) {
      addAdvertiser(
        service,
        advertiserId,
        readText(fields, 'name') ?? `Advertiser ${advertiserId}`,
        fieldOf(fields, 'migrated') !== false,
      );
    }
    const added = insertPrincipal(service, advertiserId, role, keys, false, consumerId ?? undefined);
    return listAccounts(service).find((account) => account.consumerId === added);
  });
}

/** The caller may send its own public key and keep the private one. */
async function keysFor(publicKeyPem: string | null): Promise<KeyTexts> {
  if (publicKeyPem === null) return createKeys();
  try {
    return { publicKey: normalisePublicKey(publicKeyPem), privateKey: '' };
  } catch {
    // The text of node:crypto names an internal routine; the caller needs the name of the field.
    throw new Refusal(400, 'publicKeyPem is no public key in PEM');
  }
}

function migrate(service: Service, call: ControlCall): unknown {
  const advertiserId = idOf(call, 'advertiserId');
  if (service.store.find('advertiser', advertiserId) === undefined) throw new Refusal(404, 'No such advertiser');
  migrateAdvertiser(service, advertiserId);
  return { advertiserId, migrated: true };
}

/** After this year, dates have more than four digits. */
const LAST_INSTANT = Date.parse('9999-12-31T00:00:00Z');

function moveClock(service: Service, call: ControlCall): unknown {
  const fields = fieldsOf(call);
  const advance = readText(fields, 'advance');
  const set = readText(fields, 'set');
  if ((advance === null) === (set === null)) throw new Refusal(400, 'Send exactly one of advance and set');
  const now = service.clock.now();
  const length = advance === null ? null : durationMs(advance);
  if (advance !== null && length === null)
    throw new Refusal(400, 'advance is no ISO 8601 duration such as PT30M or P2D');
  const target = set === null ? now + (length ?? 0) : Date.parse(set);
  if (Number.isNaN(target)) throw new Refusal(400, 'set is no ISO 8601 instant');
  if (target > LAST_INSTANT) {
    throw new Refusal(400, 'The time is too far ahead: the clock goes to 9999-12-31 (UTC) at most. Move it by less');
  }
  if (target < now) throw new Refusal(400, 'The clock moves forward only; use reset to start over');
  service.clock.moveTo(target);
  tick(service);
  return { now: new Date(service.clock.now()).toISOString() };
}

const wordByAction = { pause: 'paused', enable: 'enabled', end: 'completed', extend: 'extend' } as const;

function actOnCampaign(service: Service, call: ControlCall): unknown {
  const campaign = service.store.find('campaign', idOf(call, 'id'));
  if (campaign === undefined) throw new Refusal(404, messages.campaignNotFound);
  const fields = fieldsOf(call);
  const action = readWord(fields, 'action', ['pause', 'enable', 'end', 'extend']);
  const word = action === null ? null : wordByAction[action];
  if (action === 'extend' && readDate(fields, 'endDate') === null) throw new Refusal(400, 'extend needs endDate');
  const problem = service.store.inTransaction(() =>
    updateCampaign(service, campaign, readCampaignFields(fields), word, 'console'),
  );
  if (problem !== null) throw new Refusal(409, problem);
  return showCampaign(reread(service, campaign));
}

function orderFault(service: Service, call: ControlCall): unknown {
  const fields = fieldsOf(call);
  const match = fieldOf(fields, 'match') ?? {};
  if (!isFields(match)) throw new Refusal(400, 'match is an object with method and path');
  const kind = readWord(fields, 'kind', faultKinds);
  if (kind === null) throw new Refusal(400, `kind must be one of ${faultKinds.join(', ')}`);
  const method = readText(match, 'method');
  const path = readText(match, 'path');
  const status = readCount(fields, 'status', 100, 599);
  const delayMs = readCount(fields, 'delayMs', 0, 3_600_000);
  const headers = readHeaders(fieldOf(fields, 'headers'));
  const body = fieldOf(fields, 'body');
  const fault: Fault = {
    match: { ...(method === null ? {} : { method }), ...(path === null ? {} : { path }) },
    times: readCount(fields, 'times', 1, 1_000_000) ?? 1,
    kind,
    ...(status === null ? {} : { status }),
    ...(delayMs === null ? {} : { delayMs }),
    ...(headers === null ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  };
  service.faults.add(fault);
  return { faults: service.faults.list() };
}

function setRate(service: Service, call: ControlCall): unknown {
  const fields = fieldsOf(call);
  const limit = fieldOf(fields, 'operationsPerHour') === null ? null : readCount(fields, 'operationsPerHour', 1, 1e9);
  service.rate.setLimit(limit);
  service.rate.clear();
  return { operationsPerHour: limit };
}

function readCount(fields: Fields, name: string, min: number, max: number): number | null {
  const value = fieldOf(fields, name);
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw new Refusal(400, `${name} must be a whole number from ${min} to ${max}`);
  }
  return value;
}

function readHeaders(value: unknown): Readonly<Record<string, string>> | null {
  if (value === undefined || value === null) return null;
  if (!isFields(value)) throw new Refusal(400, 'headers is an object');
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name.toLowerCase(), String(text)]));
}

function startOf(service: Service): number {
  const { now } = service.settings;
  return now === null ? Date.now() : Date.parse(now);
}

const outcomes = ['approved', 'rejected'] as const;

function decide(service: Service, call: ControlCall): unknown {
  const review = service.store.find('review', idOf(call, 'reviewId'));
  if (review === undefined) throw new Refusal(404, ownMessages.reviewNotFound);
  if (!isOpen(review)) throw new Refusal(409, `Review is ${review.status}`);
  const fields = fieldsOf(call);
  const all = readWord(fields, 'all', outcomes);
  const open = openComponents(service, review.review_id);
  const reason = readText(fields, 'reason');
  const decisions =
    all === null
      ? readDecisions(fieldOf(fields, 'components'), open)
      : open.map((component): Decision => ({ ...component, status: all, reason }));
  service.store.inTransaction(() => decideReview(service, review, decisions));
  const decided = service.store.find('review', review.review_id) ?? review;
  return showReview(service, decided);
}

function readDecisions(value: unknown, open: ReturnType<typeof openComponents>): readonly Decision[] {
  if (!Array.isArray(value)) throw new Refusal(400, 'Send all or components');
  return value.map((entry: unknown) => {
    if (!isFields(entry)) throw new Refusal(400, 'A component is an object with type, id, status and reason');
    const type = readText(entry, 'type');
    const id = readId(entry, 'id');
    const component = open.find((candidate) => candidate.type === type && candidate.id === id);
    if (component === undefined) throw new Refusal(400, `The review has no open component ${type} ${id}`);
    const status = readWord(entry, 'status', outcomes);
    if (status === null) throw new Refusal(400, 'status must be approved or rejected');
    return { ...component, status, reason: readText(entry, 'reason') };
  });
}

function setModes(service: Service, call: ControlCall): unknown {
  const fields = fieldsOf(call);
  const paging = fieldOf(fields, 'paging') ?? null;
  if (paging !== null && !isFields(paging)) throw new Refusal(400, 'paging is an object with size, or null');
  service.modes.set({
    paging: paging === null ? null : readPaging(paging),
    largeIds: fieldOf(fields, 'largeIds') === true,
    words: readWords(fieldOf(fields, 'words') ?? {}),
  });
  return service.modes.current();
}

function readWords(value: unknown): OtherWords {
  const isOf = (each: unknown, of: (entry: unknown) => boolean): boolean =>
    isFields(each) && Object.values(each).every(of);
  const isText = (each: unknown): boolean => typeof each === 'string' && each !== '';
  if (!isOf(value, (call) => isOf(call, (member) => isOf(member, isText)))) {
    throw new Refusal(400, 'words is an object: by call and member, the word of the document and the other one');
  }
  return value as OtherWords;
}

function readPaging(fields: Fields): Paging {
  const size = fieldOf(fields, 'size');
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 1) {
    throw new Refusal(400, 'size must be a whole number from 1');
  }
  return {
    size,
    listName: readWord(fields, 'listName', ['items', 'data', 'results'] as const) ?? 'items',
    tokenName: readWord(fields, 'tokenName', ['nextToken', 'nextPageToken', 'paginationToken'] as const) ?? 'nextToken',
  };
}

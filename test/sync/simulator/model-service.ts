import { classifyReadFailure } from '../../../main/api/classify-response.ts';
import type { Read, RemoteRecord } from '../../../main/api/fetch-records.ts';
import type { RawResult } from '../../../main/api/request-outcome.ts';
import type { RemoteId } from '../../../shared/model/scalars.ts';
import { err, ok } from '../../../shared/result.ts';
import type { Seeded, VirtualClock } from './seeded.ts';

/** A row of the modelled service, with the wire's own names. */
export interface Stored {
  readonly kind: string;
  readonly id: number;
  readonly campaignId: number | null;
  readonly adGroupId: number | null;
  /** Made by somebody else, so never ours to adopt where a kind has no identity of its own. */
  readonly isStrangers: boolean;
  fields: Record<string, unknown>;
  /** The next list misses it: a reader that lags behind the writer, as replicas do once. */
  isShy: boolean;
}

interface Pending {
  readonly at: number;
  readonly apply: () => void;
}

export type ModelService = ReturnType<typeof createModelService>;

const KIND_OF: Readonly<Record<string, readonly [kind: string, idName: string]>> = {
  '/api/v1/campaigns': ['campaign', 'campaignId'],
  '/api/v1/adGroups': ['adGroup', 'adGroupId'],
  '/api/v1/adItems': ['adItem', 'adItemId'],
  '/api/v1/keywords': ['keyword', 'keywordId'],
  '/api/v2/sba_profile': ['sbaProfile', 'sbaProfileId'],
  '/api/v1/multipliers/placement': ['placementMultiplier', 'placementMultiplierId'],
  '/api/v1/multipliers/platform': ['platformMultiplier', 'platformMultiplierId'],
};

/** How late a request that was given up may still be carried out: within the settle window. */
const LATE_MAX_MS = 100_000;

interface ServiceHabits {
  /** The service cuts bids to steps of five cents and does not say so. */
  readonly cutsBids: boolean;
  /** The n-th request, counted from 0, goes wrong in this way, and no other does. */
  readonly planned?: { readonly request: number; readonly fault: number };
}

/** In how many ways a request can go wrong. */
export const FAULTS = 11;

/**
 * A service reduced to what matters for sending things once: it gives ids, forgives every duplicate, refuses what
 * has no parent, and may carry a request out long after the caller has given up.
 */
export function createModelService(random: Seeded, clock: VirtualClock, habits: ServiceHabits = { cutsBids: false }) {
  const rows: Stored[] = [];
  const arrived: { correlationId: string; body: string }[] = [];
  let pending: readonly Pending[] = [];
  let nextId = 1000;
  let faults = 0;
  let isLimited = false;
  let isUnanswered = false;
  let faultsSeen = 0;

  const settleDue = (): void => {
    const due = pending.filter(({ at }) => at <= clock.nowMs());
    pending = pending.filter(({ at }) => at > clock.nowMs());
    for (const { apply } of due.toSorted((a, b) => a.at - b.at)) apply();
  };

  const carryOut = (method: string, path: string, text: string): string => {
    const [kind, idName] = KIND_OF[path] ?? ['', ''];
    const parsed: unknown = JSON.parse(text);
    const elements = expand(parsed);
    if (elements.length > 50) throw new Error('a batch of more than 50 elements');
    if (new Set(elements.map((one) => one['campaignId'])).size > 1) throw new Error('a batch over several campaigns');
    const results = elements.map((element) =>
      method === 'PUT' ? update(kind, idName, element) : insert(kind, idName, element),
    );
    return JSON.stringify(results);
  };

  const insert = (kind: string, idName: string, element: Record<string, unknown>) => {
    const campaignId = numberOrNull(element['campaignId']);
    const adGroupId = numberOrNull(element['adGroupId']);
    if (kind !== 'campaign' && !rows.some((row) => row.kind === 'campaign' && row.id === campaignId)) {
      throw new Error(`${kind} sent before its campaign`);
    }
    if (adGroupId !== null && !rows.some((row) => row.kind === 'adGroup' && row.id === adGroupId)) {
      throw new Error(`${kind} sent before its ad group`);
    }
    // The service itself turns some things down, by an accident of their own.
    if (faults > 0 && kind === 'adItem' && random.chance(0.03)) {
      return { code: 'failure', details: 'Item not found', [idName]: 0 };
    }
    const pair = element['placementType'] ?? element['platformType'];
    const known =
      pair === undefined
        ? undefined
        : rows.find(
            (row) =>
              row.kind === kind &&
              row.campaignId === campaignId &&
              (row.fields['placementType'] ?? row.fields['platformType']) === pair,
          );
    if (known !== undefined) {
      known.fields = { ...element };
      return { code: 'success', details: '', [idName]: known.id };
    }
    nextId++;
    rows.push({
      kind,
      id: nextId,
      campaignId: kind === 'campaign' ? nextId : campaignId,
      adGroupId,
      isStrangers: false,
      fields: accepted(kind, element),
      isShy: isUnanswered && random.chance(0.5),
    });
    return { code: 'success', details: '', [idName]: nextId };
  };

  const accepted = (kind: string, element: Record<string, unknown>): Record<string, unknown> =>
    habits.cutsBids && kind === 'adItem' && element['bid'] !== undefined
      ? { ...element, bid: Math.floor(hundredths(element['bid']) / 5) / 20 }
      : { ...element };

  const update = (kind: string, idName: string, element: Record<string, unknown>) => {
    const row = rows.find((candidate) => {
      if (candidate.kind !== kind) return false;
      if (element[idName] !== undefined) return candidate.id === element[idName];
      const names = ['itemId', 'adGroupId', 'placementType', 'platformType'];
      return (
        candidate.campaignId === element['campaignId'] &&
        candidate.fields['status'] !== 'deleted' &&
        names.every((name) => candidate.fields[name] === element[name])
      );
    });
    if (row === undefined) return { code: 'failure', details: 'not found', [idName]: 0 };
    row.fields = { ...row.fields, ...accepted(kind, element) };
    return { code: 'success', details: '', [idName]: row.id };
  };

  const answer = (status: number, body: string | null): RawResult => ({
    kind: 'answer',
    status,
    body,
    retryAfter: status === 429 ? '5' : null,
    skewMs: 0,
  });
  const broken: RawResult = { kind: 'broken', cause: 'ECONNRESET' };

  return {
    rows: rows as readonly Stored[],
    /** Every request with the exact body that arrived. */
    arrived,
    habits,
    /** How many requests went wrong. */
    faultsSeen: () => faultsSeen,
    /** All that its later answers depend on, beside numbers drawn at random. What is on its way is among the requests that arrived. */
    state: () => [rows, arrived, pending.map(({ at }) => at), nextId, faults, isLimited, isUnanswered],
    /** Everything of a kind as a person sees it in the retailer's console: nothing is hidden, nothing is late. */
    all: (kind: string) => {
      settleDue();
      return rows
        .filter((row) => row.kind === kind)
        .map(({ id, campaignId, isStrangers, fields }) => {
          const look = textOf(fields['keywordText'] ?? fields['itemId'] ?? fields['headlineText'] ?? fields['name']);
          return { id, campaignId, isStrangers, look };
        });
    },
    /** True when nothing is on its way that was sent before. */
    isQuiet: () => pending.length === 0,
    /** Carries out what is still on its way. */
    settle: () => {
      for (const { apply } of pending.toSorted((a, b) => a.at - b.at)) apply();
      pending = [];
    },
    setFaults: (probability: number) => {
      faults = probability;
    },
    /** From here on every write is turned away for being one too many. */
    setLimited: (limited: boolean) => {
      isLimited = limited;
    },
    /** Somebody else creates a thing. */
    addStrangers: (kind: string, campaignId: number | null, adGroupId: number | null, fields: Stored['fields']) => {
      nextId++;
      const own = kind === 'campaign' ? nextId : campaignId;
      rows.push({ kind, id: nextId, campaignId: own, adGroupId, isStrangers: true, fields, isShy: false });
    },
    /** Somebody else changes a thing. */
    editAsStranger: (id: number, fields: Stored['fields']) => {
      const row = rows.find((candidate) => candidate.id === id);
      if (row !== undefined) row.fields = { ...row.fields, ...fields };
    },
    receive: (method: string, path: string, body: string, correlationId: string): RawResult => {
      settleDue();
      arrived.push({ correlationId, body });
      if (isLimited) return answer(429, '{"error":"Rate limit exceeded"}');
      isUnanswered = false;
      const apply = (): string => carryOut(method, path, body);
      const isPlanned = habits.planned?.request === arrived.length - 1;
      if (!isPlanned && !random.chance(faults)) return answer(200, apply());
      isUnanswered = true;
      faultsSeen++;
      switch (isPlanned ? habits.planned?.fault : random.int(FAULTS)) {
        case 0:
          return { kind: 'not-sent', cause: 'ECONNREFUSED', security: false };
        case 1:
          return broken;
        case 2:
          apply();
          return broken;
        case 3: {
          // Refuses to be lost: carried out when the caller has long stopped waiting.
          const late = (): string => {
            // Late and overlooked at once would be later than any window: the service may be one of the two.
            isUnanswered = false;
            return apply();
          };
          pending = [...pending, { at: clock.nowMs() + random.int(LATE_MAX_MS), apply: late }];
          return broken;
        }
        case 4:
          return answer(500, '{"error":"There was an error processing the request"}');
        case 5:
          apply();
          return answer(500, '{"error":"There was an error processing the request"}');
        case 6:
          return answer(429, '{"error":"Rate limit exceeded"}');
        case 7:
          apply();
          return answer(200, null);
        case 8: {
          const results: unknown = JSON.parse(apply());
          return answer(200, JSON.stringify(Array.isArray(results) ? results.slice(1) : []));
        }
        case 9: {
          // A broken service gives one id to everything it made.
          const text = apply();
          const [id] = /Id":\d+/.exec(text) ?? [];
          const isOne = id === undefined || text.split('Id":').length < 3;
          return answer(200, isOne ? text.slice(0, 10) : text.replace(/Id":\d+/g, id));
        }
        default:
          return answer(200, apply().slice(0, 10));
      }
    },
    list: async (
      kind: string,
      where: { readonly campaignId?: RemoteId; readonly adGroupId?: RemoteId },
    ): Read<readonly RemoteRecord[]> => {
      settleDue();
      if (random.chance(faults / 4)) {
        const failure = classifyReadFailure(broken, clock.nowMs());
        if (failure !== null) return err(failure);
      }
      const found = rows.filter(
        (row) =>
          row.kind === kind &&
          (where.campaignId === undefined || String(row.campaignId) === where.campaignId) &&
          (where.adGroupId === undefined || String(row.adGroupId) === where.adGroupId),
      );
      const shown = found.filter(({ isShy }) => !isShy);
      for (const row of found) row.isShy = false;
      return ok(shown.map(recordOf));
    },
  };
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Keywords in seed words come as one object with a list of texts. */
function expand(parsed: unknown): readonly Record<string, unknown>[] {
  if (Array.isArray(parsed)) return parsed as readonly Record<string, unknown>[];
  const one = parsed as Record<string, unknown>;
  const texts = Array.isArray(one['keywords']) ? one['keywords'] : [];
  return texts.map((text) => ({ ...one, keywords: undefined, keywordText: text }));
}

const hundredths = (value: unknown): number => Math.round(Number(value) * 100);

function recordOf(row: Stored): RemoteRecord {
  const f = row.fields;
  const campaignId = row.campaignId === null ? null : (String(row.campaignId) as RemoteId);
  const base = { campaignId, adGroupId: row.adGroupId === null ? null : (String(row.adGroupId) as RemoteId) };
  const text = (name: string): string => textOf(f[name]);
  const remoteId = String(row.id) as RemoteId;
  switch (row.kind) {
    case 'campaign':
      return { kind: 'campaign', remoteId, ...base, values: { name: text('name') } };
    case 'adGroup':
      return { kind: 'adGroup', remoteId, ...base, values: { name: text('name') } };
    case 'adItem':
      return {
        kind: 'adItem',
        remoteId,
        ...base,
        values: { itemId: text('itemId'), bid: hundredths(f['bid']), status: text('status') },
      };
    case 'keyword':
      return {
        kind: 'keyword',
        remoteId,
        ...base,
        values: { text: text('keywordText'), matchType: text('matchType'), bid: hundredths(f['bid']) },
      };
    case 'sbaProfile':
      return {
        kind: 'sbaProfile',
        remoteId,
        ...base,
        values: { brand: text('searchAmpName'), headline: text('headlineText'), clickUrl: text('clickUrl') },
      };
    case 'placementMultiplier':
      return {
        kind: 'placementMultiplier',
        remoteId: `${campaignId}:${text('placementType')}` as RemoteId,
        ...base,
        values: { placement: text('placementType'), multiplier: hundredths(f['multiplier']) },
      };
    default:
      return {
        kind: 'platformMultiplier',
        remoteId: `${campaignId}:${text('platformType')}` as RemoteId,
        ...base,
        values: { platform: text('platformType'), multiplier: hundredths(f['multiplier']) },
      };
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';

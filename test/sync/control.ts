import type { RemoteRecord } from '../../main/api/fetch-records.ts';
import type { PartnerApi } from '../../main/api/partner-api.ts';
import type { RunningSandbox } from '../../sandbox/start.ts';
import type { AnyValues } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { RemoteId } from '../../shared/model/scalars.ts';
import type { Result } from '../../shared/result.ts';
import { apiOf, type TestAccount } from './an-account.ts';

export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly correlationId: string | null;
  readonly elements?: number;
  readonly codes?: readonly string[];
}

export interface SandboxState {
  readonly now: string;
  readonly campaigns: readonly {
    readonly campaignId: number;
    readonly name: string;
    readonly status: string;
    readonly adGroups: readonly { readonly adGroupId: number }[];
  }[];
}

export type Control = ReturnType<typeof controlOf>;

/** Steers a practice service through its control interface. */
export function controlOf(sandbox: Pick<RunningSandbox, 'ready'>) {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(sandbox.ready.controlUrl + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  const fault = async (rule: object): Promise<void> => void (await call('POST', '/faults', rule));
  return {
    advance: async (duration: string) => void (await call('POST', '/clock', { advance: duration })),
    fault,
    /** Answers the next such call with this status, or as many as `times` says. */
    answer: (method: string, path: string, status: number, more: object = {}) =>
      fault({ match: { method, path }, times: 1, kind: 'status', status, ...more }),
    clearFaults: async () => void (await call('DELETE', '/faults')),
    /** How many changes an hour are taken from here on. */
    rate: async (operationsPerHour: number) => void (await call('POST', '/rate', { operationsPerHour })),
    requests: async () => {
      const answer = await call('GET', '/requests?since=0');
      return (Array.isArray(answer) ? answer : (answer as { requests: unknown }).requests) as readonly LoggedRequest[];
    },
    state: async () => (await call('GET', '/state')) as SandboxState,
    decideAll: async (reviewId: string, verdict: 'approved' | 'rejected') =>
      void (await call('POST', `/reviews/${reviewId}/decide`, { all: verdict })),
    /** Decides a review part by part. */
    decide: async (reviewId: string, components: readonly object[]) =>
      void (await call('POST', `/reviews/${reviewId}/decide`, { components })),
    /** Flips the item ids of an account to their new form. */
    migrate: async (advertiserId: number) => void (await call('POST', `/accounts/${advertiserId}/migrate`, {})),
    /** What answers look like from here on: by call and member, other words for those of the document. */
    words: async (words: object) => void (await call('POST', '/wire', { words })),
    /** Starts over with accounts and a catalogue and nothing else. */
    reset: async (scenario: 'empty' | 'demo' = 'empty') => void (await call('POST', '/reset', { scenario })),
    console: async (path: string, body: object) => void (await call('POST', `/console/${path}`, body)),
  };
}

/** One thing the service has: what it is, which campaign's, what makes it itself, its id, and its bid in cents. */
interface OnService {
  readonly kind: Kind;
  readonly campaign: string;
  readonly identity: string;
  readonly remoteId: string;
  readonly bid: number | null;
}

/** Everything the service has, read with all extensions and without a workspace. */
export async function onTheService(sandbox: RunningSandbox): Promise<readonly OnService[]> {
  const api = apiOf(sandbox);
  try {
    return await readAll(api);
  } finally {
    api.close();
  }
}

async function readAll(api: PartnerApi): Promise<readonly OnService[]> {
  const things: OnService[] = [];
  for (const campaign of listed(await api.campaigns())) {
    const name = String(campaign.values['name']);
    const add = (records: readonly RemoteRecord[]): void => {
      for (const { kind, remoteId, values } of records) {
        const bid = typeof values['bid'] === 'number' ? values['bid'] : null;
        things.push({ kind, campaign: name, identity: identityOf(kind, values), remoteId, bid });
      }
    };
    add([campaign]);
    const id: RemoteId = campaign.remoteId;
    const isAuto = campaign.values['campaignType'] === 'sponsoredProducts';
    const groups = listed(await api.adGroups(id));
    add(groups);
    add(listed(await api.adItems(id)));
    if (isAuto) {
      add(listed(await api.multipliers('placementMultiplier', id)));
      add(listed(await api.multipliers('platformMultiplier', id)));
    }
    for (const group of groups) {
      add(listed(await api.keywords(id, group.remoteId)));
      if (campaign.values['campaignType'] === 'sba') add(listed(await api.sbaProfiles(group.remoteId)));
      if (campaign.values['campaignType'] === 'video') add(listed(await api.videoProfiles(id, group.remoteId)));
    }
  }
  return things;
}

function listed<T>(read: Result<T, unknown>): T {
  if (!read.ok) throw new Error(`read: ${JSON.stringify(read.error)}`);
  return read.value;
}

/** What two things of one kind and campaign must not both have. */
function identityOf(kind: Kind, values: Partial<AnyValues>): string {
  const fields: Readonly<Partial<Record<Kind, readonly string[]>>> = {
    campaign: ['name'],
    adGroup: ['name'],
    adItem: ['itemId'],
    keyword: ['text', 'matchType'],
    sbaProfile: ['headline'],
    placementMultiplier: ['placement'],
    platformMultiplier: ['platform'],
  };
  return (fields[kind] ?? []).map((field) => String(values[field])).join(', ');
}

/** What a list holds, counted by kind, campaign and identity. */
export function countThings(things: readonly OnService[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { kind, campaign, identity } of things) {
    const key = `${kind} ${campaign} / ${identity}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** Answers every open question the way a careful person would, who looks at the service first. */
export async function answerTruly(account: TestAccount, sandbox: RunningSandbox): Promise<number> {
  const questions = await account.sync.questions();
  if (questions.length === 0) return 0;
  const things = await onTheService(sandbox);
  for (const question of questions) {
    const row = await account.workspace.readRow({ kind: question.kind, id: question.rowId });
    if (row === null) throw new Error('a question about a row that is gone');
    const campaign =
      row.campaignId === null ? null : await account.workspace.readRow({ kind: 'campaign', id: row.campaignId });
    const name = campaign?.kind === 'campaign' ? campaign.values.name : null;
    const identity = identityOf(row.kind, row.values);
    const found = things.find(
      (one) => one.kind === row.kind && one.identity === identity && (name === null || one.campaign === name),
    );
    const waitMs = question.absentFrom - account.clock.nowMs();
    if (waitMs > 0) await account.clock.sleep(waitMs);
    const answered = await account.sync.answer(
      question.id,
      found === undefined ? 'absent' : { exists: found.remoteId },
    );
    if (!answered.ok) throw new Error(`answer: ${JSON.stringify(answered.error)}`);
  }
  return questions.length;
}

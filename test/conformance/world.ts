import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type RunningSandbox, type SandboxOptions, startSandbox } from '../../sandbox/start.ts';
import { isCollecting } from './case.ts';
import { type Account, type Answer, type Client, createClient, idOf, readAnswer } from './client.ts';
import { watch, watchMoves } from './evidence.ts';

/** A sandbox per test file, reset to the conformance scenario before every case. */
export interface World {
  readonly sandbox: () => RunningSandbox;
  /** The signing client of a principal. */
  readonly as: (role: string, advertiserId?: number) => Client;
  readonly account: (role: string, advertiserId?: number) => Account;
  readonly control: (method: string, path: string, body?: unknown) => Promise<Answer>;
  readonly state: () => Promise<State>;
  readonly campaign: (name: string) => Promise<CampaignIds>;
  readonly advance: (duration: string) => Promise<void>;
}

interface CampaignIds {
  readonly campaignId: number;
  readonly adGroupId: number;
  readonly status: string;
}

interface State {
  readonly now: string;
  readonly campaigns: readonly {
    readonly campaignId: number;
    readonly name: string;
    readonly status: string;
    readonly advertiserId: number;
    readonly adGroups: readonly { readonly adGroupId: number }[];
  }[];
  readonly catalogue: Catalogue & { readonly byAdvertiser: Readonly<Record<string, Catalogue>> };
  readonly counts: Readonly<Record<string, number>>;
}

interface Catalogue {
  readonly available: readonly string[];
  readonly unpublished: readonly string[];
  readonly notOwned: readonly string[];
  readonly unreadable: readonly string[];
}

export const START = '2026-05-05T12:00:00-07:00';
const TODAY = '2026-05-05';

export function createWorld(options: SandboxOptions = {}): World {
  let running: RunningSandbox | undefined;
  const sandbox = (): RunningSandbox => {
    if (running === undefined) throw new Error('the sandbox is not started yet');
    return running;
  };
  const control: World['control'] = async (method, path, body) =>
    readAnswer(
      await fetch(`${sandbox().ready.controlUrl}${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  if (!isCollecting()) {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-conformance-'));
    let file: DatabaseSync | undefined;
    beforeAll(async () => {
      running = await startSandbox({
        dataDir: folder,
        scenario: 'conformance',
        now: START,
        clock: 'virtual',
        extensions: true,
        ...options,
      });
      file = new DatabaseSync(join(folder, 'sandbox.db'));
      watch(watchMoves(file));
    });
    beforeEach(async () => {
      await control('POST', '/reset', {});
    });
    afterAll(async () => {
      watch(null);
      file?.close();
      await running?.close();
      rmSync(folder, { recursive: true, force: true });
    });
  }

  const account: World['account'] = (role, advertiserId = 900001) => {
    const found = sandbox().ready.accounts.find((one) => one.role === role && one.advertiserId === advertiserId);
    if (found === undefined) throw new Error(`no ${role} of ${advertiserId}`);
    return found;
  };
  const state: World['state'] = async () => (await control('GET', '/state')).body as State;
  return {
    sandbox,
    account,
    as: (role, advertiserId) => createClient(sandbox().ready.baseUrl, account(role, advertiserId)),
    control,
    state,
    campaign: async (name) => {
      const found = (await state()).campaigns.find((one) => one.name === name);
      if (found === undefined) throw new Error(`no campaign ${name}`);
      return { campaignId: found.campaignId, adGroupId: found.adGroups[0]?.adGroupId ?? 0, status: found.status };
    },
    advance: async (duration) => {
      const answer = await control('POST', '/clock', { advance: duration });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    },
  };
}

/** A campaign body that is in order; a case names only the fields it is about. */
export function aCampaign(fields: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    advertiserId: 900001,
    name: 'Spring video A',
    campaignType: 'video',
    targetingType: 'manual',
    budget: 1500.0,
    dailyBudget: 75.0,
    startDate: TODAY,
    endDate: '9999-12-30',
    status: 'enabled',
    ...fields,
  };
}

/** Creates a campaign with its ad group and lets the system take its first step. */
export async function setUpCampaign(
  world: World,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<CampaignIds> {
  const owner = world.as('owner');
  const campaignId = idOf(await owner.post('/api/v1/campaigns', [aCampaign(fields)]), 'campaignId');
  const adGroupId = idOf(
    await owner.post('/api/v1/adGroups', [{ name: 'Group', campaignId, status: 'enabled' }]),
    'adGroupId',
  );
  await world.advance('PT1M');
  return { campaignId, adGroupId, status: 'proposal' };
}

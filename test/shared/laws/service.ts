import { type RunningSandbox, startSandbox } from '../../../sandbox/start.ts';
import { DeploymentSettings } from '../../../shared/deployment/deployment-settings.ts';
import { dateInZone } from '../../../shared/model/plain-date.ts';
import type { PlainDate } from '../../../shared/model/scalars.ts';
import { type Client, createClient } from '../../conformance/client.ts';
import { type TestFile, testFiles } from './files.ts';

/** The simulated service, which was written from the document and shares no code with the plan, and its one client. */
export interface Service {
  readonly owner: Client;
  readonly advertiserId: number;
  /** Ids of the catalogue that can be advertised. */
  readonly items: readonly string[];
  readonly files: ReadonlyMap<string, TestFile>;
  /** A call of the control interface, such as another person's edit. */
  control(path: string, body: object): Promise<unknown>;
  advance(duration: string): Promise<void>;
  /** The date on the service's calendar so many minutes from now; its clock stands still between calls of `advance`. */
  dateIn(minutes: number): PlainDate;
  close(): Promise<void>;
}

const ADVERTISER = 900001;

export async function openService(): Promise<Service> {
  const sandbox: RunningSandbox = await startSandbox({
    credentials: 'owners',
    scenario: 'conformance',
    now: '2026-05-05T12:00:00-07:00',
    clock: 'virtual',
    extensions: true,
    operationsPerHour: null,
  });
  const { baseUrl, controlUrl, accounts } = sandbox.ready;
  const account = accounts.find((one) => one.role === 'owner' && one.advertiserId === ADVERTISER);
  if (account === undefined) throw new Error('the scenario has no owner');
  const state = (await (await fetch(`${controlUrl}/state`)).json()) as {
    readonly now: string;
    readonly catalogue: { readonly available: readonly string[] };
  };
  let nowMs = Date.parse(state.now);
  const control = async (path: string, body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(controlUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  return {
    owner: createClient(baseUrl, account),
    advertiserId: ADVERTISER,
    items: state.catalogue.available,
    files: testFiles(),
    control,
    advance: async (duration) => {
      const moved = (await control('/clock', { advance: duration })) as { readonly now: string };
      nowMs = Date.parse(moved.now);
    },
    dateIn: (minutes) => dateInZone(nowMs + minutes * 60_000, 'America/Los_Angeles'),
    close: () => sandbox.close(),
  };
}

export const profileFor = (dialect: 'seed' | 'family'): DeploymentSettings =>
  DeploymentSettings.parse({ wire: { dialect }, retail: { host: 'shop.example' } });

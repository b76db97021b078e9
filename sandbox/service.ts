import type { Clock } from './clock.ts';
import type { FaultList } from './control/fault-list.ts';
import type { Quirks } from './quirks.ts';
import type { Store } from './store.ts';
import type { RateBucket } from './wire/rate-bucket.ts';
import type { RequestLog } from './wire/request-log.ts';
import type { TestModes } from './wire/respond.ts';

export const scenarioNames = ['empty', 'demo', 'conformance', 'sample'] as const;
export type ScenarioName = (typeof scenarioNames)[number];

/** Options of `startSandbox`; see the README for the defaults. */
export interface SandboxOptions {
  readonly port?: number;
  /** Folder for state and uploaded files; without it both are deleted when the sandbox stops. */
  readonly dataDir?: string;
  readonly scenario?: ScenarioName;
  /**
   * The first advertiser of a new store; the second has the next number. The IDs of its rows are in a range of their
   * own, so that the accounts of several sandboxes have no advertiser and no row in common.
   */
  readonly advertiser?: number;
  /** Start of the sandbox's clock, an ISO 8601 instant; default: real time. */
  readonly now?: string;
  readonly clock?: 'real' | 'virtual';
  readonly extensions?: boolean;
  /**
   * The principals with credentials in a new store: the first owner, all owners, or every role. Each key takes time to
   * make.
   */
  readonly credentials?: 'first' | 'owners' | 'all';
  readonly seed?: number;
  /** Changed elements per hour and principal; null turns the limit off. */
  readonly operationsPerHour?: number | null;
  /** Documented ways in which a deployment may differ; omitted ones are as in the default one. */
  readonly quirks?: Partial<Quirks>;
}

export type Settings = Readonly<Required<Omit<SandboxOptions, 'dataDir' | 'now' | 'quirks'>>> & {
  readonly now: string | null;
  readonly retailHost: string;
  readonly quirks: Quirks;
  /** Folder of the uploaded files, created with the first of them. */
  readonly filesDir: string;
};

/** The context of a resource that answers a call. */
export interface Service {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly requests: RequestLog;
  readonly faults: FaultList;
  readonly rate: RateBucket;
  readonly modes: TestModes;
  /** Aborted when the sandbox is about to close, which cancels delayed work. */
  readonly closing: AbortSignal;
  /** Known once the server listens, hence a function. */
  readonly baseUrl: () => string;
}

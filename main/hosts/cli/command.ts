import type { ContractRouterClient } from '@orpc/contract';
import type { Contract } from '../../../shared/api/contract.ts';
import type { WorkspaceId } from '../../../shared/model/scalars.ts';
import type { ActiveAccount } from '../../app/active-accounts.ts';
import type { Core } from '../../app/core.ts';
import type { ExitCode } from './cli-error.ts';
import type { Output } from './output.ts';

export type Client = ContractRouterClient<Contract>;

export type Options = Readonly<Record<string, { readonly type: 'string' | 'boolean'; readonly short?: string }>>;

/** One verb of the command line. */
export interface Command {
  /** One word, or two for verbs with a noun: `account add`. */
  readonly name: string;
  /** One word that means the same when none of its family follows it, as `report` did before it had one. */
  readonly alias?: string;
  /** What follows the name, as the usage shows it. */
  readonly takes: string;
  readonly summary: string;
  readonly options: Options;
  readonly positionals: { readonly min: number; readonly max: number };
  run(context: Context): Promise<ExitCode>;
}

/** What a verb works with. The core starts when it is first asked for. */
export interface Context {
  readonly output: Output;
  readonly positionals: readonly string[];
  readonly dataDir: string;
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** True when somebody sits at a terminal and can be asked. */
  readonly interactive: boolean;
  flag(name: string): boolean;
  text(name: string): string | null;
  /** The option's text; without it the verb stops with a usage message. */
  need(name: string): string;
  core(): Promise<Core>;
  client(): Promise<Client>;
  /** The account of `--account`, or the one that was added first. */
  workspaceId(): Promise<WorkspaceId>;
  /** The contract, and the account that the verb asks it about. */
  atAccount(): Promise<{ readonly client: Client; readonly workspaceId: WorkspaceId }>;
  account(): Promise<ActiveAccount>;
  ask(question: string): Promise<string>;
}

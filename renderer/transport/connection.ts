import type { ContractRouterClient } from '@orpc/contract';
import type { Contract } from '../../shared/contract/contract.ts';
import type { FileGateway } from './files.ts';

/** Everything main offers, typed by the contract. */
export type Client = ContractRouterClient<Contract>;

/** Whether main can be reached just now. `signed-out` needs the user: the page was opened without its start link. */
export type LinkState = 'connecting' | 'open' | 'lost' | 'signed-out';

/** One window's line to main. */
export interface Connection {
  readonly client: Client;
  readonly files: FileGateway;
  state(): LinkState;
  onState(listener: () => void): () => void;
}

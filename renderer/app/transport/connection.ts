import type { ContractRouterClient } from '@orpc/contract';
import type { WindowMenu } from '../../../shared/api/app.ts';
import type { Contract } from '../../../shared/api/contract.ts';
import type { FileGateway, FilesOut } from './files.ts';

/** Everything main offers, typed by the contract. */
export type Client = ContractRouterClient<Contract>;

/** Whether main can be reached just now. `signed-out` needs the user: the page was opened without its start link. */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'signed-out';

/** One window among several, as the desktop app has them. */
export interface WindowPlace {
  /** The account that the window was opened for; null leaves it to what was shown last. */
  readonly account: string | null;
  /** True after the page has failed again and again: it starts without what was remembered of its views. */
  readonly isPlain: boolean;
  /** Says which account is shown from now on. */
  readonly showing: (workspaceId: string | null) => void;
  /** Hands the system's menu the commands of this window. */
  readonly showMenu: (menu: WindowMenu) => void;
  /** Hears which command was chosen in the system's menu. */
  readonly onCommand: (listener: (id: string) => void) => () => void;
}

/** One window's line to main. */
export interface Connection {
  readonly client: Client;
  readonly files: FileGateway;
  /** How a file of main is dragged out of the window. Absent where nothing can be. */
  readonly filesOut?: FilesOut;
  state(): ConnectionState;
  /** Ends every window of the host, this one included; false when the host did not answer. Absent where nobody signs in. */
  readonly signOut?: () => Promise<boolean>;
  /** What the host knows of this window, where it has several. */
  readonly place?: WindowPlace;
  onState(listener: () => void): () => void;
}

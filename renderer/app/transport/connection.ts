import type { ContractRouterClient } from '@orpc/contract';
import type { WindowMenu } from '../../../shared/api/app.ts';
import type { Contract } from '../../../shared/api/contract.ts';

export type Client = ContractRouterClient<Contract>;

/** Whether main can be reached just now. `signed-out` needs the user: the page was opened without its start link. */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'signed-out';

/** One window among several, as the desktop app has them. */
export interface WindowPlace {
  /** The account that the window was opened for; null leaves it to what was shown last. */
  readonly account: string | null;
  /** True after the page has failed again and again: it starts without what was remembered of its views. */
  readonly isPlain: boolean;
  readonly showing: (workspaceId: string | null) => void;
  readonly showMenu: (menu: WindowMenu) => void;
  readonly onCommand: (listener: (id: string) => void) => () => void;
  /** How large the page is drawn, in percent; null where the page cannot say. */
  readonly zoom: { percent(): number; set(percent: number): void } | null;
}

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

/** A file the user dropped or picked, as main knows it: a handle instead of a path. */
export interface GrantedFile {
  readonly grant: string;
  readonly fileName: string;
  readonly bytes: number;
}

/** A file that could not be handed over, with the host's word for why. */
export interface RefusedFile {
  readonly error: string;
}

/**
 * Hands files of the user to main. A page never sees a path: Electron asks the preload for a grant, the web
 * host receives the bytes into its spool and answers with a grant of its own.
 */
export interface FileGateway {
  /** @param purpose `secret` for a key or a token, whose bytes may not touch the disk */
  grant(file: File, purpose?: 'secret'): Promise<GrantedFile | RefusedFile>;
  /** Has the user choose a folder in a dialog of the system; null when none was chosen. Absent where no page can. */
  readonly chooseFolder?: () => Promise<{ readonly grant: string } | null>;
}

/** A file that main has offered under an address of this window's own origin. */
export interface FileOut {
  readonly fileName: string;
  readonly url: string;
  readonly contentType: string;
}

/** Takes files out of the window, to the desktop, a mail or a chat. */
export interface FilesOut {
  /** Says that this file may be dragged in a moment, so that it is ready then. */
  prepare(file: FileOut): void;
  begin(file: FileOut, drag: DragEvent): void;
}

/** A file on its way in: as the browser has it, or as main knows it already. */
export type IncomingFile = File | GrantedFile;

/** The grant of a file, asked for unless main has given one already. */
export const grantOf = async (gateway: FileGateway, file: IncomingFile): Promise<GrantedFile | RefusedFile> =>
  'grant' in file ? file : gateway.grant(file);

export const isRefused = (answer: GrantedFile | RefusedFile): answer is RefusedFile => 'error' in answer;

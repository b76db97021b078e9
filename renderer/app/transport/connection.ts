import type { ContractRouterClient } from '@orpc/contract';
import type { WindowMenu } from '../../../shared/api/app.ts';
import type { Contract } from '../../../shared/api/contract.ts';
import type { BadFile } from '../../../shared/media/file-refusal.ts';

export type Client = ContractRouterClient<Contract>;

/** State of the connection to main. `signed-out` needs the user: the page was opened without its start link. */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'signed-out';

/** One of several windows of the desktop app. */
export interface WindowPlace {
  /** The account that the window was opened for; null opens the one shown last. */
  readonly account: string | null;
  /** True after repeated failures of the page: it starts without its stored views. */
  readonly isPlain: boolean;
  readonly showing: (workspaceId: string | null) => void;
  readonly showMenu: (menu: WindowMenu) => void;
  readonly onCommand: (listener: (id: string) => void) => () => void;
  /** The zoom of the page, in percent; null where it can't be set. */
  readonly zoom: { percent(): number; set(percent: number): void } | null;
}

export interface Connection {
  readonly client: Client;
  readonly files: FileGateway;
  /** Drags a file of main out of the window. Absent where that is not possible. */
  readonly filesOut?: FilesOut;
  state(): ConnectionState;
  /** Signs out every window of the host; false when the host did not respond. Absent without a sign-in. */
  readonly signOut?: () => Promise<boolean>;
  /** The host's data about this window, if it can have several. */
  readonly place?: WindowPlace;
  onState(listener: () => void): () => void;
}

/** A file that the user dropped or picked, as main refers to it: a handle instead of a path. */
export interface GrantedFile {
  readonly grant: string;
  readonly fileName: string;
  readonly bytes: number;
}

/**
 * Passes files of the user to main. A page never sees a path: Electron gets a grant from the preload, the web host
 * receives the bytes into its spool and returns its own grant.
 */
export interface FileGateway {
  /** @param purpose `secret` for a key or a token, whose bytes may not be written to the disk */
  grant(file: File, purpose?: 'secret'): Promise<GrantedFile | BadFile>;
  /** Lets the user select a folder in a dialog of the system; null when none was selected. Absent in a browser. */
  readonly chooseFolder?: () => Promise<{ readonly grant: string } | null>;
}

/** A file that main serves under the window's own origin. */
export type FileOut = Awaited<ReturnType<Client['media']['preview']>>;

/** Drags files out of the window, to the desktop, a mail or a chat. */
export interface FilesOut {
  /** Prepares a file that may be dragged soon. */
  prepare(file: FileOut): void;
  begin(file: FileOut, drag: DragEvent): void;
}

/** An incoming file: from the browser, or already granted by main. */
export type IncomingFile = File | GrantedFile;

/** The grant of a file, requested unless main has given one already. */
export const grantOf = async (gateway: FileGateway, file: IncomingFile): Promise<GrantedFile | BadFile> =>
  'grant' in file ? file : gateway.grant(file);

export const isRefused = (answer: GrantedFile | BadFile): answer is BadFile => 'code' in answer;

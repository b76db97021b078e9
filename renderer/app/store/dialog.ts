import type { Account } from '../../../shared/api/accounts.ts';
import type { PreviewOptions } from '../../../shared/api/files.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import type { IncomingFile } from '../transport/connection.ts';

export type CampaignShape = 'video' | 'sba' | 'auto' | 'manual';

/** A confirmation before something is deleted. `keep` is the label of the safe button, which has the focus. */
export interface Confirmation {
  readonly title: string;
  readonly text: string;
  readonly keep: string;
  readonly button: string;
  /** The action loses nothing. */
  readonly isHarmless?: true;
  readonly run: () => void;
  /** An alternative action, with a third button. */
  readonly other?: { readonly button: string; readonly run: () => void };
}

export interface Naming {
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly button: string;
  /** False when it failed: the dialog stays open with the text. */
  readonly run: (text: string) => Promise<boolean>;
}

interface SheetDialog {
  readonly name: 'sheet';
  readonly file: IncomingFile | null;
  readonly media: readonly File[];
  /** The user's earlier answers to questions about this file. */
  readonly answers?: PreviewOptions;
}

export type Dialog =
  | { readonly name: 'palette' }
  | { readonly name: 'media'; readonly files: readonly File[]; readonly onto?: RowRef | undefined }
  /** A spreadsheet with the files it names: a browser has no folder to find them in. */
  | SheetDialog
  /** A table; `text` is its content if that is known. */
  | { readonly name: 'paste'; readonly text?: string }
  /** With an account, only its key and token are entered again. */
  | { readonly name: 'connect'; readonly account?: Account }
  | { readonly name: 'unlock' }
  | { readonly name: 'join-team' }
  /** Import of saved views from a file. */
  | { readonly name: 'views' }
  | { readonly name: 'shortcuts' }
  | ({ readonly name: 'name' } & Naming)
  | ({ readonly name: 'confirm' } & Confirmation);

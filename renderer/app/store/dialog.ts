import type { Account } from '../../../shared/api/accounts.ts';
import type { ChosenColumn } from '../../../shared/spreadsheet/column-mapping.ts';
import type { SheetKind } from '../../../shared/spreadsheet/columns.ts';
import type { IncomingFile } from '../transport/connection.ts';

export type CampaignShape = 'video' | 'sba' | 'auto' | 'manual';

/** A question before something is taken away. `keep` is the safe answer and has the focus. */
export interface Confirmation {
  readonly title: string;
  readonly text: string;
  readonly keep: string;
  readonly button: string;
  /** Nothing is lost by it. */
  readonly isHarmless?: true;
  readonly run: () => void;
  /** Another way to what is wanted, beside the two. */
  readonly other?: { readonly button: string; readonly run: () => void };
}

export interface Naming {
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly button: string;
  /** False when it was not done: the dialog stays, with the text. */
  readonly run: (text: string) => Promise<boolean>;
}

interface SheetDialog {
  readonly name: 'sheet';
  readonly file: IncomingFile | null;
  readonly media: readonly File[];
  /** What main asked of this file and the user has answered before. */
  readonly answers?: {
    /** How the file writes amounts: 1.50 or 1,50. */
    readonly decimals?: 'point' | 'comma';
    /** Looks at a file that is not what its signer signed. */
    readonly evenAltered?: true;
    /** The sheet of a workbook that is meant, by its name. */
    readonly sheet?: string;
    /** Every line of the file is a row of its own, whatever quotes stand around it. */
    readonly linesAsRows?: true;
    /** What columns are imported as, whatever their headings say. */
    readonly mapping?: readonly ChosenColumn[];
    /** What every row is, of a sheet without a column that says so. */
    readonly rowType?: SheetKind | undefined;
  };
}

export type Dialog =
  | { readonly name: 'palette' }
  | { readonly name: 'media'; readonly files: readonly File[] }
  /** A sheet with the files it names, which have no folder of their own in a browser. */
  | SheetDialog
  /** A table, with what is pasted if that is known. */
  | { readonly name: 'paste'; readonly text?: string }
  /** With an account, its key and token are entered again. */
  | { readonly name: 'connect'; readonly account?: Account }
  | { readonly name: 'unlock' }
  | { readonly name: 'join-team' }
  /** Views from a file. */
  | { readonly name: 'views' }
  | { readonly name: 'shortcuts' }
  | ({ readonly name: 'name' } & Naming)
  | ({ readonly name: 'confirm' } & Confirmation);

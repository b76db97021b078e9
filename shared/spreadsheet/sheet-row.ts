import { type CellProblem, cellProblemText, shown } from '../model/cell-text.ts';
import type { Cell } from '../model/field-types.ts';
import type { DateOrder } from '../model/plain-date.ts';
import type { RemoteId } from '../model/scalars.ts';
import { lineText, textKey } from '../model/text.ts';
import type { Column, SheetKind } from './columns.ts';

/** One row of a spreadsheet, read but not yet linked to rows of the workspace. */
export interface SheetRow {
  /** Line in the file, the header being line 1. */
  readonly line: number;
  readonly kind: SheetKind;
  readonly campaign: Link;
  readonly adGroup: Link;
  /** The service's ID of the row itself. */
  readonly rowId: RemoteId | null;
  /** Only the filled cells; null where the cell erases. */
  readonly cells: Readonly<Record<string, Cell>>;
  /** File paths relative to the sheet; null where the cell erases. Absent when blank. */
  readonly logo?: string | null;
  readonly video?: string | null;
  readonly caption?: string | null;
  readonly mediaName?: string | null;
  /** The exported values, if the spreadsheet still has them. */
  readonly base?: Readonly<Record<string, Cell>>;
  /** The row is to be deleted; possible in archives only. */
  readonly deleted?: true;
  /** Comments and labels from an archive. */
  readonly notes?: RowNotes;
}

/** What names a row and its parents in a file. */
export type ParentRow = Pick<SheetRow, 'line' | 'kind' | 'campaign' | 'adGroup'>;

/** A remark of the file reader on a row besides its cells. */
export type RowRemark = CellFault | QuoteRemark;
/** Receives a row as text; most have no remarks. */
export type TakeRow = (cells: readonly string[], remarks?: readonly RowRemark[]) => void;

/** A cell of a workbook without a valid value, distinct from a blank one or a text. */
export interface CellFault {
  /** Index in the row, from 0. */
  readonly at: number;
  readonly problem: Extract<SheetProblemKind, { readonly kind: 'formula-without-value' | 'error-value' }>;
}

/** Why a row of a text file may not be what its author intended. */
export interface QuoteRemark extends SheetProblem {
  readonly problem: QuoteProblem;
}

/** A parent by name, by the service's id, or both. */
export interface Link {
  readonly name: string | null;
  readonly remoteId: RemoteId | null;
}

export interface SheetProblem {
  readonly line: number;
  readonly column: Column | string;
  readonly problem: SheetProblemKind;
  /** For a row that has no parent because the parent's row has an error: the line of that row. */
  readonly causeLine?: number;
}

/** Why a row or its parent could not be found, and the column to fix. */
export interface LinkProblem {
  readonly column: Column;
  readonly problem: SheetProblemKind;
}

export type SheetProblemKind =
  | CellProblem
  | { readonly kind: 'no-header' }
  /** Rows end in a character that ends no row here, so the header contains all of them. */
  | { readonly kind: 'rows-in-header'; readonly mark: string }
  /** `cell` in spreadsheet notation, such as C7. */
  | { readonly kind: 'formula-without-value'; readonly cell: string }
  | { readonly kind: 'error-value'; readonly cell: string; readonly text: string }
  | { readonly kind: 'missing-column'; readonly column: 'Type' }
  | { readonly kind: 'column-twice'; readonly column: Column; readonly headings: readonly [string, string] }
  | { readonly kind: 'unknown-type'; readonly text: string }
  | { readonly kind: 'column-not-used'; readonly type: string; readonly column: Column }
  | { readonly kind: 'damaged-id'; readonly text: string }
  | { readonly kind: 'lost-zeros'; readonly text: string }
  | { readonly kind: 'not-an-id'; readonly text: string }
  | { readonly kind: 'required'; readonly type: string; readonly column: Column }
  | { readonly kind: 'no-such-row'; readonly id: string }
  /** With unknown IDs as new rows: neither the account nor the file has the parent. */
  | { readonly kind: 'no-parent'; readonly parent: 'campaign' | 'ad group'; readonly id: string }
  /** As above, in a change file: it has too few fields to create a new row. */
  | { readonly kind: 'edit-only'; readonly id: string }
  | { readonly kind: 'wrong-parent'; readonly id: string; readonly name: string }
  | { readonly kind: 'orphan'; readonly parent: 'campaign' | 'ad group'; readonly name: string }
  | { readonly kind: 'ambiguous'; readonly parent: 'campaign' | 'ad group'; readonly name: string }
  | { readonly kind: 'row-twice'; readonly otherLine: number }
  | { readonly kind: 'fixed'; readonly column: Column }
  /** For an imported cell: a number with more decimals than are stored. */
  | { readonly kind: 'cut-decimals'; readonly text: string; readonly kept: string }
  /** A date that can mean two days, before the order of the dates is known. */
  | { readonly kind: 'unclear-date'; readonly text: string }
  /** A date that exists, but not in the order of the other dates. */
  | { readonly kind: 'other-date-order'; readonly text: string; readonly order: DateOrder }
  | { readonly kind: 'short-year'; readonly text: string }
  /** A date with a time of day other than midnight. */
  | { readonly kind: 'has-time'; readonly text: string }
  | NewRowRemark
  | QuoteProblem;

/** Differences between a new row and its file: one with an unknown ID, or with a status that it can't be created with. */
export type NewRowRemark =
  | { readonly kind: 'renamed'; readonly name: string; readonly copy: string }
  | { readonly kind: 'service-video'; readonly id: string }
  /** Such a row can't be used again; the word is its status. */
  | { readonly kind: 'switched-off'; readonly type: string; readonly word: string }
  | { readonly kind: 'nothing-to-delete' };

/** Problems with the quotes of a row in a text file: unexpected, missing or misplaced. */
export type QuoteProblem =
  /** The row with the quote; cells count from 1, and the column may have no name. */
  | { readonly kind: 'open-quote'; readonly row: number; readonly column: string; readonly cell: number }
  /** The rows that these would be without the quotes around them. */
  | { readonly kind: 'rows-in-cell'; readonly first: number; readonly last: number }
  | { readonly kind: 'cells-beyond-header'; readonly cells: number; readonly columns: number }
  | { readonly kind: 'text-after-quote'; readonly text: string }
  /** A title or a date above the headings. */
  | { readonly kind: 'above-header'; readonly text: string };

export const DATE_ORDER_NAMES: Readonly<Record<DateOrder, string>> = {
  'month-first': 'month/day/year',
  'day-first': 'day/month/year',
};

/** The sentence of a problem, for the import preview and the command line. */
export function sheetProblemText({ problem, causeLine }: SheetProblem): string {
  if (causeLine !== undefined && (problem.kind === 'orphan' || problem.kind === 'no-parent')) {
    const named =
      problem.kind !== 'orphan' ? ` with ID ${problem.id}` : problem.name === '' ? '' : ` "${shown(problem.name)}"`;
    return `The ${problem.parent}${named} has an error in ${lineText(causeLine)}. Correct that line first.`;
  }
  switch (problem.kind) {
    case 'no-header':
      return 'The file has no header row. The first row must name the columns, such as Type, Campaign and Status.';
    case 'rows-in-header':
      return `The header row contains ${problem.mark}, so rows below it would be lost. Save the file with standard line endings, then import it again.`;
    case 'formula-without-value':
      return `${problem.cell} contains a formula without a saved value. Open the file in a spreadsheet program, save it, and import it again.`;
    case 'error-value':
      return `${problem.cell} contains the error ${shown(problem.text)} instead of a value. Correct it in the spreadsheet, save the file, and import it again.`;
    case 'missing-column':
      return `The file has no column "${problem.column}". Add it to the header row, import another column as ${problem.column}, or choose one type for all rows.`;
    case 'column-twice': {
      const [one, other] = problem.headings;
      return `"${shown(one)}" and "${shown(other)}" are both imported as ${problem.column}. Import one of them as another column, or skip it.`;
    }
    case 'unknown-type':
      return `"${shown(problem.text)}" is not a row type. Use campaign, ad group, ad item, keyword, sba profile, video profile, placement multiplier or platform multiplier.`;
    case 'column-not-used':
      return `Rows of type ${problem.type} have no ${problem.column}. Clear this cell.`;
    case 'damaged-id':
      return `"${shown(problem.text)}" was changed by a spreadsheet program, so the ID can't be recovered. Format the column as text and paste the ID again.`;
    case 'lost-zeros':
      return `Item ID "${shown(problem.text)}" has fewer than 10 digits. A spreadsheet program may have removed leading zeros. Format the column as text and paste the ID again.`;
    case 'not-an-id':
      return `"${shown(problem.text)}" is not a service ID. IDs are digits. For a new row, clear the cell.`;
    case 'required':
      return `Rows of type ${problem.type} need a ${problem.column}. Fill in this cell.`;
    case 'no-such-row':
      return `This account has no row with ID ${problem.id}. Refresh first, or clear the ID to create a new row.`;
    case 'no-parent':
      return `Neither the file nor this account has the ${problem.parent} with ID ${problem.id}. Add a row for it to the file.`;
    case 'edit-only':
      return `This is a change to the row with ID ${problem.id}, which this account does not have. Ask the sender for an archive, which has the whole row.`;
    case 'wrong-parent':
      return `The row with ID ${problem.id} belongs to "${shown(problem.name)}". Correct the ID or the name.`;
    case 'orphan':
      if (problem.name === '')
        return `The row has no ${problem.parent}. Fill in the ${problem.parent === 'campaign' ? 'Campaign' : 'Ad group'} column, or add this column to the file.`;
      // Its row may be in the file and have an error itself, so the text does not say that the file has none.
      return `This account has no ${problem.parent} "${shown(problem.name)}", and the file has no row without errors for it. Add or correct that row, or correct the name.`;
    case 'ambiguous':
      return `Several ${problem.parent}s${problem.name === '' ? '' : ` named "${shown(problem.name)}"`} match. Enter the ${problem.parent === 'campaign' ? 'Campaign id' : 'Ad group, or its ID'}.`;
    case 'row-twice':
      return `This row is already in ${lineText(problem.otherLine)}. Remove one of them.`;
    case 'fixed':
      return `${problem.column} can't be changed after the row is created on the service. Restore the old value, or add a new row.`;
    case 'cut-decimals':
      return `${shown(problem.text)} is imported as ${problem.kept}. Only two decimals are kept.`;
    case 'unclear-date':
      return `"${shown(problem.text)}" can mean two dates. Enter year-month-day, such as 2026-05-04.`;
    case 'other-date-order':
      return `"${shown(problem.text)}" can't be read as ${DATE_ORDER_NAMES[problem.order]}, the order of the dates in this file. Correct the date, or enter year-month-day, such as 2026-05-04.`;
    case 'has-time':
      return `"${shown(problem.text)}" has a time of day. Enter only the date, such as 2026-05-04.`;
    case 'short-year':
      return `"${shown(problem.text)}" has a year of 2 digits. Enter 4 digits, or year-month-day, such as 2026-05-04.`;
    case 'renamed':
      return `The name "${shown(problem.name)}" is already used. This campaign is imported as "${shown(problem.copy)}".`;
    case 'service-video':
      return `The video with the media ID ${problem.id} is not in this account. The profile is imported without a video.`;
    case 'switched-off':
      return `This ${problem.type} is ${problem.word}, so it is skipped.`;
    case 'nothing-to-delete':
      return 'This account does not have the row to delete. It is skipped.';
    case 'open-quote':
      return `The quotation mark in row ${problem.row}, ${problem.column === '' ? '' : `column ${shown(problem.column)}, `}cell ${problem.cell} is not closed. This row was read as if that quotation mark were text. Check the row. Remove the quotation mark, or close it.`;
    case 'rows-in-cell':
      return `This quoted cell contains text that looks like ${problem.first === problem.last ? `row ${problem.first}` : `rows ${problem.first} to ${problem.last}`} of the table. Remove the opening and the closing quotation mark.`;
    case 'cells-beyond-header':
      return `This row has ${problem.cells} cells, but the header has ${problem.columns}. Extra cells were not read. If a cell contains the separator, put quotation marks around that cell.`;
    case 'text-after-quote':
      return `This cell has text after its closing quotation mark. It was read as "${shown(problem.text)}", as in spreadsheet programs.`;
    case 'above-header':
      return `"${shown(problem.text)}" is above the headings. This line is skipped.`;
    default:
      return cellProblemText(problem);
  }
}

/** Users' notes on a row: its comments, oldest first, and its labels. */
export interface RowNotes {
  readonly comments: readonly NotedComment[];
  readonly labels: readonly NotedLabel[];
}

export interface NotedComment {
  /** The field, or null for the whole row. */
  readonly field: string | null;
  readonly author: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly resolved: boolean;
}

export interface NotedLabel {
  readonly name: string;
  /** `#rrggbb`; used only if no label of this name exists. */
  readonly color: string;
}

export const NO_NOTES: RowNotes = { comments: [], labels: [] };

/**
 * The notes of a file that a row does not have; null when it has them all. Notes are only added: existing comments
 * stay unchanged, resolved or not, and labels missing in the file stay.
 */
export function missingNotes(here: RowNotes, arriving: RowNotes): RowNotes | null {
  const said = new Set(here.comments.map(keyOf));
  const worn = new Set(here.labels.map(({ name }) => textKey(name)));
  const comments = arriving.comments.filter((comment) => !said.has(keyOf(comment)));
  const labels = arriving.labels.filter(({ name }) => !worn.has(textKey(name)));
  return comments.length + labels.length === 0 ? null : { comments, labels };
}

const keyOf = ({ field, author, text, at }: NotedComment): string => JSON.stringify([field, author, text, at]);

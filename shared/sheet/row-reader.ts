import type { RemoteId } from '../model/scalars.ts';
import { err, ok, type Result } from '../result.ts';
import { baseFrom } from './base-cell.ts';
import { type ColumnSet, columnBit, DISPENSABLE, NO_COLUMNS } from './column-choice.ts';
import { type Column, sheetKind } from './columns.ts';
import { type CellOptions, cellReader, fileReader, readId, readName } from './read-cells.ts';
import { placeOf, type SheetHeader, textAt } from './sheet-header.ts';
import type { CellFault, Link, SheetProblem, SheetProblemKind, SheetRow } from './sheet-row.ts';

/** Reads rows of text below one header. */
export interface RowReader {
  /**
   * One row as typed values, or everything that is wrong with it.
   *
   * @param faults cells of it that hold no value; what stands in them says only that
   */
  read(cells: readonly string[], line: number, faults: readonly CellFault[]): Result<SheetRow, readonly SheetProblem[]>;
  /** Columns with a cell that could not be read so far, and need not be. */
  passedOver(): ColumnSet;
}

/**
 * A sheet may have a million rows, so what reads a row is made once for all of them, and closes over the row that is being
 * read: functions and maps made for each row would cost as much as the reading.
 *
 * @param out columns that are left out: a cell in them that cannot be read counts as blank, if its row can do without it
 * @param warn hears of the cells of a row that was read whose numbers were cut
 */
export function rowReader(
  header: SheetHeader,
  options: CellOptions,
  out: ColumnSet,
  warn: (warning: SheetProblem) => void,
): RowReader {
  const dispensable = DISPENSABLE & out;
  let line = 0;
  let problems: SheetProblem[] = [];
  let passedOver: ColumnSet = NO_COLUMNS;
  const refuse = (column: Column, problem: SheetProblemKind): void => {
    const passed = columnBit(column) & dispensable;
    if (passed === NO_COLUMNS) problems.push({ line, column, problem });
    else passedOver |= passed;
  };

  const typeAt = placeOf(header, 'Type');
  const idAt = placeOf(header, 'Row id');
  let cut: SheetProblem[] = [];
  const readCells = cellReader(header, options, refuse, (column, text, kept) => {
    cut.push({ line, column, problem: { kind: 'cut-decimals', text, kept } });
  });
  const readFiles = fileReader(header);
  const readCampaign = linkReader(header, 'Campaign', 'Campaign id', refuse);
  const readAdGroup = linkReader(header, 'Ad group', 'Ad group id', refuse);
  const refuseId = (problem: SheetProblemKind): void => refuse('Row id', problem);

  /** Everything that is wrong with the row; the next one begins without. */
  const taken = (): readonly SheetProblem[] => {
    const all = problems;
    problems = [];
    return all;
  };
  /** Names the faults in columns of ours, and leaves their cells blank so that nothing is read from them. */
  const withoutFaults = (cells: readonly string[], faults: readonly CellFault[]): readonly string[] => {
    const rest = [...cells];
    for (const { at, problem } of faults) {
      const column = header.columns[at] ?? null;
      if (column === null && at !== header.baseAt) continue;
      rest[at] = '';
      if (column !== null) refuse(column, problem);
    }
    return rest;
  };

  return {
    read: (found, at, faults) => {
      line = at;
      const cells = faults.length === 0 ? found : withoutFaults(found, faults);
      const type = textAt(cells, typeAt);
      const kind = sheetKind(type);
      if (kind === null) {
        const unread = taken();
        if (unread.length > 0) return err(unread);
        return err([{ line, column: 'Type', problem: { kind: 'unknown-type', text: type } }]);
      }
      const row: SheetRow = {
        line,
        kind,
        campaign: readCampaign(cells),
        adGroup: readAdGroup(cells),
        rowId: readId(textAt(cells, idAt), refuseId),
        cells: readCells(kind, cells),
      };
      const cuts = cut;
      if (cuts.length > 0) cut = [];
      if (problems.length > 0) return err(taken());
      cuts.forEach(warn);
      const files = readFiles(kind, cells);
      const exported = header.baseAt < 0 ? '' : (cells[header.baseAt] ?? '');
      // A cell that does not hold what the row said when it was exported, for whatever reason, says nothing.
      const base = exported === '' ? null : baseFrom(kind, exported);
      // Few rows name files or know how they were exported, and a copy of the others would cost as much as reading them.
      if (files === null && base === null) return ok(row);
      return ok({ ...row, ...files, ...(base === null ? {} : { base }) });
    },
    passedOver: () => passedOver,
  };
}

/**
 * Reads the parents that rows name. Most rows name the same ones, one row after another, so a million rows share a few
 * thousand links.
 */
function linkReader(
  header: SheetHeader,
  nameColumn: Column,
  idColumn: Column,
  refuse: (column: Column, problem: SheetProblemKind) => void,
): (cells: readonly string[]) => Link {
  const nameAt = placeOf(header, nameColumn);
  const idAt = placeOf(header, idColumn);
  const links = new Map<string, Link>();
  /** The parent of the row before and how it was written; null when it had a problem, which every row that names it has. */
  let before: { readonly name: string; readonly id: string; readonly link: Link } | null = null;
  let isRefused = false;
  const refuseIn =
    (column: Column) =>
    (problem: SheetProblemKind): void => {
      isRefused = true;
      refuse(column, problem);
    };
  const [refuseName, refuseId] = [refuseIn(nameColumn), refuseIn(idColumn)];
  return (cells) => {
    const name = textAt(cells, nameAt);
    const id = textAt(cells, idAt);
    if (before !== null && before.name === name && before.id === id) return before.link;
    isRefused = false;
    const link = sharedLink(links, readName(name, refuseName), readId(id, refuseId));
    before = isRefused ? null : { name, id, link };
    return link;
  };
}

function sharedLink(links: Map<string, Link>, name: string | null, remoteId: RemoteId | null): Link {
  const key = `${remoteId ?? ''} ${name ?? ''}`;
  const known = links.get(key);
  if (known !== undefined) return known;
  const link = { name, remoteId };
  links.set(key, link);
  return link;
}

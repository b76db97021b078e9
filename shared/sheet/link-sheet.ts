import type { SheetLookup } from './lookup.ts';
import type { SheetChanges, SheetCreate, SheetFiles, SheetUpdate } from './sheet-changes.ts';
import { sheetLinker } from './sheet-linker.ts';
import type { SheetProblem, SheetRow } from './sheet-row.ts';

/**
 * Links a whole list of rows at once: campaigns first, then ad groups, then the rest, so rows may stand in any order. A row
 * with a problem changes nothing; its neighbours go on.
 */
export function linkSheet(rows: readonly SheetRow[], lookup: SheetLookup): SheetChanges {
  const creates: SheetCreate[] = [];
  const updates: SheetUpdate[] = [];
  const files: SheetFiles[] = [];
  const problems: SheetProblem[] = [];
  const counts = { added: 0, changed: 0, removed: 0, unchanged: 0, conflict: 0 };
  const linker = sheetLinker(lookup, {
    create: (row) => ({ at: creates.push(row) - 1 }),
    update: (update) => void updates.push(update),
    files: (named) => {
      if (named.inConflict !== true) files.push(named);
    },
    remove: onlyInArchives,
    notes: onlyInArchives,
  });
  for (const row of inLinkOrder(rows)) {
    const outcome = linker.link(row);
    if (outcome.ok) counts[outcome.value.outcome]++;
    else problems.push({ line: row.line, ...outcome.error });
  }
  const { conflict, unchanged, added, changed } = counts;
  // Nothing of a row in conflict is carried out.
  const still = unchanged + conflict;
  return {
    creates,
    updates,
    files,
    added,
    changed,
    unchanged: still,
    problems: problems.toSorted((a, b) => a.line - b.line),
  };
}

/** A table can neither delete rows nor bring notes along. */
function onlyInArchives({ line }: { readonly line: number }): never {
  throw new Error(`line ${line} of a table says what only an archive can say`);
}

function inLinkOrder(rows: readonly SheetRow[]): readonly SheetRow[] {
  const first = rows.filter((row) => row.kind === 'campaign');
  const second = rows.filter((row) => row.kind === 'adGroup');
  const rest = rows.filter((row) => row.kind !== 'campaign' && row.kind !== 'adGroup');
  return [...first, ...second, ...rest];
}

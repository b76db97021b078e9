import type { Row } from '../../shared/model/row.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import type { SheetChanges, SheetCreate, SheetFiles, SheetUpdate } from '../../shared/sheet/sheet-changes.ts';
import type { FoundMedia, MediaFinder, MediaWord } from './sheet-media.ts';

/** The files of a linked sheet: which cells name which files, and the changes once the files are in the library. */
export interface SheetFileProblem {
  readonly line: number;
  readonly column: string;
  readonly message: string;
}

export interface ResolvedFiles {
  readonly row: SheetFiles;
  readonly found: Readonly<Partial<Record<MediaWord, FoundMedia>>>;
}

const WORDS: readonly { readonly word: MediaWord; readonly column: string }[] = [
  { word: 'logo', column: 'Logo' },
  { word: 'video', column: 'Video' },
  { word: 'caption', column: 'Caption' },
];

/** Finds every file; a row of which one cannot be used is reported and left out. */
export async function resolveFiles(
  files: readonly SheetFiles[],
  finder: MediaFinder,
): Promise<{ readonly resolved: readonly ResolvedFiles[]; readonly problems: readonly SheetFileProblem[] }> {
  const resolved: ResolvedFiles[] = [];
  const problems: SheetFileProblem[] = [];
  for (const row of files) {
    const found: Partial<Record<MediaWord, FoundMedia>> = {};
    const before = problems.length;
    for (const { word, column } of WORDS) {
      const path = row[word];
      if (path === undefined || path === null) continue;
      const media = await finder.find(path, word);
      if (media.ok) found[word] = media.value;
      else problems.push({ line: row.line, column, message: media.error });
    }
    if (problems.length === before) resolved.push({ row, found });
  }
  return { resolved, problems };
}

/** The changes without the rows of these lines. Such rows are profiles, from which nothing hangs. */
export function withoutLines(changes: SheetChanges, lines: ReadonlySet<number>): SheetChanges {
  if (lines.size === 0) return changes;
  const places = new Map<number, number>();
  const creates: SheetCreate[] = [];
  changes.creates.forEach((create, at) => {
    const isLeaf = create.kind === 'sbaProfile' || create.kind === 'videoProfile';
    if (isLeaf && lines.has(create.line)) return;
    places.set(at, creates.length);
    creates.push(create);
  });
  const dropped = changes.files.filter(({ line }) => lines.has(line));
  const moved = <T extends SheetCreate['parent']>(target: T): T | { readonly at: number } =>
    target !== null && 'at' in target ? { at: places.get(target.at) ?? 0 } : target;
  return {
    ...changes,
    creates: creates.map((create) => ({ ...create, parent: moved(create.parent) })),
    updates: changes.updates.filter(({ line }) => !lines.has(line)),
    files: changes.files.filter(({ line }) => !lines.has(line)).map((row) => ({ ...row, row: moved(row.row) })),
    added: changes.added - dropped.filter(({ row }) => 'at' in row).length,
    changed: changes.changed - dropped.filter(({ row }) => 'id' in row).length,
  };
}

/**
 * The cells that attach files once every file has its row in the library.
 *
 * @param idOf the library row of a found file
 */
export function attachFiles(
  changes: SheetChanges,
  resolved: readonly ResolvedFiles[],
  idOf: (media: FoundMedia) => RowId,
  library: ReadonlyMap<RowId, Row<'media'>>,
): Pick<SheetChanges, 'creates' | 'updates'> {
  const creates = changes.creates.map((create) => ({ ...create }));
  const updates = [...changes.updates];
  const byLine = new Map(resolved.map(({ row, found }) => [row.line, found]));
  for (const row of changes.files) {
    const found = byLine.get(row.line) ?? {};
    const attach = (field: 'logo' | 'video') => {
      if (row[field] === undefined) return;
      const media = found[field];
      const value = media === undefined ? null : idOf(media);
      const target = row.row;
      if ('id' in target) updates.push({ kind: row.kind, id: target.id, field, value, line: row.line });
      else {
        const create = creates[target.at];
        if (create !== undefined) creates[target.at] = { ...create, values: { ...create.values, [field]: value } };
      }
    };
    attach('logo');
    attach('video');
    updates.push(...videoUpdates(row, found, idOf, library));
  }
  return { creates, updates };
}

/** Caption and name belong to the video itself, since they travel with it. */
function videoUpdates(
  row: SheetFiles,
  found: Readonly<Partial<Record<MediaWord, FoundMedia>>>,
  idOf: (media: FoundMedia) => RowId,
  library: ReadonlyMap<RowId, Row<'media'>>,
): readonly SheetUpdate[] {
  const id = found.video === undefined ? row.currentVideo : idOf(found.video);
  if (id === null) return [];
  const updates: SheetUpdate[] = [];
  const before = library.get(id)?.values;
  if (row.caption !== undefined) {
    const value = found.caption === undefined ? null : idOf(found.caption);
    if (value !== (before?.caption ?? null))
      updates.push({ kind: 'media', id, field: 'caption', value, line: row.line });
  }
  if (row.mediaName !== undefined && row.mediaName !== (before?.mediaName ?? null)) {
    updates.push({ kind: 'media', id, field: 'mediaName', value: row.mediaName, line: row.line });
  }
  return updates;
}

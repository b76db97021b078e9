import type { RowRef } from '../../../shared/contract/scalars.ts';
import { enAnnotations } from '../../messages/en-notes.ts';
import { Comments } from './Comments.tsx';
import { Labels } from './Labels.tsx';

interface NotesSectionProps {
  readonly workspaceId: string;
  readonly row: RowRef;
  /** Ids of the labels it carries. */
  readonly carried: readonly number[];
}

/** What people say about a row: labels and comments, which never leave this computer. */
export function NotesSection({ workspaceId, row, carried }: NotesSectionProps) {
  return (
    <section className="notes-section" aria-label={enAnnotations.notes}>
      <h3 className="section-title">{enAnnotations.notes}</h3>
      <p className="quiet notes-hint">{enAnnotations.notesHint}</p>
      <Labels workspaceId={workspaceId} row={row} carried={carried} />
      <Comments workspaceId={workspaceId} row={row} />
    </section>
  );
}

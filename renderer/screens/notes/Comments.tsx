import { useState } from 'react';
import type { Comment } from '../../../shared/contract/notes.ts';
import type { RowRef } from '../../../shared/contract/scalars.ts';
import { comments as commentsOf } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enAnnotations } from '../../messages/en-notes.ts';
import { fieldName } from '../../messages/fields.ts';
import { ChipChoice } from '../../ui/ChipChoice.tsx';
import { CommentForm } from './CommentForm.tsx';
import { CommentLine } from './CommentLine.tsx';
import { commentGroups, needTitles } from './comment-groups.ts';

/** Which comments are shown, once one was resolved. */
const SHOWN = ['all', 'open', 'resolved'] as const;
type Shown = (typeof SHOWN)[number];
const IS_SHOWN: Readonly<Record<Shown, (comment: Comment) => boolean>> = {
  all: () => true,
  open: ({ resolved }) => !resolved,
  resolved: ({ resolved }) => resolved,
};

/** The comments of a row under what they are about, and the form for one more. */
export function Comments({ workspaceId, row }: { readonly workspaceId: string; readonly row: RowRef }) {
  const written = useQuery(commentsOf(workspaceId, row)).data ?? [];
  const [shown, setShown] = useState<Shown>('all');
  const [about, setAbout] = useState<string | null>();
  const anyResolved = written.some(({ resolved }) => resolved);
  const groups = commentGroups(anyResolved ? written.filter(IS_SHOWN[shown]) : written, row.kind);
  const titled = needTitles(groups);
  // What was chosen may have lost its last comment, or be hidden by the other choice.
  const chosen = groups.some(({ field }) => field === about) ? about : undefined;
  const choices = SHOWN.map((value) => ({
    value,
    name: enAnnotations.shown[value],
    count: written.filter(IS_SHOWN[value]).length,
  }));
  const showAll = (): void => {
    setShown('all');
    setAbout(undefined);
  };
  return (
    <>
      {anyResolved && (
        <div className="comments-shown">
          <ChipChoice label={enAnnotations.show} choices={choices} chosen={shown} onChoose={setShown} />
        </div>
      )}
      {groups.length > 1 && (
        <div className="comments-shown">
          <ChipChoice
            label={enAnnotations.showAbout}
            choices={[
              { value: undefined, name: enAnnotations.aboutAll },
              ...groups.map(({ field, comments }) => ({
                value: field,
                name: aboutName(field),
                count: comments.length,
              })),
            ]}
            chosen={chosen}
            onChoose={setAbout}
          />
        </div>
      )}
      {groups.map(({ field, comments }) => {
        if (chosen !== undefined && chosen !== field) return null;
        const title = aboutName(field);
        return (
          <div key={field}>
            {titled && <h4 className="comments-about">{title}</h4>}
            <ul className="comments" aria-label={enAnnotations.commentsOn(title)}>
              {comments.map((comment) => (
                <CommentLine key={comment.id} comment={comment} />
              ))}
            </ul>
          </div>
        );
      })}
      {/* Nobody's new comment may be hidden by the choices above. */}
      <CommentForm row={row} onAdded={showAll} />
    </>
  );
}

/** What a comment is about, in words. */
const aboutName = (field: string | null): string => (field === null ? enAnnotations.wholeRow : fieldName(field));

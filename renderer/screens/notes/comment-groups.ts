import type { Comment } from '../../../shared/contract/notes.ts';
import { fieldNames } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';

/** Comments about the same thing: one field, or with null the row as a whole. */
export interface CommentGroup {
  readonly field: string | null;
  readonly comments: readonly Comment[];
}

/**
 * Comments by what they are about: the row first, then its fields in the order of the model, then fields that this
 * version does not know, which a file of a newer one may bring. Within a group they stay in the order they came in.
 */
export function commentGroups(comments: readonly Comment[], kind: Kind): readonly CommentGroup[] {
  const names = fieldNames(kind);
  const place = (field: string | null): number => {
    if (field === null) return -1;
    const at = names.indexOf(field);
    return at < 0 ? names.length : at;
  };
  return [...Map.groupBy(comments, ({ field }) => field)]
    .map(([field, own]) => ({ field, comments: own }))
    .sort((a, b) => place(a.field) - place(b.field));
}

/** Whether it is worth saying what each group is about. */
export const needTitles = (groups: readonly CommentGroup[]): boolean => groups.some(({ field }) => field !== null);

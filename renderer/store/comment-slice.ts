import type { StateCreator } from 'zustand';
import type { PaneSlice } from './pane-slice.ts';
import type { SelectionSlice } from './selection-slice.ts';

/**
 * A comment that is begun away from the form it is written in.
 *
 *   nothing -- beginComment --> begun -- the form has the cursor: commentTaken --> nothing
 */
export interface CommentSlice {
  /** The field of the active row it is about; null for the row as a whole. */
  readonly commentBegun: { readonly field: string | null } | null;
  /** Shows the details of the active row alone, where comments are written. */
  readonly beginComment: (field: string | null) => void;
  readonly commentTaken: () => void;
}

export const createCommentSlice: StateCreator<CommentSlice & PaneSlice & SelectionSlice, [], [], CommentSlice> = (
  set,
) => ({
  commentBegun: null,
  beginComment: (field) =>
    set(({ active, hidden }) => ({
      commentBegun: { field },
      anchor: active,
      wholeRows: false,
      hidden: { ...hidden, inspector: false },
    })),
  commentTaken: () => set({ commentBegun: null }),
});

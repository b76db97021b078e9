import { expect, test } from 'vitest';
import { commentGroups, needTitles } from '../../renderer/features/details/NotesSection.tsx';
import type { Comment } from '../../shared/api/notes.ts';
import { asRowId } from '../../shared/model/scalars.ts';

const comment = (id: number, field: string | null): Comment => ({
  id,
  ref: { kind: 'keyword', id: asRowId(1) },
  field,
  author: 'ada',
  text: `no. ${id}`,
  at: 0,
  resolved: false,
});
const shown = (...comments: readonly Comment[]) =>
  commentGroups(comments, 'keyword').map(({ field, comments: own }) => [field, own.map(({ id }) => id)]);

test('comments stand under what they are about: the row, then fields as the model has them, then unknown ones', () => {
  expect(
    shown(comment(1, 'later'), comment(2, 'bid'), comment(3, null), comment(4, 'text'), comment(5, 'bid')),
  ).toEqual([
    [null, [3]],
    ['text', [4]],
    ['bid', [2, 5]],
    ['later', [1]],
  ]);
});

test('without a comment on a field there is nothing to say about what a comment is about', () => {
  expect(needTitles(commentGroups([comment(1, null)], 'keyword'))).toBe(false);
  expect(needTitles(commentGroups([comment(1, 'bid')], 'keyword'))).toBe(true);
  expect(shown()).toEqual([]);
});

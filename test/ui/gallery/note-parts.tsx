import type { ReactNode } from 'react';
import { columnsOf } from '../../../renderer/grid/columns.ts';
import { CommentButton } from '../../../renderer/screens/inspector/CommentButton.tsx';
import { CommentForm } from '../../../renderer/screens/notes/CommentForm.tsx';
import { CommentLine } from '../../../renderer/screens/notes/CommentLine.tsx';
import { Comments } from '../../../renderer/screens/notes/Comments.tsx';
import { Labels } from '../../../renderer/screens/notes/Labels.tsx';
import { NotesSection } from '../../../renderer/screens/notes/NotesSection.tsx';
import { CommentSign } from '../../../renderer/ui/CommentSign.tsx';
import type { Comment } from '../../../shared/contract/notes.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { os } from './answers.ts';
import { NOON, WORKSPACE } from './examples.ts';
import type { Part } from './part.ts';
import { staged } from './Stage.tsx';

const ROW = { kind: 'keyword', id: asRowId(7) } as const;
const comment = (id: number, part: Partial<Comment> = {}): Comment => ({
  id,
  ref: ROW,
  field: null,
  author: 'ada',
  text: 'Too dear?',
  at: NOON,
  resolved: false,
  ...part,
});

const labels = os.notes.labels.handler(() => [
  { id: 1, name: 'Christmas', color: '#c92a2a', rows: 12 },
  { id: 2, name: 'Ask Ada', color: '#1864ab', rows: 1 },
]);
const saying = (...written: readonly Comment[]) => ({
  notes: { labels, comments: os.notes.comments.handler(() => [...written]) },
});
/** A line of a list stands in one. */
const inList = (line: ReactNode) => staged({}, <ul className="comments">{line}</ul>);
const ON_ROW = saying(comment(1), comment(2, { author: 'ben', text: 'Agreed.' }));
const ON_FIELDS = saying(
  comment(1, { field: 'bid' }),
  comment(2, { author: 'ben', text: 'Agreed.', resolved: true }),
  comment(3, { field: 'matchType', author: '', text: 'Exact sells better here.' }),
);

const notes = <NotesSection workspaceId={WORKSPACE} row={ROW} carried={[1, 2]} />;
const comments = <Comments workspaceId={WORKSPACE} row={ROW} />;
const form = <CommentForm row={ROW} onAdded={() => {}} />;

function button(open: number) {
  const column = columnsOf('keyword', false).find(({ field }) => field === 'bid');
  if (column === undefined) throw new Error('A keyword has no bid.');
  return (
    <div className="field">
      <CommentButton column={column} open={open} />
    </div>
  );
}

/** What people say about rows and fields. */
export const NOTE_PARTS: readonly Part[] = [
  { name: 'NotesSection', states: { none: staged({}, notes), some: staged({ answers: ON_FIELDS }, notes) } },
  {
    name: 'Labels',
    states: { some: staged({ answers: ON_ROW }, <Labels workspaceId={WORKSPACE} row={ROW} carried={[1, 2]} />) },
  },
  {
    name: 'Comments',
    states: {
      'on the row': staged({ answers: ON_ROW }, comments),
      'on fields, one resolved': staged({ answers: ON_FIELDS }, comments),
    },
  },
  {
    name: 'CommentLine',
    states: {
      open: inList(<CommentLine comment={comment(1)} />),
      resolved: inList(<CommentLine comment={comment(1, { author: '', resolved: true })} />),
    },
  },
  {
    name: 'CommentForm',
    states: { empty: staged({}, form), 'begun on a field': staged({ arrange: (s) => s.beginComment('bid') }, form) },
  },
  { name: 'CommentButton', states: { none: staged({}, button(0)), some: staged({}, button(2)) } },
  { name: 'CommentSign', states: { one: <CommentSign open={1} /> } },
];

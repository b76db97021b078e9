import { useIsFetching, useQuery } from '@tanstack/react-query';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { Comment } from '../../../shared/api/notes.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import { fieldNames } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { isUnseen } from '../../../shared/model/text.ts';
import { useApi, useAppContext, useView } from '../../app/app-context.ts';
import { fieldName } from '../../app/field-names.ts';
import { countText, timeText } from '../../app/locale/numbers.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import { Chip } from '../../components/Chip.tsx';
import { ChipChoice } from '../../components/ChipChoice.tsx';
import { Choice, type Option } from '../../components/Choice.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { useNow } from '../../components/use-now.ts';
import { columnsOf, lockOfAll } from '../../grid/columns.ts';
import styles from './details.module.css';

const texts = {
  notes: 'Labels and comments',
  labels: 'Labels',
  some: (rows: number, all: number) => `${countText(rows)} of ${countText(all)}`,
  notesHint: 'Stored on this computer only.',
  notesShared: 'Shared with your team, never sent to the service.',
  newLabel: 'New label',
  takeOff: (name: string) => `Remove label ${name}`,
  comment: 'New comment',
  about: 'Applies to',
  wholeRow: 'Entire row',
  editable: 'Editable fields',
  readOnly: 'Read-only fields',
  commentsOn: (what: string) => `Comments: ${what}`,
  addComment: 'Comment',
  resolve: 'Resolve',
  reopen: 'Reopen',
  removeComment: 'Delete',
  resolved: 'resolved',
  show: 'Show comments',
  shown: { all: 'All', open: 'Open', resolved: 'Resolved' },
  showAbout: 'Comments about',
  aboutAll: 'Everything',
  you: 'You',
} as const;

interface NotesSectionProps {
  readonly workspaceId: string;
  readonly row: RowRef;
  /** IDs of the labels of the row. */
  readonly carried: readonly number[];
}

/** Labels and comments of a row, which are never sent to the service. */
export function NotesSection({ workspaceId, row, carried }: NotesSectionProps) {
  const hasTeam = useCommandContext().team;
  return (
    <section className={styles['notes-section']} aria-label={texts.notes}>
      <h3 className={ui['section-title']}>{texts.notes}</h3>
      <p className={`${ui['quiet']} ${styles['notes-hint']}`}>{hasTeam ? texts.notesShared : texts.notesHint}</p>
      <Labels
        workspaceId={workspaceId}
        kind={row.kind}
        ids={[row.id]}
        carried={new Map(carried.map((label) => [label, 1]))}
      />
      <Comments workspaceId={workspaceId} row={row} />
    </section>
  );
}

interface LabelsProps {
  readonly workspaceId: string;
  readonly kind: Kind;
  readonly ids: readonly RowRef['id'][];
  /** The number of rows that have a label, by label ID. */
  readonly carried: ReadonlyMap<number, number>;
}

interface LabelsSectionProps {
  readonly workspaceId: string;
  readonly kind: Kind;
  readonly rows: readonly Pick<WindowRow, 'id' | 'labels'>[];
}

/** The labels of several rows: a label is added to or removed from all of them at once. */
export function LabelsSection({ workspaceId, kind, rows }: LabelsSectionProps) {
  const carried = new Map<number, number>();
  for (const id of rows.flatMap(({ labels }) => labels ?? [])) carried.set(id, (carried.get(id) ?? 0) + 1);
  return (
    <section className={styles['notes-section']} aria-label={texts.labels}>
      <h3 className={ui['section-title']}>{texts.labels}</h3>
      <Labels workspaceId={workspaceId} kind={kind} ids={rows.map(({ id }) => id)} carried={carried} />
    </section>
  );
}

/** Colors of new labels, used in rotation; dark enough for white text. */
const COLORS = ['#1864ab', '#2b7a3d', '#8a5200', '#a61e4d', '#5f3dc4', '#0b7285'];

/** The labels of rows, each with a button to remove it, and a field to add one, new or existing. */
function Labels({ workspaceId, kind, ids, carried }: LabelsProps) {
  const { actions, store } = useAppContext();
  const all = useQuery(useApi().notes.labels.queryOptions({ input: { workspaceId } })).data ?? [];
  const [label, setLabel] = useState('');
  const begun = useView((s) => s.labelBegun);
  const input = useRef<HTMLInputElement>(null);
  const on = all.filter(({ id }) => carried.has(id));
  const rows = { kind, ids: [...ids] };
  const { labelTaken } = store.getState();

  useEffect(() => {
    if (!begun) return;
    labelTaken();
    input.current?.focus();
  }, [begun, labelTaken]);
  useStaysInView(input);

  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const name = label.trim();
    if (name === '') return;
    const known = all.find((each) => each.name.toLowerCase() === name.toLowerCase());
    const color = COLORS[all.length % COLORS.length] ?? '#1864ab';
    const put = known ?? (await actions.saveLabel(workspaceId, name, color));
    if (put === null || !(await actions.label(workspaceId, rows, [put.id], []))) return;
    setLabel((now) => (now.trim() === name ? '' : now));
  };
  return (
    <div className={styles['labels']}>
      {on.map(({ id, name, color }) => {
        const style: Record<string, string> = { '--label': color };
        return (
          <span key={id} className={styles['label']} style={style}>
            {name}
            {carried.get(id) !== ids.length && (
              <span className={ui['quiet']}>{texts.some(carried.get(id) ?? 0, ids.length)}</span>
            )}
            <button
              type="button"
              aria-label={texts.takeOff(name)}
              onClick={() => void actions.label(workspaceId, rows, [], [id])}
            >
              ×
            </button>
          </span>
        );
      })}
      <form onSubmit={(event) => void add(event)}>
        <input
          ref={input}
          className={ui['input']}
          aria-label={texts.newLabel}
          placeholder={texts.newLabel}
          list="known-labels"
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
        <datalist id="known-labels">
          {all.map(({ id, name }) => (
            <option key={id} value={name} />
          ))}
        </datalist>
      </form>
    </div>
  );
}

/** Keeps a focused field in view: what is above it may be read only after it got the focus. */
function useStaysInView(field: RefObject<HTMLInputElement | null>): void {
  const isReading = useIsFetching() > 0;
  useEffect(() => {
    if (!isReading && document.activeElement === field.current) field.current?.scrollIntoView({ block: 'nearest' });
  }, [isReading, field]);
}

/** Which comments are shown. The choice appears once a comment was resolved. */
const SHOWN = ['all', 'open', 'resolved'] as const;
type Shown = (typeof SHOWN)[number];
const IS_SHOWN: Readonly<Record<Shown, (comment: Comment) => boolean>> = {
  all: () => true,
  open: ({ resolved }) => !resolved,
  resolved: ({ resolved }) => resolved,
};

/** The comments of a row, grouped by field, and the form for a new one. */
function Comments({ workspaceId, row }: { readonly workspaceId: string; readonly row: RowRef }) {
  const written =
    useQuery(useApi().notes.comments.queryOptions({ input: { workspaceId, ref: row, resolved: null } })).data ?? [];
  const [shown, setShown] = useState<Shown>('all');
  const [about, setAbout] = useState<string | null>();
  const anyResolved = written.some(({ resolved }) => resolved);
  const groups = commentGroups(anyResolved ? written.filter(IS_SHOWN[shown]) : written, row.kind);
  const titled = needTitles(groups);
  // The selected group may have lost its last comment, or be hidden by the other filter.
  const chosen = groups.some(({ field }) => field === about) ? about : undefined;
  const choices = SHOWN.map((value) => ({
    value,
    name: texts.shown[value],
    count: written.filter(IS_SHOWN[value]).length,
  }));
  const showAll = (): void => {
    setShown('all');
    setAbout(undefined);
  };
  return (
    <>
      {anyResolved && (
        <div className={styles['comments-shown']}>
          <ChipChoice label={texts.show} choices={choices} chosen={shown} onChoose={setShown} />
        </div>
      )}
      {groups.length > 1 && (
        <div className={styles['comments-shown']}>
          <ChipChoice
            label={texts.showAbout}
            choices={[
              { value: undefined, name: texts.aboutAll },
              ...groups.map(({ field, comments }) => ({
                value: field,
                name: aboutName(field, row.kind),
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
        const title = aboutName(field, row.kind);
        return (
          <div key={field}>
            {titled && <h4 className={styles['comments-about']}>{title}</h4>}
            <ul className={styles['comments']} aria-label={texts.commentsOn(title)}>
              {comments.map((comment) => (
                <CommentLine key={comment.id} comment={comment} />
              ))}
            </ul>
          </div>
        );
      })}
      {/* A new comment resets the filters above, which might hide it. */}
      <CommentForm workspaceId={workspaceId} row={row} onAdded={showAll} />
    </>
  );
}

/** An earlier version allowed comments on metrics, which have no name but that of their column. */
function aboutName(field: string | null, kind: Kind): string {
  if (field === null) return texts.wholeRow;
  const metric = columnsOf(kind, false).find((column) => column.figure !== null && column.field === field);
  return metric?.title ?? fieldName(field, kind);
}

/** Facts from the media check are shown as text beside the preview, not as fields. */
const NO_FIELDS = new Set(['sha256', 'facts']);

/** What a comment can be on: the row, then its fields in the order of the details. Metrics are no fields. */
function commentTargets(kind: Kind): readonly Option<string | null>[] {
  const fields = columnsOf(kind, false).filter(({ cell, field }) => cell !== null && !NO_FIELDS.has(field));
  const { editable = [], readOnly = [] } = Object.groupBy(fields, (column) =>
    lockOfAll(column) === null ? 'editable' : 'readOnly',
  );
  return [
    [null, texts.wholeRow],
    ...editable.map(({ field }) => [field, aboutName(field, kind), texts.editable] as const),
    ...readOnly.map(({ field }) => [field, aboutName(field, kind), texts.readOnly] as const),
  ];
}

interface CommentFormProps {
  readonly workspaceId: string;
  readonly row: RowRef;
  readonly onAdded: () => void;
}

const NOTHING_TYPED = { field: null, text: '' };

/**
 * A new comment on the row or one of its fields, which is kept while other rows are shown. It takes the focus when the
 * user starts a comment elsewhere.
 */
function CommentForm({ workspaceId, row, onAdded }: CommentFormProps) {
  const { actions, store, openGrid } = useAppContext();
  const key = `${workspaceId} ${row.kind} ${row.id}`;
  const begun = useView((s) => s.commentBegun);
  const { field, text } = useView((s) => s.comments[key] ?? NOTHING_TYPED);
  const input = useRef<HTMLInputElement>(null);
  const [busy, during] = useBusy();
  const { typeComment, commentTaken } = store.getState();

  useEffect(() => {
    if (begun === null) return;
    typeComment(key, { text: store.getState().comments[key]?.text ?? '', field: begun.field });
    commentTaken();
    input.current?.focus();
  }, [begun, key, store, typeComment, commentTaken]);
  useStaysInView(input);

  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    // Enter may be held or pressed again while the comment is saved.
    if (isUnseen(text) || busy || (await during(actions.comment(row, field, text.trim()))) === null) return;
    // The next comment may have been begun by then.
    if (store.getState().comments[key]?.text === text) typeComment(key, { field, text: '' });
    onAdded();
  };
  return (
    <form onSubmit={(event) => void add(event)} className={styles['comment-form']}>
      <label className={`${styles['comment-field']} ${ui['quiet']}`}>
        {texts.about}
        <Choice
          options={commentTargets(row.kind)}
          value={field}
          onChoose={(chosen) => typeComment(key, { field: chosen, text })}
        />
      </label>
      <input
        ref={input}
        className={ui['input']}
        aria-label={texts.comment}
        placeholder={texts.comment}
        value={text}
        onChange={(event) => typeComment(key, { field, text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          typeComment(key, { field, text: '' });
          openGrid.current?.focus();
        }}
      />
      <button type="submit" className={ui['chip']} disabled={isUnseen(text)}>
        {texts.addComment}
      </button>
    </form>
  );
}

/** One comment: author, time, text, and whether it is resolved. */
function CommentLine({ comment }: { readonly comment: Comment }) {
  const { actions } = useAppContext();
  const now = useNow();
  const { id, author, text, at, resolved } = comment;
  return (
    <li className={resolved ? `${styles['comment']} ${styles['comment-resolved']}` : styles['comment']}>
      <span className={ui['quiet']}>
        {author === '' ? texts.you : author}, {timeText(at, now)}
        {resolved && ` · ${texts.resolved}`}
      </span>
      <span>{text}</span>
      <span className={styles['comment-actions']}>
        <Chip onClick={() => void actions.resolveComment(id, !resolved)}>
          {resolved ? texts.reopen : texts.resolve}
        </Chip>
        <Chip onClick={() => void actions.removeComment(id)}>{texts.removeComment}</Chip>
      </span>
    </li>
  );
}

/** Comments on one field, or with null on the row as a whole. */
interface CommentGroup {
  readonly field: string | null;
  readonly comments: readonly Comment[];
}

/**
 * Comments grouped by field: first those on the row, then fields in the order of the model, then fields of a newer
 * version that this one does not know, from a file. Within a group they keep their order.
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

/** Whether the groups need titles: not if all comments are on the row as a whole. */
export const needTitles = (groups: readonly CommentGroup[]): boolean => groups.some(({ field }) => field !== null);

import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { CHANGE_STATUSES, type ChangeStatus } from '../../../shared/api/choices.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import type { ChosenRows } from '../../../shared/api/sync.ts';
import type { Change } from '../../../shared/api/workspace.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { readWhole, usePages } from '../../app/pages.ts';
import { copyText } from '../../app/save-text.ts';
import { useMedia } from '../../app/shared-queries.ts';
import { Empty } from '../../components/Empty.tsx';
import { SearchBox } from '../../components/SearchBox.tsx';
import { VirtualList } from '../../components/VirtualList.tsx';
import { type MediaNames, valueText } from '../../grid/columns.ts';
import { en } from '../../texts/en.ts';
import { enAfterReview, enAfterReview as texts } from '../../texts/en-after-review.ts';
import { enHistory } from '../../texts/en-history.ts';
import { errorText } from '../../texts/errors.ts';
import { fieldName, KIND_NAMES } from '../../texts/fields.ts';
import { AfterReviewList } from '../sync/AfterReviewList.tsx';

/** More lines than this are no text for a message any more. */
const COPIED_MAX = 20_000;

/** What differs, as old and new values by campaign, and where each change stands; everything here can be taken back or held. */
export function ChangesTab({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const { actions, notes, store } = useAppContext();
  const [words, setWords] = useState('');
  const [lane, setLane] = useState<ChangeStatus | null>(null);
  const [ticked, setTicked] = useState<Ticked>(new Map());
  const list = usePages(
    (from, count) => api.workspace.changes.queryOptions({ input: { workspaceId, from, count, words, lane } }),
    ({ changes }) => changes,
  );
  const { names } = useMedia(workspaceId);
  const { newest } = list;
  if (newest === undefined) {
    return <div className="empty">{list.error === null ? en.grid.loading : errorText(list.error)}</div>;
  }
  if (newest.total === 0 && words === '' && lane === null)
    return <Empty title={en.drawer.noChanges} text={en.drawer.noChangesText} />;
  const revertAll = (): void => {
    const { title, text, keep, button } = en.revertAll;
    const run = (): void => void actions.revertAll();
    store.getState().show({ name: 'confirm', title, text, keep, button, run });
  };
  const copy = async (): Promise<void> => {
    const all = await readWhole(
      (from, count) => api.workspace.changes.call({ workspaceId, from, count, words, lane }),
      ({ changes }) => changes,
      COPIED_MAX,
    );
    const isCopied = await copyText(changesText(all, names));
    if (isCopied) notes.tell(enHistory.copied(all.length));
    else notes.fail(enHistory.copyFailed);
  };
  const tick = ({ kind, id }: RowRef): void =>
    setTicked((before) => {
      const after = new Map(before);
      if (!after.delete(rowKey({ kind, id }))) after.set(rowKey({ kind, id }), { kind, id });
      return after;
    });
  const chosen = { rows: idsByKind([...ticked.values()]), below: false };
  return (
    <div className="drawer-body">
      <div className="drawer-bar">
        <SearchBox label={enHistory.findChange} value={words} onChange={setWords} />
        <ChangeStatusFilter lanes={newest.lanes} lane={lane} onLane={setLane} />
        <button type="button" className="chip" onClick={() => void copy()}>
          {enHistory.copy}
        </button>
        <button type="button" className="chip" onClick={revertAll}>
          {en.drawer.revertAll}
        </button>
        {ticked.size > 0 && (
          <button type="button" className="chip" onClick={() => store.getState().show({ name: 'sync', chosen })}>
            {enHistory.syncTicked(ticked.size)}
          </button>
        )}
      </div>
      <AfterReviewList workspaceId={workspaceId} />
      {newest.total === 0 && (
        <p className="line quiet">{words === '' ? enAfterReview.noneHere : enHistory.noSuchChange}</p>
      )}
      <VirtualList
        count={newest.total}
        label={en.drawer.changes}
        resetOn={`${workspaceId} ${lane} ${words}`}
        onWant={list.want}
        line={(index) => {
          const change = list.at(index);
          if (change === undefined) return <span className="long-skeleton" />;
          return (
            <ChangeLine
              change={change}
              first={isFirst(list.at(index - 1), change)}
              media={names}
              ticked={ticked.has(rowKey(change))}
              onTick={() => tick(change)}
            />
          );
        }}
      />
    </div>
  );
}

/** The rows to sync alone, by their keys: a row of three changes has three lines and one tick. */
type Ticked = ReadonlyMap<string, RowRef>;
const rowKey = ({ kind, id }: RowRef): string => `${kind} ${id}`;

const idsByKind = (rows: readonly RowRef[]): ChosenRows['rows'] =>
  [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, refs]) => ({ kind, ids: refs.map(({ id }) => id) }));

const isFirst = (before: Change | undefined, change: Change): boolean =>
  before === undefined || groupOf(before) !== groupOf(change);

/** What a change is listed under: its campaign, or its kind where it has none. */
const groupOf = (change: Change): string => change.campaignName || KIND_NAMES[change.kind].many;

interface ChangeLineProps {
  readonly change: Change;
  /** True for the first change of its campaign, which names it. */
  readonly first: boolean;
  readonly media: MediaNames;
  /** Whether the row is among those to sync alone. */
  readonly ticked: boolean;
  readonly onTick: () => void;
}

/** One difference from the service: whose, old and new value, and what can be done about it. */
function ChangeLine({ change, first, media, ticked, onTick }: ChangeLineProps) {
  const { actions, store } = useAppContext();
  const { kind, id, field } = change;
  const text = (value: Change['before']): string => (field === null ? '' : valueText(kind, field, value, media));
  const before = text(change.before) || en.sync.emptyValue;
  const after = text(change.after) || en.sync.emptyValue;
  return (
    <div className={change.held ? 'line diff-line diff-held' : 'line diff-line'}>
      <Checkbox
        size="xs"
        checked={ticked}
        aria-label={enHistory.tick(`${KIND_NAMES[kind].one} ${change.label}`)}
        onChange={onTick}
      />
      <span className={first ? 'diff-campaign' : 'diff-campaign diff-again'}>{groupOf(change)}</span>
      <button
        type="button"
        className="line-main diff-what"
        onClick={() => store.getState().reveal(kind, change.campaignId, id, field)}
      >
        <span className="quiet">{KIND_NAMES[kind].one}</span> {change.label}
      </button>
      {change.what === 'field' ? (
        <span className="diff-values" title={`${fieldName(field ?? '', kind)}: ${before} → ${after}`}>
          <span className="quiet">{fieldName(field ?? '', kind)}</span>
          <del>
            <span className="spoken-only">{en.drawer.was} </span>
            {before}
          </del>
          <span aria-hidden="true" className="quiet">
            →
          </span>
          <ins>
            <span className="spoken-only">{en.drawer.is} </span>
            {after}
          </ins>
        </span>
      ) : (
        <span className="diff-values">
          <span className={change.what === 'new' ? 'badge badge-good' : 'badge badge-error'}>
            <span aria-hidden="true">{change.what === 'new' ? '+' : '−'}</span>
            {change.what === 'new' ? en.drawer.new : en.drawer.deleted}
          </span>
        </span>
      )}
      <span className="diff-actions">
        {change.lane !== 'ready' && (
          <span className="badge" title={enAfterReview.laneTexts[change.lane]}>
            {enAfterReview.lanes[change.lane]}
          </span>
        )}
        <button type="button" className="chip" onClick={() => void actions.hold([{ kind, id }], !change.held)}>
          {change.held ? en.drawer.release : en.drawer.hold}
        </button>
        {change.what === 'new' ? (
          <button type="button" className="chip" onClick={() => void actions.remove([{ kind, id }])}>
            {en.drawer.discard}
          </button>
        ) : (
          <button type="button" className="chip" onClick={() => void actions.revert([{ kind, id }], field)}>
            {en.drawer.revert}
          </button>
        )}
      </span>
    </div>
  );
}

interface LaneFilterProps {
  readonly lanes: Readonly<Record<ChangeStatus, number>>;
  /** The lane that is shown; null for all. */
  readonly lane: ChangeStatus | null;
  readonly onLane: (lane: ChangeStatus | null) => void;
}

/** Where the changes stand, in words and numbers; a click shows those of one lane, and again shows all. */
function ChangeStatusFilter({ lanes, lane, onLane }: LaneFilterProps) {
  return (
    <span role="group" aria-label={texts.laneFilter} className="lanes">
      {CHANGE_STATUSES.filter((each) => lanes[each] > 0 || each === lane).map((each) => (
        <button
          key={each}
          type="button"
          className="chip"
          aria-pressed={each === lane}
          title={texts.laneTexts[each]}
          onClick={() => onLane(each === lane ? null : each)}
        >
          {texts.lane(texts.lanes[each], lanes[each])}
        </button>
      ))}
    </span>
  );
}

/** Changes as lines for a message or a ticket: a heading for each campaign, below it one line a change. */
function changesText(changes: readonly Change[], media: MediaNames): string {
  const lines: string[] = [];
  let campaign: string | null = null;
  for (const change of changes) {
    if (change.campaignName !== campaign) {
      campaign = change.campaignName;
      lines.push(...(lines.length === 0 ? [] : ['']), campaign === '' ? KIND_NAMES[change.kind].many : campaign);
    }
    lines.push(`- ${KIND_NAMES[change.kind].one} ${change.label}: ${whatChanged(change, media)}`);
  }
  return lines.join('\n');
}

function whatChanged({ kind, what, field, before, after, held }: Change, media: MediaNames): string {
  const text = (value: Change['before']): string =>
    (field === null ? '' : valueText(kind, field, value, media)) || en.sync.emptyValue;
  const said =
    what === 'new'
      ? enHistory.isNew
      : what === 'deleted'
        ? enHistory.isDeleted
        : `${fieldName(field ?? '', kind)} ${text(before)} → ${text(after)}`;
  return held ? `${said} (${en.drawer.held.toLowerCase()})` : said;
}

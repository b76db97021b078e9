import { useState } from 'react';
import type { ChangeStatus } from '../../../shared/contract/change-lane.ts';
import type { RowRef } from '../../../shared/contract/scalars.ts';
import type { ChosenRows } from '../../../shared/contract/sync.ts';
import type { Change } from '../../../shared/contract/workspace.ts';
import { copyText } from '../../app/copy-text.ts';
import { useAppContext } from '../../app/desk.ts';
import { changes } from '../../data/change-questions.ts';
import { readWhole } from '../../data/paged-list.ts';
import { useMedia } from '../../data/use-media.ts';
import { usePagedList } from '../../data/use-paged-list.ts';
import { en } from '../../messages/en.ts';
import { enAfterReview } from '../../messages/en-after-review.ts';
import { enHistory } from '../../messages/en-history.ts';
import { errorText } from '../../messages/errors.ts';
import { Empty } from '../../ui/Empty.tsx';
import { VirtualList } from '../../ui/LongList.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { AfterReviewList } from '../sync/AfterReviewList.tsx';
import { ChangeLine, groupOf } from './ChangeLine.tsx';
import { changesText } from './changes-text.ts';
import { ChangeStatusFilter } from './LaneFilter.tsx';

/** More lines than this are no text for a message any more. */
const COPIED_MAX = 20_000;

/** What differs, as old and new values by campaign, and where each change stands; everything here can be taken back or held. */
export function ChangesTab({ workspaceId }: { readonly workspaceId: string }) {
  const { actions, connection, notes, store } = useAppContext();
  const [words, setWords] = useState('');
  const [lane, setLane] = useState<ChangeStatus | null>(null);
  const [ticked, setTicked] = useState<Ticked>(new Map());
  const question = changes(workspaceId, words, lane);
  const list = usePagedList(question);
  const { names } = useMedia(workspaceId);
  const newest = list.newest();
  if (newest === undefined) {
    const problem = list.problem();
    return <div className="empty">{problem === null ? en.grid.loading : errorText(problem)}</div>;
  }
  if (newest.total === 0 && words === '' && lane === null)
    return <Empty title={en.drawer.noChanges} text={en.drawer.noChangesText} />;
  const revertAll = (): void => {
    const { title, text, keep, button } = en.revertAll;
    const run = (): void => void actions.revertAll();
    store.getState().show({ name: 'confirm', title, text, keep, button, run });
  };
  const copy = async (): Promise<void> => {
    const all = await readWhole(connection.client, question, () => true, COPIED_MAX);
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
        <ChangeStatusFilter lanes={newest.facts} lane={lane} onLane={setLane} />
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

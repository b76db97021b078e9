import { useState } from 'react';
import type { Change } from '../../../shared/contract/workspace.ts';
import { copyText } from '../../app/copy-text.ts';
import { useDesk } from '../../app/desk.ts';
import { readWhole } from '../../data/paged-list.ts';
import { changes } from '../../data/questions.ts';
import { useMedia } from '../../data/use-media.ts';
import { usePagedList } from '../../data/use-paged-list.ts';
import { type MediaNames, valueText } from '../../grid/columns.ts';
import { en } from '../../messages/en.ts';
import { enHistory } from '../../messages/en-history.ts';
import { errorText } from '../../messages/errors.ts';
import { fieldName, KIND_NAMES } from '../../messages/fields.ts';
import { Empty } from '../../ui/Empty.tsx';
import { LongList } from '../../ui/LongList.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { changesText } from './changes-text.ts';

/** More lines than this are no text for a message any more. */
const COPIED_MAX = 20_000;

/** What would be sent, as old and new values by campaign; everything here can be taken back or held. */
export function ChangesTab({ workspaceId }: { readonly workspaceId: string }) {
  const { actions, connection, notes, store } = useDesk();
  const [words, setWords] = useState('');
  const question = changes(workspaceId, words);
  const list = usePagedList(question);
  const { names } = useMedia(workspaceId);
  const newest = list.newest();
  if (newest === undefined) {
    const problem = list.problem();
    return <div className="empty">{problem === null ? en.grid.loading : errorText(problem)}</div>;
  }
  if (newest.total === 0 && words === '') return <Empty title={en.drawer.noChanges} text={en.drawer.noChangesText} />;
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
  return (
    <div className="drawer-body">
      <div className="drawer-bar">
        <SearchBox label={enHistory.findChange} value={words} onChange={setWords} />
        <button type="button" className="chip" onClick={() => void copy()}>
          {enHistory.copy}
        </button>
        <button type="button" className="chip" onClick={revertAll}>
          {en.drawer.revertAll}
        </button>
      </div>
      {newest.total === 0 && <p className="line quiet">{enHistory.noSuchChange}</p>}
      <LongList
        count={newest.total}
        label={en.drawer.changes}
        resetOn={`${workspaceId} ${words}`}
        onWant={list.want}
        line={(index) => (
          <ChangeLine change={list.at(index)} first={isFirst(list.at(index - 1), list.at(index))} media={names} />
        )}
      />
    </div>
  );
}

const groupOf = (change: Change): string => change.campaignName || KIND_NAMES[change.kind].many;
const isFirst = (before: Change | undefined, change: Change | undefined): boolean =>
  before === undefined || change === undefined || groupOf(before) !== groupOf(change);

interface ChangeLineProps {
  readonly change: Change | undefined;
  /** True for the first change of its campaign, which names it. */
  readonly first: boolean;
  readonly media: MediaNames;
}

function ChangeLine({ change, first, media }: ChangeLineProps) {
  const { actions, store } = useDesk();
  if (change === undefined) return <span className="long-skeleton" />;
  const { kind, id, field } = change;
  const text = (value: Change['before']): string => (field === null ? '' : valueText(kind, field, value, media));
  const before = text(change.before) || en.sync.emptyValue;
  const after = text(change.after) || en.sync.emptyValue;
  return (
    <div className={change.held ? 'line diff-line diff-held' : 'line diff-line'}>
      <span className={first ? 'diff-campaign' : 'diff-campaign diff-again'}>{groupOf(change)}</span>
      <button
        type="button"
        className="line-main diff-what"
        onClick={() => store.getState().reveal(kind, change.campaignId, id, field)}
      >
        <span className="quiet">{KIND_NAMES[kind].one}</span> {change.label}
      </button>
      {change.what === 'field' ? (
        <span className="diff-values" title={`${fieldName(field ?? '')}: ${before} → ${after}`}>
          <span className="quiet">{fieldName(field ?? '')}</span>
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
        {change.held && <span className="badge">{en.drawer.held}</span>}
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

import { Checkbox } from '@mantine/core';
import type { Change } from '../../../shared/contract/workspace.ts';
import { useAppContext } from '../../app/desk.ts';
import { type MediaNames, valueText } from '../../grid/columns.ts';
import { en } from '../../messages/en.ts';
import { enAfterReview } from '../../messages/en-after-review.ts';
import { enHistory } from '../../messages/en-history.ts';
import { fieldName, KIND_NAMES } from '../../messages/fields.ts';

/** What a change is listed under: its campaign, or its kind where it has none. */
export const groupOf = (change: Change): string => change.campaignName || KIND_NAMES[change.kind].many;

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
export function ChangeLine({ change, first, media, ticked, onTick }: ChangeLineProps) {
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

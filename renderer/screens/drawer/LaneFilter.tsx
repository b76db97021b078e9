import { CHANGE_STATUSES, type ChangeStatus } from '../../../shared/contract/change-lane.ts';
import { enAfterReview as texts } from '../../messages/en-after-review.ts';

interface LaneFilterProps {
  readonly lanes: Readonly<Record<ChangeStatus, number>>;
  /** The lane that is shown; null for all. */
  readonly lane: ChangeStatus | null;
  readonly onLane: (lane: ChangeStatus | null) => void;
}

/** Where the changes stand, in words and numbers; a click shows those of one lane, and again shows all. */
export function ChangeStatusFilter({ lanes, lane, onLane }: LaneFilterProps) {
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

import type { Launch } from '../../../shared/contract/launch.ts';
import { plainDate } from '../../../shared/model/plain-date.ts';
import type { PlainDate } from '../../../shared/model/scalars.ts';
import { useAppContext } from '../../app/desk.ts';
import { enLaunch } from '../../messages/en-launch.ts';
import { estimatedText, stateText } from '../../messages/fields.ts';
import { fullDayText, momentText } from '../../messages/numbers.ts';
import { StatusDot, toneOf } from '../../ui/StateDot.tsx';
import { LaunchStep } from './LaunchStep.tsx';
import { dayPlace, placeOf, type Span, segmentsOf } from './timeline.ts';

interface LaunchLineProps {
  readonly launch: Launch | undefined;
  readonly span: Span;
  readonly today: PlainDate;
  readonly reviewDays: number;
  readonly mediaMinutes: number;
}

/** One campaign: its state, the cheapest missing step, and its way on the calendar. */
export function LaunchLine({ launch, span, today, reviewDays, mediaMinutes }: LaunchLineProps) {
  const { store } = useAppContext();
  if (launch === undefined) return <span className="long-skeleton" />;
  const { state, stateSource, asOf } = launch;
  const segments = segmentsOf(launch, { today, reviewDays, mediaMinutes });
  const submitBy = plainDate(launch.submitBy ?? '');
  const mark =
    submitBy === null || (launch.missing.length === 0 && !launch.needsReview) ? null : dayPlace(submitBy, span);
  const deadline =
    launch.submitBy === null ? '' : launch.isLate ? enLaunch.late(launch.submitBy) : enLaunch.submitBy(launch.submitBy);
  return (
    <div className="launch-line">
      <span className="launch-name">
        <button
          type="button"
          className="link"
          title={launch.name}
          onClick={() => store.getState().reveal('campaign', launch.campaignId, launch.campaignId, null)}
        >
          {launch.name}
        </button>
        <span
          className="launch-state"
          title={stateSource === 'estimated' ? estimatedText(asOf === null ? null : momentText(asOf)) : undefined}
        >
          <StatusDot tone={toneOf(state)} text={stateText(state, stateSource)} />
        </span>
      </span>
      <LaunchStep launch={launch} />
      <span className="launch-bars">
        {segments.map((segment) => {
          const place = placeOf(segment, span);
          if (place === null) return null;
          const name = enLaunch.segments[segment.what];
          const to = segment.to.startsWith('9999') ? enLaunch.open : fullDayText(segment.to);
          return (
            <span
              key={segment.what}
              className={`launch-bar launch-${segment.what}`}
              style={{ left: `${place.left}%`, width: `${place.width}%` }}
              title={enLaunch.segment(name, fullDayText(segment.from), to)}
            >
              <span className="launch-word">{name}</span>
            </span>
          );
        })}
        {mark !== null && (
          <span
            className={launch.isLate ? 'launch-deadline launch-late' : 'launch-deadline'}
            style={{ left: `${mark}%` }}
            title={deadline}
          />
        )}
        {launch.startDate === null && <span className="quiet">{enLaunch.noDate}</span>}
        <span className="spoken-only">{deadline}</span>
        {launch.isLate && (
          <span className="badge badge-error launch-note" title={deadline}>
            <span aria-hidden="true">!</span> {enLaunch.submitBy(launch.submitBy ?? '')}
          </span>
        )}
      </span>
    </div>
  );
}

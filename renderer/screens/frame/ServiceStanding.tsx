import { useEffect } from 'react';
import { useAppContext } from '../../app/desk.ts';
import { standing } from '../../data/account-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { useServiceReachability } from '../../data/use-service-line.ts';
import { enNotifications } from '../../messages/en-news.ts';
import { timeText } from '../../messages/numbers.ts';
import { StatusDot } from '../../ui/StateDot.tsx';
import { useNow } from '../../ui/use-now.ts';

const texts = enNotifications.status;

/** The line to the service: network, what this hour still allows, when reviews are looked at next. */
export function ServiceStatus({
  workspaceId,
  practice,
}: {
  readonly workspaceId: string;
  readonly practice: boolean;
}) {
  const { queries } = useAppContext();
  const now = useNow();
  const state = useServiceReachability(workspaceId);
  const question = standing(workspaceId);
  const { data } = useQuery(question);
  // The budget fills up and looks come round without an event, so the figures are renewed with the clock.
  // biome-ignore lint/correctness/useExhaustiveDependencies: every tick of the clock is a reason to ask.
  useEffect(() => queries.refetch(question.key), [queries, question.key, now]);
  return (
    <>
      {practice ? (
        <span className="status-item" title={texts.practiceText}>
          <StatusDot tone="good" text={texts.practice} />
        </span>
      ) : (
        <span
          className={state === 'online' ? 'status-item' : 'status-item note-warning'}
          title={state === 'online' ? undefined : texts[`${state}Text`]}
          role="status"
        >
          <StatusDot tone={state === 'online' ? 'good' : 'off'} text={texts[state]} />
        </span>
      )}
      {data !== undefined && data.lowSpaceBytes !== null && (
        <span className="status-item note-warning" title={texts.lowSpaceText} role="status">
          <StatusDot tone="bad" text={texts.lowSpace(data.lowSpaceBytes)} />
        </span>
      )}
      {data !== undefined && (
        <>
          <span className="status-item status-wide numeric" title={texts.budgetText}>
            {texts.budget(data.budgetLeft, data.budgetPerHour)}
          </span>
          <span className="status-item status-wide" title={texts.nextPollText}>
            {data.nextPollAt === null ? texts.looking : texts.nextPoll(timeText(data.nextPollAt, now))}
          </span>
        </>
      )}
    </>
  );
}

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { plainDate } from '../../../shared/model/plain-date.ts';
import { useActions, useApi } from '../../app/app-context.ts';
import { choiceName } from '../../app/field-names.ts';
import { momentTextIn } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { ClockSteps, practiceActions, useClockMove } from '../../app/practice-clock.tsx';
import { DayInput } from '../../components/DayInput.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import styles from './settings.module.css';

const texts = {
  now: 'Practice time',
  text: 'The practice account has its own clock. Move it ahead to see what would happen over days.',
  day: 'Date',
  moveTo: 'Move to this date',
  reviews: 'Open reviews',
  noReviews: 'No open reviews.',
  approve: 'Approve',
  reject: 'Reject',
} as const;

/** The practice clock, and decisions on practice reviews. */
export function PracticeSection({ workspaceId }: { readonly workspaceId: string }) {
  const actions = useActions(practiceActions);
  const state = useQuery(useApi().practice.state.queryOptions({ input: { workspaceId } }));
  const [busy, during] = useBusy();
  const [moving, move] = useClockMove();
  const decide = async (reviewId: string, verdict: 'approved' | 'rejected'): Promise<void> => {
    await during(actions.decideReview(reviewId, verdict));
  };
  const { data } = state;
  return (
    <>
      <p className={ui['quiet']}>{texts.text}</p>
      <Problem of={state.error} />
      {data !== undefined && (
        <>
          <p className={styles['practice-now']}>
            <span className={ui['quiet']}>{texts.now}</span>{' '}
            <strong className={ui['numeric']}>{momentTextIn(data.now, data.zone)}</strong>
          </p>
          <ClockSteps />
          <MoveTo now={data.now} busy={moving} onMove={(duration) => void move(duration)} />
          <h2>{texts.reviews}</h2>
          {data.openReviews.length === 0 && <p className={ui['quiet']}>{texts.noReviews}</p>}
          <ul className={ui['lines']} hidden={data.openReviews.length === 0}>
            {data.openReviews.map((review) => (
              <li key={review.reviewId} className={ui['line']}>
                <span className={ui['line-text']}>
                  {review.campaign} <span className={ui['quiet']}>{choiceName(review.status)}</span>
                </span>
                <Button disabled={busy} onClick={() => void decide(review.reviewId, 'approved')}>
                  {texts.approve}
                </Button>
                <Button disabled={busy} onClick={() => void decide(review.reviewId, 'rejected')}>
                  {texts.reject}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

interface MoveToProps {
  readonly now: string;
  readonly busy: boolean;
  readonly onMove: (duration: string) => void;
}

/**
 * Moves the clock to a day, for example the start or end of a campaign. It is then noon UTC, which is that day in
 * America and in Europe.
 */
function MoveTo({ now, busy, onMove }: MoveToProps) {
  const [day, setDay] = useState('');
  const aheadMs = plainDate(day) === null ? 0 : Date.parse(`${day}T12:00:00Z`) - Date.parse(now);
  return (
    <form
      className={`${ui['answer']} ${styles['practice-to']}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (aheadMs > 0) onMove(`PT${Math.ceil(aheadMs / 1000)}S`);
      }}
    >
      <DayInput aria-label={texts.day} aria-invalid={day !== '' && aheadMs <= 0} value={day} onChange={setDay} />
      <Button type="submit" disabled={busy || aheadMs <= 0}>
        {texts.moveTo}
      </Button>
    </form>
  );
}

import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { plainDate } from '../../../shared/model/plain-date.ts';
import { type ActionContext, runAction } from '../../app/actions.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { errorText } from '../../app/error-text.ts';
import { choiceName } from '../../app/field-names.ts';
import { momentText } from '../../app/locale/numbers.ts';
import { DayInput } from '../../components/DayInput.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import styles from './settings.module.css';

const texts = {
  now: 'Practice time',
  text: 'The practice account has its own clock. Move it ahead to see what would happen over days.',
  steps: [
    ['PT30M', '+30 min'],
    ['P1D', '+1 day'],
    ['P3D', '+3 days'],
  ] as readonly (readonly [string, string])[],
  day: 'Date',
  moveTo: 'Move to this date',
  reviews: 'Open reviews',
  noReviews: 'No open reviews.',
  approve: 'Approve',
  reject: 'Reject',
  moved: (time: string) => `Practice time is now ${time}`,
} as const;

/** The practice service's clock and its reviewers, both in the user's hand. */
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
      {state.error !== null && <p className={ui['note-error']}>{errorText(state.error)}</p>}
      {data !== undefined && (
        <>
          <p className={styles['practice-now']}>
            <span className={ui['quiet']}>{texts.now}</span>{' '}
            <strong className={ui['numeric']}>{momentText(data.now)}</strong>
          </p>
          <ClockSteps />
          <MoveTo now={data.now} busy={moving} onMove={(duration) => void move(duration)} />
          <h2>{texts.reviews}</h2>
          {data.openReviews.length === 0 && <p className={ui['quiet']}>{texts.noReviews}</p>}
          <ul className={ui['lines']}>
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

/** Moves the practice clock, and says where it is then. */
function useClockMove(): readonly [boolean, (duration: string) => Promise<void>] {
  const actions = useActions(practiceActions);
  const { announce } = useAppContext().store.getState();
  const [busy, during] = useBusy();
  const move = async (duration: string): Promise<void> => {
    const now = await during(actions.movePracticeClock(duration));
    if (now !== null) announce(texts.moved(momentText(now)));
  };
  return [busy, move];
}

/** The steps of the practice clock that a user needs most, a button each. */
export function ClockSteps() {
  const [busy, move] = useClockMove();
  return (
    <Group gap="xs">
      {texts.steps.map(([duration, name]) => (
        <Button key={duration} size="xs" disabled={busy} onClick={() => void move(duration)}>
          {name}
        </Button>
      ))}
    </Group>
  );
}

interface MoveToProps {
  readonly now: string;
  readonly busy: boolean;
  readonly onMove: (duration: string) => void;
}

/**
 * Moves the clock to a day: the start of a campaign, the end of a flight. It comes to noon of Greenwich, when it is that
 * day in America as well as in Europe.
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

/** The practice service has moved on, so what is here is read anew at once. */
function practiceActions(doing: ActionContext) {
  const { client } = doing.connection;
  const done = async (call: (workspaceId: string) => Promise<unknown>): Promise<boolean> =>
    (await runAction(doing, call)) !== null;
  return {
    movePracticeClock: async (duration: string) => {
      const state = await runAction(doing, (workspaceId) => client.practice.advance({ workspaceId, duration }));
      if (state !== null) await done((workspaceId) => client.sync.refresh({ workspaceId }));
      return state?.now ?? null;
    },
    decideReview: async (reviewId: string, verdict: 'approved' | 'rejected') => {
      const decided = await done((workspaceId) => client.practice.decide({ workspaceId, reviewId, verdict }));
      if (decided) await done((workspaceId) => client.sync.refresh({ workspaceId }));
      return decided;
    },
  };
}

import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { useDesk } from '../../app/desk.ts';
import { practice } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { errorText } from '../../messages/errors.ts';
import { choiceName } from '../../messages/fields.ts';

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short' });

/** The practice service's clock and its reviewers, both in the user's hand. */
export function PracticeDialog({ workspaceId }: { readonly workspaceId: string }) {
  const { store, actions } = useDesk();
  const { dismiss, announce } = store.getState();
  const state = useQuery(practice(workspaceId));
  const [busy, setBusy] = useState(false);
  const shown = (iso: string): string => moment.format(Date.parse(iso));

  const move = async (duration: string): Promise<void> => {
    setBusy(true);
    const now = await actions.movePracticeClock(duration);
    setBusy(false);
    if (now !== null) announce(en.practice.moved(shown(now)));
  };
  const decide = async (reviewId: string, verdict: 'approved' | 'rejected'): Promise<void> => {
    setBusy(true);
    await actions.decideReview(reviewId, verdict);
    setBusy(false);
  };
  const { data } = state;
  return (
    <Modal opened onClose={dismiss} title={en.practice.title} size="md">
      <p className="quiet">{en.practice.text}</p>
      {state.error !== null && <p className="note-error">{errorText(state.error)}</p>}
      {data !== undefined && (
        <>
          <p className="practice-now">
            <span className="quiet">{en.practice.now}</span> <strong className="numeric">{shown(data.now)}</strong>
          </p>
          <Group gap="xs">
            {en.practice.steps.map(([duration, name], i) => (
              <Button key={duration} disabled={busy} data-autofocus={i === 0} onClick={() => void move(duration)}>
                {name}
              </Button>
            ))}
          </Group>
          <h3 className="group-title">{en.practice.reviews}</h3>
          {data.openReviews.length === 0 && <p className="quiet">{en.practice.noReviews}</p>}
          <ul className="lines">
            {data.openReviews.map((review) => (
              <li key={review.reviewId} className="line">
                <span className="line-text">
                  {review.campaign} <span className="quiet">{choiceName(review.status)}</span>
                </span>
                <Button disabled={busy} onClick={() => void decide(review.reviewId, 'approved')}>
                  {en.practice.approve}
                </Button>
                <Button disabled={busy} onClick={() => void decide(review.reviewId, 'rejected')}>
                  {en.practice.reject}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Modal>
  );
}

import { Fragment, useState } from 'react';
import type { Review } from '../../../shared/contract/sync.ts';
import type { Rejection } from '../../../shared/contract/verdicts.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import { useAppContext } from '../../app/desk.ts';
import { reviews as reviewsOf } from '../../data/questions.ts';
import { rejections } from '../../data/review-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { enLaunch } from '../../messages/en-launch.ts';
import { errorText } from '../../messages/errors.ts';
import { choiceName, KIND_NAMES } from '../../messages/fields.ts';
import { Empty } from '../../ui/Empty.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { StatusDot, toneOf } from '../../ui/StateDot.tsx';
import { OfflineNotice } from '../frame/WaitingForNetwork.tsx';
import { RejectionHistory } from './RejectedSoFar.tsx';
import { groupOf, groupsOf, holdsWords, isRejected } from './review-groups.ts';
import { WhatChanged } from './WhatChanged.tsx';

/** The inbox of reviews: what was rejected and why, what is under way, what is through. */
export function ReviewsTab({ workspaceId }: { readonly workspaceId: string }) {
  const { actions } = useAppContext();
  const [words, setWords] = useState('');
  const answer = useQuery(reviewsOf(workspaceId));
  const kept = useQuery(rejections(workspaceId, '')).data?.rejections;
  if (answer.data === undefined) {
    return <div className="empty">{answer.error === null ? en.grid.loading : errorText(answer.error)}</div>;
  }
  const latest = new Map(
    (kept ?? []).toReversed().map(({ kind, remoteId, changes }) => [`${kind} ${remoteId}`, changes]),
  );
  if (answer.data.length === 0 && latest.size === 0)
    return <Empty title={enLaunch.reviews.none} text={enLaunch.reviews.noneText} />;
  const found = answer.data.filter((review) => holdsWords(review, words));
  const rejected = answer.data.filter((review) => groupOf(review) === 'rejected').map(({ campaignId }) => campaignId);
  return (
    <div className="reviews">
      <OfflineNotice />
      <div className="drawer-bar">
        <SearchBox label={enLaunch.reviews.find} value={words} onChange={setWords} />
        <button type="button" className="chip" onClick={() => void actions.pollReviews()}>
          {enLaunch.reviews.poll}
        </button>
        {rejected.length > 1 && (
          <button
            type="button"
            className="chip"
            title={enLaunch.reviews.unchanged}
            onClick={() => void actions.reviewAgain(rejected)}
          >
            {enLaunch.reviews.allAgain}
          </button>
        )}
      </div>
      {found.length === 0 && <p className="line quiet">{enLaunch.reviews.notFound}</p>}
      {groupsOf(found).map(({ group, reviews }) => (
        <section key={group}>
          <h2 className="group-title">
            {enLaunch.reviews[group]} <span className="badge">{reviews.length}</span>
          </h2>
          <ul className="lines">
            {reviews.map((review) => (
              <ReviewCard key={`${review.adGroupId} ${review.reviewId}`} review={review} changes={latest} />
            ))}
          </ul>
        </section>
      ))}
      <RejectionHistory workspaceId={workspaceId} words={words} />
    </div>
  );
}

interface ReviewCardProps {
  readonly review: Review;
  /** What changed until the newest rejection of a part, by its kind and id on the service. */
  readonly changes: ReadonlyMap<string, Rejection['changes']>;
}

function ReviewCard({ review, changes }: ReviewCardProps) {
  const { store, actions } = useAppContext();
  const { campaignId, adGroupId, campaign, status } = review;
  const rejected = review.components.filter(isRejected);
  const approved = review.components.filter((component) => component.status === 'approved').length;
  const isOpen = status === 'pending' || status === 'in-progress';
  return (
    <li className="review">
      <div className="review-head">
        <button
          type="button"
          className="link"
          onClick={() => store.getState().reveal('adGroup', campaignId, adGroupId, 'reviewStatus')}
        >
          {campaign}
        </button>
        <StatusDot tone={toneOf(status)} text={choiceName(status)} />
        {approved > 0 && <span className="quiet">{enLaunch.reviews.approvedParts(approved)}</span>}
        <span className="toolbar-gap" />
        {isOpen && (
          <button
            type="button"
            className="chip"
            title={enLaunch.reviews.cancelText}
            onClick={() => void actions.review('cancel', [campaignId])}
          >
            {enLaunch.reviews.cancel}
          </button>
        )}
        {rejected.length > 0 && !isOpen && (
          <button
            type="button"
            className="chip"
            title={enLaunch.reviews.unchanged}
            onClick={() => void actions.reviewAgain([campaignId])}
          >
            {enLaunch.reviews.again}
          </button>
        )}
      </div>
      {rejected.map((component) => {
        const kind = KINDS.find((each) => each === component.type);
        const name = kind === undefined ? component.type : KIND_NAMES[kind].one;
        return (
          <Fragment key={`${component.type} ${component.id}`}>
            <div className="review-reason review-part">
              <span className="grid-mark-error" aria-hidden="true">
                ✕
              </span>
              <span className="quiet">{name}</span>
              <span className="review-row" title={`${component.label} · ${component.id}`}>
                {component.label}
              </span>
              <span className="review-text">{component.reason ?? enLaunch.reviews.noReason}</span>
              {kind !== undefined && (
                <button
                  type="button"
                  className="chip"
                  onClick={() => {
                    store.getState().goTo({ kind, campaignId });
                    store.getState().setOnly('rejected');
                  }}
                >
                  {enLaunch.reviews.goTo}
                </button>
              )}
            </div>
            <WhatChanged changes={changes.get(`${component.type} ${component.id}`) ?? null} />
          </Fragment>
        );
      })}
    </li>
  );
}

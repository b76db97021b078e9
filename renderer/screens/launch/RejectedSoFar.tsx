import type { Rejection } from '../../../shared/contract/verdicts.ts';
import { useAppContext } from '../../app/desk.ts';
import { rejections as rejectionsOf } from '../../data/review-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enRejections } from '../../messages/en-rejections.ts';
import { KIND_NAMES } from '../../messages/fields.ts';
import { dayText } from '../../messages/numbers.ts';
import { WhatChanged } from './WhatChanged.tsx';

interface RejectedSoFarProps {
  readonly workspaceId: string;
  readonly words: string;
}

/** Everything a review has rejected, across campaigns and after resubmission, with what it saw. */
export function RejectionHistory({ workspaceId, words }: RejectedSoFarProps) {
  const kept = useQuery(rejectionsOf(workspaceId, words)).data;
  if (kept === undefined || kept.total === 0) return null;
  const left = kept.total - kept.rejections.length;
  return (
    <section aria-label={enRejections.title}>
      <h2 className="group-title">
        {enRejections.title} <span className="badge">{kept.total}</span>
      </h2>
      <p className="line quiet">{enRejections.hint}</p>
      <ul className="lines">
        {kept.rejections.map((rejection) => (
          <RejectionCard key={rejection.number} rejection={rejection} />
        ))}
      </ul>
      {left > 0 && <p className="line quiet">{enRejections.more(left)}</p>}
    </section>
  );
}

function RejectionCard({ rejection }: { readonly rejection: Rejection }) {
  const { store } = useAppContext();
  const { kind, id, campaignId, campaign, creative, isThere, reason, day } = rejection;
  const words = [creative.headline, creative.brand, creative.clickUrl, creative.fileName].filter(
    (text) => text !== null,
  );
  return (
    <li className="review">
      <div className="review-head">
        {isThere ? (
          <button
            type="button"
            className="link"
            onClick={() => store.getState().reveal(kind, campaignId, id, kind === 'sbaProfile' ? 'headline' : 'video')}
          >
            {campaign}
          </button>
        ) : (
          <span>{campaign}</span>
        )}
        <span className="quiet">{KIND_NAMES[kind].one}</span>
        <span className="toolbar-gap" />
        <span className="quiet">{enRejections.on(dayText(day))}</span>
      </div>
      <div className="review-reason">
        <span className="grid-mark-error" aria-hidden="true">
          ✕
        </span>
        <span className="review-text">{reason ?? enRejections.noReason}</span>
      </div>
      <p className="review-creative">{words.join(' · ')}</p>
      <WhatChanged changes={rejection.changes} />
    </li>
  );
}

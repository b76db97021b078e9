import type { Review } from '../../../shared/api/reviews.ts';
import { useAppContext } from '../../app/app-context.ts';
import { StatusDot, toneOf } from '../../components/StatusDot.tsx';
import { en } from '../../texts/en.ts';
import { choiceName } from '../../texts/fields.ts';

/** Reviews by campaign; a rejection shows its reasons and leads to the rejected rows. */
export function Reviews({ reviews }: { readonly reviews: readonly Review[] }) {
  const { store } = useAppContext();
  return (
    <section>
      <h2 className="group-title">{en.sync.reviewsTitle}</h2>
      <ul className="lines">
        {reviews.map((review) => (
          <li key={review.reviewId} className="line">
            <button
              type="button"
              className="line-main"
              onClick={() => store.getState().reveal('adGroup', review.campaignId, review.adGroupId, 'reviewStatus')}
            >
              <span className="line-text">{review.campaign}</span>
              <span className="line-where quiet">
                {review.components
                  .filter((component) => component.reason !== null)
                  .map((component) => `${component.type}: ${component.reason}`)
                  .join(' · ')}
              </span>
            </button>
            <StatusDot tone={toneOf(review.status)} text={choiceName(review.status)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

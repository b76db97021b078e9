import type { Review } from '../../../shared/api/reviews.ts';
import { useAppContext } from '../../app/app-context.ts';
import { choiceName } from '../../app/field-names.ts';
import { StatusDot, toneOf } from '../../components/StatusDot.tsx';
import ui from '../../components/ui.module.css';

const texts = {
  reviewsTitle: 'Reviews',
} as const;

/** Reviews by campaign; a rejection shows its reasons and leads to the rejected rows. */
export function Reviews({ reviews }: { readonly reviews: readonly Review[] }) {
  const { store } = useAppContext();
  return (
    <section>
      <h2 className={ui['group-title']}>{texts.reviewsTitle}</h2>
      <ul className={ui['lines']}>
        {reviews.map((review) => (
          <li key={review.reviewId} className={ui['line']}>
            <button
              type="button"
              className={ui['line-main']}
              onClick={() => store.getState().reveal('adGroup', review.campaignId, review.adGroupId, 'reviewStatus')}
            >
              <span className={ui['line-text']}>{review.campaign}</span>
              <span className={`${ui['line-where']} ${ui['quiet']}`}>
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

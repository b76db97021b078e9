import { fieldOf, isFields, readId, readText, readWord } from '../fields.ts';
import { ownMessages } from '../messages.ts';
import { Refusal } from '../refusal.ts';
import { type Decision, decideReview, findReview, isOpen, openComponents } from '../resources/review-decisions.ts';
import { showReview } from '../resources/reviews.ts';
import type { Service } from '../service.ts';
import { type ControlCall, type ControlRoute, fieldsOf, idOf } from './route.ts';

/** `POST /sandbox/reviews/{reviewId}/decide`: a reviewer decides now instead of when the clock comes round. */
export const reviewControlRoutes: readonly ControlRoute[] = [
  { method: 'POST', path: '/sandbox/reviews/:reviewId/decide', handle: decide },
];

const outcomes = ['approved', 'rejected'] as const;

function decide(service: Service, call: ControlCall): unknown {
  const review = findReview(service, idOf(call, 'reviewId'));
  if (review === undefined) throw new Refusal(404, ownMessages.reviewNotFound);
  if (!isOpen(review)) throw new Refusal(409, `Review is ${review.status}`);
  const fields = fieldsOf(call);
  const all = readWord(fields, 'all', outcomes);
  const open = openComponents(service, review.review_id);
  const reason = readText(fields, 'reason');
  const decisions =
    all === null
      ? readDecisions(fieldOf(fields, 'components'), open)
      : open.map((component): Decision => ({ ...component, status: all, reason }));
  service.store.inTransaction(() => decideReview(service, review, decisions));
  const decided = findReview(service, review.review_id) ?? review;
  return showReview(service, decided);
}

function readDecisions(value: unknown, open: ReturnType<typeof openComponents>): readonly Decision[] {
  if (!Array.isArray(value)) throw new Refusal(400, 'Send all or components');
  return value.map((entry: unknown) => {
    if (!isFields(entry)) throw new Refusal(400, 'A component is an object with type, id, status and reason');
    const type = readText(entry, 'type');
    const id = readId(entry, 'id');
    const component = open.find((candidate) => candidate.type === type && candidate.id === id);
    if (component === undefined) throw new Refusal(400, `The review has no open component ${type} ${id}`);
    const status = readWord(entry, 'status', outcomes);
    if (status === null) throw new Refusal(400, 'status must be approved or rejected');
    return { ...component, status, reason: readText(entry, 'reason') };
  });
}

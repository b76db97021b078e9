import { changesAfterReview } from '../sync/reviews.ts';
import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const afterReviewRouter = ({ open }: CoreParts) => ({
  list: os.afterReview.list.handler(async ({ input, errors }) =>
    changesAfterReview(await opened(open, input.workspaceId, errors)),
  ),
});

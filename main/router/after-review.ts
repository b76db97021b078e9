import { editsAfterReview } from '../sync/after-review.ts';
import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const afterReviewRouter = ({ open }: CoreParts) => ({
  list: os.afterReview.list.handler(async ({ input, errors }) =>
    editsAfterReview(await opened(open, input.workspaceId, errors)),
  ),
});

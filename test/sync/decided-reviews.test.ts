import { expect, test } from 'vitest';
import { newReviewResults } from '../../main/sync/reviews.ts';
import type { Review } from '../../shared/api/reviews.ts';
import { asRowId } from '../../shared/model/scalars.ts';

const review = (group: number, status: string, reviewId = `r${group}`): Review => ({
  campaignId: asRowId(1),
  adGroupId: asRowId(group),
  campaign: 'Spring',
  reviewId,
  status,
  components: [],
});

test('reviews that were decided between two looks are counted by how', () => {
  const before = [review(1, 'pending'), review(2, 'in-progress'), review(3, 'approved'), review(4, 'pending')];
  const after = [review(1, 'approved'), review(2, 'rejected'), review(3, 'approved'), review(4, 'in-progress')];
  expect(newReviewResults(before, after)).toEqual({ approved: 1, rejected: 1 });
});

test('a look that finds nothing new counts nothing', () => {
  const reviews = [review(1, 'rejected'), review(2, 'pending')];
  expect(newReviewResults(reviews, reviews)).toEqual({ approved: 0, rejected: 0 });
});

test('a second review of the same ad group counts again, and so does one that was not there before', () => {
  expect(newReviewResults([review(1, 'rejected')], [review(1, 'rejected', 'r9'), review(2, 'approved')])).toEqual({
    approved: 1,
    rejected: 1,
  });
});

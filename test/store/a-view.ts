import type { ViewSpec } from '../../shared/api/workspace.ts';

// In a file of its own: a process whose memory is measured should load nothing else of ours.

/** All keywords in their order, but for these changes. */
export const aView = (changes: Partial<ViewSpec> = {}): ViewSpec => ({
  kind: 'keyword',
  filter: '',
  sort: [],
  campaignId: null,
  only: 'all',
  ...changes,
});

import type { Rejection } from '../../shared/contract/verdicts.ts';
import { changedOrSynced } from './outdated.ts';
import type { Question } from './query-cache.ts';

/** So many are shown at once; with words the rest is found. */
export const REJECTIONS_SHOWN = 100;

export interface Rejections {
  readonly total: number;
  readonly rejections: readonly Rejection[];
}

/** What reviews have rejected in this account, newest first, whatever became of it. */
export const rejections = (workspaceId: string, words: string): Question<Rejections> => ({
  key: `rejections ${workspaceId} ${words}`,
  read: (client) => client.verdicts.rejections({ workspaceId, from: 0, count: REJECTIONS_SHOWN, words }),
  outdatedBy: changedOrSynced(workspaceId),
});

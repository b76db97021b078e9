import type { Contract } from '../../../shared/api/contract.ts';
import type { Implementations } from '../../../shared/api/operation.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { previewPaste } from '../bulk/paste.ts';
import { readLog } from '../history/read-log.ts';
import { readLabels } from '../notes/read-notes.ts';
import { sentRequest, sentRequests } from '../outbox/requests.ts';
import { listRemoteIds, localCampaigns } from '../remote/remote-ids.ts';
import { readRejections } from '../reviews/review-history.ts';
import { readLimits } from '../rows/words-in-use.ts';
import { readRowsAt } from './comparisons.ts';
import type { ReaderContext } from './context.ts';
import { readDetail } from './detail.ts';
import { findDuplicates } from './duplicates.ts';
import { readImpacts } from './effects.ts';
import { readKeywordOverlap, readSharedKeywords } from './keyword-overlap.ts';
import { previewTool } from './preview-tool.ts';
import { reads } from './reads.ts';
import { campaignChanges } from './summary.ts';
import { readColumnValues } from './view-values.ts';

const orNoView = <T>(viewId: number, found: T | null): Result<T, ReturnType<typeof noView>['error']> =>
  found === null ? noView(viewId) : ok(found);
const noView = (viewId: number) => fail('NO_VIEW', { viewId });

/** Operations of the contract that run in the reader thread. */
export const readerOperations: Implementations<Contract, 'reader', ReaderContext> = {
  workspace: {
    summary: (context) => ok(reads.summary(context)),
    campaignChanges: ({ db }, { ids }) => ok({ campaigns: campaignChanges(db, ids) }),
    readWindow: (context, { viewId, from, count }) => orNoView(viewId, reads.readWindow(context, viewId, from, count)),
    closeView: (context, { viewId }) => {
      reads.closeView(context, viewId);
      return ok({});
    },
    row: ({ db, issues, nowMs }, { ref }) => {
      const detail = readDetail(db, issues, nowMs, ref);
      return detail === null ? fail('NO_ROW', ref) : ok(detail);
    },
    impacts: ({ db }, { kind, ids }) => ok({ rows: readImpacts(db, kind, ids) }),
    // Yields to other calls in between.
    rowIssues: async ({ issues, nowMs }, { kind, ids }) => ok({ issues: await issues.ofRows(nowMs, kind, ids) }),
    history: (context, { from, count, words, member }) => ok(reads.history(context, from, count, words, member)),
    changes: ({ changes }, { from, count, words, lane }) => ok(changes(from, count, words, lane)),
  },
  bulk: {
    // Yields to other calls in between.
    preview: async (context, { scope, tool, count }) => {
      const rows = reads.scopeRows(context, scope);
      return rows.ok ? previewTool(context, rows.value, tool, count) : rows;
    },
  },
  paste: {
    preview: ({ db, profile }, { paste, from, count }) => previewPaste(db, paste, readLimits(db, profile), from, count),
  },
  views: {
    text: ({ views }, { viewId, from, count, ...wish }) => views.text(viewId, from, count, wish) ?? noView(viewId),
    // Yields to other calls in between.
    duplicates: async ({ db, profile }, search) => ok(await findDuplicates(db, profile, search)),
    keywordOverlap: async ({ db, profile }) => ok(await readKeywordOverlap(db, profile)),
    sharedKeywords: ({ db }, { campaignIds }) => ok(readSharedKeywords(db, campaignIds)),
    outline: ({ views }, { viewId }) => {
      const outline = views.outline(viewId);
      return outline === null ? noView(viewId) : ok({ from: [...outline.from], keys: [...outline.keys] });
    },
    place: ({ views }, { viewId, id }) => orNoView(viewId, views.place(viewId, id)),
    sizes: async ({ viewSizes }, { views }) => ok({ sizes: await viewSizes(views) }),
    values: ({ db }, { view, field, words }) => {
      const found = readColumnValues(db, view, field, words);
      return found.ok ? found : fail('BAD_FILTER', found.error);
    },
    counts: ({ viewCounts }, { kind, campaignId }) => ok(viewCounts(kind, campaignId)),
  },
  history: {
    rowsAt: ({ db }, { from, count, ...query }) => {
      const page = readRowsAt(db, query, from, count);
      return page === null ? fail('NO_MOMENT', { step: query.step }) : ok(page);
    },
    log: ({ db }, { from, count, ...filter }) => ok(readLog(db, from, count, filter)),
  },
  notes: {
    labels: ({ db }) => ok(readLabels(db)),
    comments: (context, { ref, resolved }) => ok(reads.comments(context, ref, resolved)),
  },
  requests: {
    list: ({ db }, search) => ok(sentRequests(db, search)),
    get: ({ db }, { id }) => ok(sentRequest(db, id)),
  },
  rejections: {
    list: ({ db, profile }, { from, count, words }) =>
      ok(readRejections(db, profile.business.zone, from, count, words)),
  },
  campaignIds: {
    list: ({ db }, { from, count, words }) => ok(listRemoteIds(db, from, count, words)),
    lookUp: ({ db }, { ids }) => ok({ here: localCampaigns(db, ids) }),
  },
};

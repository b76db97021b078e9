import type { Contract } from '../../../shared/api/contract.ts';
import type { Implementations } from '../../../shared/api/operation.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { sentRequest, sentRequests } from '../outbox/requests.ts';
import { localCampaigns } from '../remote/remote-ids.ts';
import { readRejections } from '../reviews/review-history.ts';
import { readRowsAt } from './comparisons.ts';
import type { ReaderContext } from './context.ts';
import { findDuplicates } from './duplicates.ts';
import { readImpacts } from './effects.ts';
import { reads } from './reads.ts';
import { campaignChanges } from './summary.ts';

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
    row: (context, { ref }) => {
      const detail = reads.rowDetail(context, ref);
      return detail === null ? fail('NO_ROW', ref) : ok(detail);
    },
    impacts: ({ db }, { kind, ids }) => ok({ rows: readImpacts(db, kind, ids) }),
    rowFindings: async (context, { kind, ids }) => ok({ findings: await reads.rowFindings(context, kind, ids) }),
    history: (context, { from, count, words, member }) => ok(reads.history(context, from, count, words, member)),
    changes: (context, { from, count, words, lane }) => ok(reads.changes(context, from, count, words, lane)),
  },
  bulk: {
    preview: (context, { scope, tool, count }) => reads.previewTool(context, scope, tool, count),
  },
  paste: {
    preview: (context, { paste, from, count }) => reads.previewPaste(context, paste, from, count),
  },
  views: {
    text: ({ views }, { viewId, from, count, columns, decimal }) =>
      views.text(viewId, from, count, { columns, decimal }) ?? noView(viewId),
    // Yields to other calls in between.
    duplicates: async ({ db, profile }, search) => ok(await findDuplicates(db, profile, search)),
    keywordOverlap: async (context) => ok(await reads.keywordOverlap(context)),
    sharedKeywords: (context, { campaignIds }) => ok(reads.sharedKeywords(context, campaignIds)),
    outline: ({ views }, { viewId }) => {
      const outline = views.outline(viewId);
      return outline === null ? noView(viewId) : ok({ from: [...outline.from], keys: [...outline.keys] });
    },
    place: (context, { viewId, id }) => orNoView(viewId, reads.viewPlace(context, viewId, id)),
    sizes: async (context, { views }) => ok({ sizes: await reads.viewSizes(context, views) }),
    values: (context, { view, field, words }) => {
      const found = reads.columnValues(context, view, field, words);
      return found.ok ? found : fail('BAD_FILTER', found.error);
    },
    counts: (context, { kind, campaignId }) => ok(reads.viewCounts(context, kind, campaignId)),
  },
  history: {
    rowsAt: ({ db }, { from, count, ...query }) => {
      const page = readRowsAt(db, query, from, count);
      return page === null ? fail('NO_MOMENT', { step: query.step }) : ok(page);
    },
    log: (context, { from, count, ...filter }) => ok(reads.log(context, from, count, filter)),
  },
  notes: {
    labels: (context) => ok(reads.labels(context)),
    comments: (context, { ref, resolved }) => ok(reads.comments(context, ref, resolved)),
  },
  requests: {
    list: ({ db }, search) => ok(sentRequests({ db }, search)),
    get: ({ db }, { id }) => ok(sentRequest({ db }, { id })),
  },
  rejections: {
    list: ({ db, profile }, { from, count, words }) =>
      ok(readRejections(db, profile.business.zone, from, count, words)),
  },
  campaignIds: {
    list: (context, { from, count, words }) => ok(reads.known(context, from, count, words)),
    lookUp: ({ db }, { ids }) => ok({ here: localCampaigns(db, ids) }),
  },
};

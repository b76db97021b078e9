import type { BulkScope } from '../../../shared/contract/bulk.ts';
import { ok } from '../../../shared/result.ts';
import type { BulkRows } from '../bulk/bulk-rows.ts';
import { previewPaste } from '../bulk/paste.ts';
import { readSubtrees } from '../bulk/subtrees.ts';
import { issueMask } from '../check.ts';
import { type Db, rowIdOf } from '../db/db.ts';
import { openDb } from '../db/open-db.ts';
import { compareMoments } from '../history/compare.ts';
import { readLog } from '../history/read-log.ts';
import { campaignsHere, readKnown } from '../known/read-known.ts';
import { readComments, readLabelled, readLabels, readSavedViews } from '../notes/read-notes.ts';
import { createChanges } from '../reader/changes.ts';
import { readDetail } from '../reader/detail.ts';
import { findDuplicates } from '../reader/duplicates.ts';
import { editMark } from '../reader/edit-mark.ts';
import { createFindings } from '../reader/findings.ts';
import { previewTool } from '../reader/preview-tool.ts';
import { createRowFigures, figureKey, sortedFigures } from '../reader/row-figures.ts';
import { createSummary, readHistory } from '../reader/summary.ts';
import { createViewCounts } from '../reader/view-counts.ts';
import { createViews } from '../reader/views.ts';
import { campaignIds } from '../rows/campaign-ids.ts';
import { readMeta } from '../rows/meta.ts';
import { readRow, readRows } from '../rows/read-rows.ts';
import { readTrees } from '../rows/read-trees.ts';
import { readLimits } from '../rows/words-in-use.ts';
import { allTables } from '../schema/tables.ts';
import { readRejections } from '../verdicts/read-verdicts.ts';
import { verify } from '../verify.ts';
import type { ReaderCalls, WorkerSetup } from './protocol.ts';

/** Answers the calls that only look, on a connection of its own that never waits for the writer. */
export function createReader(setup: WorkerSetup): ReaderCalls {
  let open: ReturnType<typeof openParts> | null = null;
  const parts = () => {
    if (open === null) throw new Error('the reader was asked before it was started');
    return open;
  };
  return {
    start: () => {
      open = openParts(setup);
    },
    summary: () => parts().summary(),
    missingFigures: (spec) => sortedFigures(spec).filter((figure) => !parts().figures.has(figureKey(spec, figure))),
    keepFigures: (spec, figure, column) => parts().figures.keep(figureKey(spec, figure), column),
    openView: (spec, { from, count }) => parts().views.open(spec, from, count),
    readWindow: (viewId, from, count) => parts().views.read(viewId, from, count),
    viewText: (viewId, from, count, wish) => parts().views.text(viewId, from, count, wish),
    viewPlace: (viewId, id) => parts().views.place(viewId, id),
    closeView: (viewId) => parts().views.close(viewId),
    scopeRows: (scope) => ('viewId' in scope ? parts().views.rows(scope) : ok(namedRows(scope))),
    previewTool: (rows, tool, count) => previewTool(parts().db, setup.profile, rows, tool, count),
    previewPaste: (paste, from, count) =>
      previewPaste(parts().db, paste, readLimits(parts().db, setup.profile), from, count),
    viewCounts: (kind, campaignId) => parts().viewCounts(kind, campaignId),
    duplicates: (search) => findDuplicates(parts().db, setup.profile, search),
    rejections: (from, count, words) => readRejections(parts().db, setup.profile.business.zone, from, count, words),
    known: (from, count, words) => readKnown(parts().db, from, count, words),
    campaignsHere: (ids) => campaignsHere(parts().db, ids),
    viewTotals: (viewId) => parts().views.totals(viewId),
    viewGroups: (viewId, from, count) => parts().views.groups(viewId, from, count),
    savedViews: () => readSavedViews(parts().db),
    labels: () => readLabels(parts().db),
    labelled: () => readLabelled(parts().db),
    comments: (ref, resolved) => readComments(parts().db, ref, resolved),
    log: (from, count, filter) => readLog(parts().db, from, count, filter),
    compare: (before, after, campaignId, from, count) =>
      compareMoments(parts().db, before, after, campaignId, from, count),
    rowDetail: (nowMs, ref) => readDetail(parts().db, parts().findings, nowMs, ref),
    rowFindings: (nowMs, kind, ids) => parts().findings.ofRows(nowMs, kind, ids),
    readRow: (ref) => readRow(parts().db, ref),
    campaignIds: (which) => campaignIds(parts().db, which),
    readTrees: (which) => readTrees(parts().db, campaignIds(parts().db, which)),
    readMedia: () => readRows(parts().db, 'media', 'true'),
    readSubtrees: (rows, limit) => readSubtrees(parts().db, rows, limit),
    findings: (nowMs, from, count, campaignId, rule) => parts().findings.page(nowMs, { from, count, campaignId, rule }),
    changes: (from, count, words, lane) => parts().changes(from, count, words, lane),
    history: (from, count, words) => readHistory(parts().db, from, count, words),
    verify: () => verify(parts().db),
    editMark: () => editMark(parts().db),
    rowsWithErrors: () => rowsWithErrors(parts().db),
    getMeta: (key) => readMeta(parts().db, key),
    close: () => {
      open?.db.close();
      open = null;
    },
  };
}

function openParts(setup: WorkerSetup) {
  const db = openDb(setup.file, { readOnly: true });
  const figures = createRowFigures(db);
  return {
    db,
    figures,
    views: createViews(db, figures),
    viewCounts: createViewCounts(db),
    findings: createFindings(db, setup.profile, setup.migrated),
    changes: createChanges(db),
    summary: createSummary(db),
  };
}

const namedRows = ({ rows }: Extract<BulkScope, { rows: unknown }>): readonly BulkRows[] =>
  rows.map(({ kind, ids }) => ({ kind, ids: Int32Array.from(ids) }));

function rowsWithErrors(db: Db) {
  return allTables().flatMap(({ kind, name }) =>
    db
      .all(`SELECT id FROM ${name} WHERE issues <> 0 AND issues & ${issueMask(kind, 'error')}`)
      .map((row) => ({ kind, id: rowIdOf(row[0]) })),
  );
}

import type { WorkspaceSummary } from '../../../shared/contract/workspace.ts';
import { HELD } from '../../../shared/model/row.ts';
import { asNumber, asText, asTextOrNull, type Db, numberOf } from '../db/db.ts';
import type { HistoryStep } from '../port.ts';
import { allTables } from '../schema/tables.ts';
import { currentRevision } from '../writer/ids.ts';
import { LAST_REFRESH_KEY } from '../writer/store.ts';

/** The figures that are always on screen. Each comes from an index or a short table. */
export function readSummary(db: Db): WorkspaceSummary {
  const rows: Record<string, number> = {};
  let changed = 0;
  let held = 0;
  for (const { kind, name } of allTables()) {
    rows[kind] = numberOf(db, `SELECT count(*) FROM ${name}`);
    changed += numberOf(db, `SELECT count(*) FROM ${name} WHERE dirty <> 0 AND dirty & ${~HELD}`);
    held += numberOf(db, `SELECT count(*) FROM ${name} WHERE dirty <> 0 AND dirty & ${HELD}`);
  }
  const [error, warning, advice] =
    db.get('SELECT total(error), total(warning), total(advice) FROM finding_count') ?? [];
  const refreshed = db.get('SELECT value FROM meta WHERE key = ?', LAST_REFRESH_KEY)?.[0];
  return {
    revision: currentRevision(db),
    rows: rows as WorkspaceSummary['rows'],
    changed,
    held,
    conflicts: numberOf(db, 'SELECT count(*) FROM conflict'),
    questions: numberOf(db, 'SELECT count(*) FROM outbox_question WHERE answered_at IS NULL'),
    findings: { error: asNumber(error), warning: asNumber(warning), advice: asNumber(advice) },
    undo: stepLabel(db, 'SELECT label FROM step WHERE state = 0 ORDER BY id DESC LIMIT 1'),
    redo: stepLabel(db, 'SELECT label FROM step WHERE state = 1 ORDER BY id LIMIT 1'),
    lastRefreshAt: refreshed === undefined ? null : Number(refreshed),
  };
}

const stepLabel = (db: Db, sql: string): string | null => asTextOrNull(db.get(sql)?.[0]);

/** Steps of the history, newest first. */
export function readHistory(db: Db, from: number, count: number): { total: number; steps: readonly HistoryStep[] } {
  const sql = 'SELECT id, label, at, rows, state, source FROM step ORDER BY id DESC LIMIT ? OFFSET ?';
  const steps = db.all(sql, count, from).map(([id, label, at, rows, state, source]) => ({
    id: asNumber(id),
    label: asText(label),
    at: asNumber(at),
    rows: asNumber(rows),
    undone: state === 1,
    source: asText(source),
  }));
  return { total: numberOf(db, 'SELECT count(*) FROM step'), steps };
}

import type { HistoryStep, WorkspaceSummary } from '../../../shared/api/workspace.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { LIBRARY_TYPES } from '../../../shared/model/media.ts';
import { HELD } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { asNumber, asText, asTextOrNull, containsWords, type Db, numberOf, rowIdOf } from '../db/db.ts';
import { currentRevision, kindState, LAST_REFRESH_KEY, readMeta } from '../rows/revision.ts';
import { allTables, choiceCode, type Table } from '../schema/tables.ts';
import { readIssueCounts } from './issues.ts';

interface KindCounts {
  /** Revision of the kind when it was counted. */
  readonly at: number;
  readonly rows: number;
  readonly changed: number;
  readonly held: number;
}

/**
 * The figures that are always on screen. Each comes from an index or a short table, and a kind is counted again only
 * when it has changed.
 */
export function createSummary(db: Db): () => WorkspaceSummary {
  const countsByKind = new Map<Kind, KindCounts>();
  const countsOf = (table: Table): KindCounts => {
    const at = kindState(db, table).changed;
    const known = countsByKind.get(table.kind);
    if (known?.at === at) return known;
    const counts = { at, ...countRows(db, table) };
    countsByKind.set(table.kind, counts);
    return counts;
  };
  return () => {
    const counts = allTables().map((table) => ({ kind: table.kind, ...countsOf(table) }));
    const rows: Record<string, number> = Object.fromEntries(counts.map((count) => [count.kind, count.rows]));
    return {
      revision: currentRevision(db),
      rows: rows as WorkspaceSummary['rows'],
      files: numberOf(db, filesSql()),
      // A file is uploaded for a profile and is no change of its own.
      changed: counts.reduce((sum, { kind, changed }) => sum + (kind === 'media' ? 0 : changed), 0),
      held: counts.reduce((sum, count) => sum + count.held, 0),
      conflicts: numberOf(db, 'SELECT count(*) FROM conflict'),
      questions: numberOf(db, 'SELECT count(*) FROM outbox_question WHERE answered_at IS NULL'),
      issues: readIssueCounts(db),
      undo: stepLabel(db, `SELECT label FROM step WHERE state = 0 AND source <> 'team' ORDER BY id DESC LIMIT 1`),
      redo: stepLabel(db, 'SELECT label FROM step WHERE state = 1 ORDER BY id LIMIT 1'),
      lastRefreshAt: lastRefresh(db),
    };
  };
}

const filesSql = (): string => {
  const codes = LIBRARY_TYPES.map((type) => choiceCode('media', 'mediaType', type));
  return `SELECT count(*) FROM media WHERE "mediaType" IN (${codes.join()})`;
};

function countRows(db: Db, { name }: Table): { rows: number; changed: number; held: number } {
  let changed = 0;
  let held = 0;
  // There are few different marks: one pass over the index of changed rows counts them.
  for (const [dirty, count] of db.all(`SELECT dirty, count(*) FROM ${name} WHERE dirty <> 0 GROUP BY dirty`)) {
    if ((asNumber(dirty) & ~HELD) !== 0) changed += asNumber(count);
    if ((asNumber(dirty) & HELD) !== 0) held += asNumber(count);
  }
  return { rows: numberOf(db, `SELECT count(*) FROM ${name}`), changed, held };
}

/** Number of changed rows per campaign; one pass over the index of changed rows of each kind. */
export function campaignChanges(
  db: Db,
  ids: readonly RowId[],
): readonly { readonly id: RowId; readonly changes: number }[] {
  const counts = new Map<RowId, number>();
  const wanted = JSON.stringify(ids);
  for (const { kind, name } of allTables()) {
    if (kind === 'media') continue;
    const sql = `SELECT campaign_id, count(*) FROM ${name} WHERE dirty <> 0 AND dirty & ${~HELD}
      AND campaign_id IN (SELECT value FROM json_each(?)) GROUP BY campaign_id`;
    const found = db.all(sql, wanted);
    for (const [id, count] of found) counts.set(rowIdOf(id), (counts.get(rowIdOf(id)) ?? 0) + asNumber(count));
  }
  return [...counts].map(([id, changes]) => ({ id, changes }));
}

function lastRefresh(db: Db): number | null {
  const text = readMeta(db, LAST_REFRESH_KEY);
  return text === null ? null : Number(text);
}

const stepLabel = (db: Db, sql: string): string | null => asTextOrNull(db.get(sql)?.[0]);

/** SQL: the step is by this member. Steps of this computer without a member are its own member's. */
export const ofMember = (member: string, again: string): string =>
  `(member = ${member} OR member IS NULL AND ${again} = (SELECT member FROM team_meta))`;

/** Steps of the history, newest first. */
export function readHistory(
  db: Db,
  from: number,
  count: number,
  words = '',
  member: number | null = null,
): { total: number; steps: readonly HistoryStep[] } {
  const said = containsWords("fold(label || ' ' || who)", words);
  const by = member === null ? [] : [member, member];
  const where = `${said.sql} AND ${member === null ? 'true' : ofMember('?', '?')}`;
  const previous = '(SELECT coalesce(max(p.id), 0) FROM step p WHERE p.id < step.id)';
  const sql = `SELECT id, label, at, rows, state, source, who, ${previous} FROM step WHERE ${where} ORDER BY id DESC LIMIT ? OFFSET ?`;
  const steps = db
    .all(sql, ...said.bind, ...by, count, from)
    .map(([id, label, at, rows, state, source, who, previous]) => ({
      id: asNumber(id),
      label: asText(label),
      at: asNumber(at),
      rows: asNumber(rows),
      undone: state === 1,
      source: asText(source),
      who: asText(who),
      previous: asNumber(previous),
    }));
  return { total: numberOf(db, `SELECT count(*) FROM step WHERE ${where}`, ...said.bind, ...by), steps };
}

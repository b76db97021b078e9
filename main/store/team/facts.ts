import { memo } from '../../../shared/memo.ts';
import { CREATIVE_KINDS } from '../../../shared/model/creative.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { dateInZone } from '../../../shared/model/plain-date.ts';
import { DELETED, FIELD_BITS, HELD, NEW } from '../../../shared/model/row.ts';
import type { RemoteId, RowId } from '../../../shared/model/scalars.ts';
import { type CellChange, type MadeRow, NEW_FACT, REMOTE_ID_FACT } from '../../../shared/team/change-set.ts';
import { type Share, shareOf } from '../../../shared/team/share.ts';
import { pathOf } from '../../../shared/team/team-rows.ts';
import { asNumber, asTextOrNull, type Db, type DbRow, rowIdOf, rowIdsOf } from '../db/db.ts';
import { noteStatusReads } from '../remote/campaign-status.ts';
import { recordRemoteId } from '../remote/remote-ids.ts';
import { noteShown } from '../reviews/banners-shown.ts';
import { recordReviewResults } from '../reviews/review-history.ts';
import { bindAny, cellsFrom, toBound, toStored } from '../rows/codec.ts';
import { calendarAheadMs } from '../rows/rule-settings.ts';
import { sqlList, type Table, tableOf } from '../schema/tables.ts';
import { noteSelection } from '../writer/removal.ts';
import { fillSelectionWith } from '../writer/selection.ts';
import type { Folding } from './meta.ts';
import { factColumns, REMOVED, shadowOf, teamColumns, UNSHARED } from './schema.ts';
import type { StoredTeamRows } from './team-rows.ts';

/**
 * Facts are service values of rows, shared by the computer that read them with all others. The facts of a row are
 * complete each time: its service ID, whether it is new, the fields that only the service writes, and the service's
 * values of user fields where they differ from the team's. So most rows have none of the last, and other computers
 * don't repeat the merge with the service.
 */
interface Service {
  readonly row: RowId;
  readonly dirty: number;
  readonly remoteId: string | null;
  /** By user column: the current value here, and the service value. */
  readonly mine: readonly Cell[];
  readonly base: readonly Cell[];
  readonly own: readonly Cell[];
}

const serviceSql = memo((table: Table): string => {
  const { userColumns } = table;
  return `SELECT k.id, k.dirty, k.remote_id, b.id, ${sqlList([...userColumns, ...factColumns(table)], 'k.')}, ${sqlList(userColumns, 'b.')}
    FROM json_each(?) j CROSS JOIN ${table.name} k ON k.id = j.value LEFT JOIN ${table.base} b ON b.id = k.id`;
});

export const readService = (db: Db, table: Table, rows: readonly RowId[]): readonly Service[] =>
  db.all(serviceSql(table), JSON.stringify(rows)).map((found: DbRow): Service => {
    const { userColumns } = table;
    const facts = factColumns(table);
    const [id, dirty, remoteId, baseId] = found;
    const mine = cellsFrom(userColumns, found, 4);
    const from = 4 + userColumns.length;
    return {
      row: rowIdOf(id),
      dirty: asNumber(dirty),
      remoteId: asTextOrNull(remoteId),
      mine,
      base: baseId === null ? mine : cellsFrom(userColumns, found, from + facts.length),
      own: cellsFrom(facts, found, from),
    };
  });

/** Facts of one row, compared with the team's values. */
export function factsOf(table: Table, service: Service, sharedOf: (field: string) => Cell): readonly CellChange[] {
  const { kind, userColumns } = table;
  const fact = (field: string, value: Cell): CellChange => ({ kind, row: service.row, field, value });
  const isNew = (service.dirty & NEW) !== 0;
  return [
    fact(REMOTE_ID_FACT, service.remoteId),
    fact(NEW_FACT, isNew ? 1 : 0),
    ...factColumns(table).map(({ field }, at) => fact(field, service.own[at] ?? null)),
    ...userColumns.flatMap(({ field }, at) => {
      const has = service.base[at] ?? null;
      return isNew || has === sharedOf(field) ? [] : [fact(field, has)];
    }),
  ];
}

/** Facts of rows that are shared with all their cells: their service values must be shared too. */
export function factsOfMade(db: Db, made: readonly MadeRow[], cells: readonly CellChange[]): readonly CellChange[] {
  const written = new Map(cells.map(({ row, field, value }) => [`${row} ${field}`, value]));
  return [...Map.groupBy(made, ({ kind }) => kind)].flatMap(([kind, list]) =>
    readService(
      db,
      tableOf(kind),
      list.map(({ row }) => row),
    )
      .filter(({ dirty }) => (dirty & NEW) === 0)
      .flatMap((service) => factsOf(tableOf(kind), service, (field) => written.get(`${service.row} ${field}`) ?? null)),
  );
}

/**
 * Unshared service values of at most `limit` rows: new rows of the service, values that a merge wrote into the draft,
 * and the facts of all of these. Removes the rows from the queue.
 */
export function shareFacts(db: Db, rows: StoredTeamRows, limit: number): Share {
  const byKind = queuedRows(db, limit);
  const services = new Map<RowId, Service>();
  for (const [kind, ids] of byKind) {
    rows.loadRows(kind, ids);
    for (const service of readService(db, tableOf(kind), ids)) services.set(service.row, service);
  }
  const refs = [...byKind].flatMap(([kind, ids]) => ids.map((row) => ({ kind, row })));
  const present = refs.map(({ row }) => rows.find(row)).filter((row) => row?.isHere === true);
  const { changes, scopes } = shareOf(
    rows,
    present.filter((row) => row !== null),
  );
  const isMade = new Set(changes.made.map(({ row }) => row));
  const says = ({ row, kind, field }: CellChange): boolean => {
    const service = services.get(row);
    const at = tableOf(kind).userColumns.findIndex((column) => column.field === field);
    return (
      isMade.has(row) || (service !== undefined && (service.dirty & NEW) === 0 && service.mine[at] === service.base[at])
    );
  };
  const cells = changes.cells.filter(says);
  const written = new Map(cells.map((cell) => [`${cell.row} ${cell.field}`, cell.value]));
  const facts: CellChange[] = [];
  const all = new Set(scopes);
  const told: RowId[] = [];
  for (const { kind, row } of refs) {
    const service = services.get(row);
    const known = rows.find(row);
    // A row whose parent is not shared yet has to wait.
    if (service === undefined || known === null || !(known.isShared || isMade.has(row))) continue;
    told.push(row);
    const sharedOf = (field: string): Cell => {
      const key = `${row} ${field}`;
      if (written.has(key)) return written.get(key) ?? null;
      return isMade.has(row) ? null : rows.cell(row, field).shared;
    };
    facts.push(...factsOf(tableOf(kind), service, sharedOf));
    all.add(pathOf(rows, row).at(-1)?.row ?? row);
  }
  db.run('DELETE FROM team_fact WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(told));
  return { changes: { made: changes.made, removed: [], cells, facts }, scopes: [...all].toSorted((a, b) => a - b) };
}

/** Queued rows by kind, without those that are neither in the draft nor in the log. */
export function queuedRows(db: Db, limit: number): ReadonlyMap<Kind, readonly RowId[]> {
  const found = KINDS.map((kind): [Kind, readonly RowId[]] => {
    const { name, code } = tableOf(kind);
    const rows = rowIdsOf(
      db,
      `SELECT f.id FROM team_fact f CROSS JOIN ${name} k ON k.id = f.id
       WHERE f.kind = ${code} AND NOT (k.ahead & ${UNSHARED} AND k.dirty & ${DELETED}) LIMIT ?`,
      limit,
    );
    return [kind, rows];
  });
  return new Map(found.filter(([, rows]) => rows.length > 0));
}

/** Applies facts of a colleague. A cell with an unshared change keeps its value; the service value becomes its base. */
export function foldFacts(folding: Folding, rows: StoredTeamRows, facts: readonly CellChange[], at: number): void {
  const { db, nowMs, touched } = folding;
  const byRow = Map.groupBy(facts, ({ row }) => row);
  for (const [kind, list] of Map.groupBy(byRow.entries(), ([, cells]) => cells[0]?.kind ?? 'campaign')) {
    const table = tableOf(kind);
    const ids = list.map(([row]) => row);
    bringBack(db, table, ids);
    rows.loadRows(kind, ids);
    const told = new Map(list.map(([row, cells]) => [row, new Map(cells.map(({ field, value }) => [field, value]))]));
    const mayEnd = db.get('SELECT 1 FROM conflict WHERE against = 0 LIMIT 1') !== undefined;
    for (const service of readService(db, table, ids)) {
      const said = told.get(service.row);
      if (said !== undefined) writeService(folding, table, service, { said, mayEnd }, rows);
    }
    fillSelectionWith(db, ids, null);
    db.run(`DELETE FROM temp.sel WHERE id NOT IN (SELECT id FROM ${table.name})`);
    noteSelection(db, table, touched);
    const creative = CREATIVE_KINDS.find((each) => each === kind);
    if (creative !== undefined) recordReviewResults(db, creative, ids, nowMs, touched);
    if (kind === 'sbaProfile') noteShown(db, ids, nowMs);
    if (kind !== 'campaign') continue;
    const day = dateInZone(at + calendarAheadMs(db), folding.zone);
    const reads = [...told.values()].map((said) => ({
      kind,
      remoteId: said.get(REMOTE_ID_FACT) as RemoteId | null,
      campaignId: null,
      adGroupId: null,
      values: { serviceStatus: said.get('serviceStatus') ?? null },
    }));
    noteStatusReads(db, reads, { ms: at, day }, touched);
  }
}

/** Restores a row that was removed here before the service had it, so that it is deleted on the service. */
function bringBack(db: Db, table: Table, ids: readonly RowId[]): void {
  const columns = sqlList(teamColumns(table).map(({ column }) => column));
  const key = table.keyColumn;
  const above = {
    account: 'true',
    campaign: 'campaign_id IN (SELECT id FROM campaign)',
    adGroup: 'ad_group_id IN (SELECT id FROM ad_group)',
  };
  db.run(
    `INSERT INTO ${table.name}(id, campaign_id, ad_group_id, dirty, ahead, ${columns}${key === null ? '' : ', sort_key'})
     SELECT id, campaign_id, ad_group_id, ${NEW | DELETED} | iif(held, ${HELD}, 0), ${REMOVED}, ${columns}${key === null ? '' : `, fold(${key.sql})`}
     FROM ${shadowOf(table)} t WHERE id IN (SELECT value FROM json_each(?)) AND ${above[table.parent]}
       AND NOT EXISTS (SELECT 1 FROM ${table.name} k WHERE k.id = t.id)`,
    JSON.stringify(ids),
  );
}

function writeService(
  { db, nowMs }: Folding,
  table: Table,
  service: Service,
  /** `mayEnd`: there are conflicts with the service, which may be resolved now. */
  { said, mayEnd }: { readonly said: ReadonlyMap<string, Cell>; readonly mayEnd: boolean },
  rows: StoredTeamRows,
): void {
  const { name, base, code, userColumns } = table;
  const { row, mine, dirty } = service;
  const isNew = said.get(NEW_FACT) === 1;
  const wasNew = (dirty & NEW) !== 0;
  const has = userColumns.map(({ field }) =>
    said.has(field) ? (said.get(field) ?? null) : rows.cell(row, field).shared,
  );
  const bits = isNew ? NEW : userColumns.reduce((sum, { mask }, at) => (mine[at] === has[at] ? sum : sum | mask), 0);
  const columns = factColumns(table);
  const remoteId = asTextOrNull(said.get(REMOTE_ID_FACT) ?? null);
  if (remoteId !== null) {
    // A service ID belongs to one row; the team's facts decide which.
    if (remoteId !== service.remoteId)
      db.run(`UPDATE ${name} SET remote_id = NULL WHERE remote_id = ? AND id <> ?`, remoteId, row);
    recordRemoteId(db, table.kind, remoteId as RemoteId, wasNew ? 'made' : 'list', nowMs);
  }
  const sets = columns.map(({ sql, field }) => (said.has(field) ? `, ${sql} = ?` : ''));
  const values = columns.flatMap((column) => {
    const cell = said.get(column.field);
    return cell === undefined ? [] : [toBound(column, cell)];
  });
  const marks = dirty & ~(NEW | FIELD_BITS);
  db.run(
    `UPDATE ${name} SET remote_id = ?, dirty = ?${sets.join('')} WHERE id = ?`,
    remoteId,
    marks | bits,
    ...values,
    row,
  );
  // Rows without a changed field have no base.
  if ((dirty & FIELD_BITS) !== 0) db.run(`DELETE FROM ${base} WHERE id = ?`, row);
  if (!isNew && bits !== 0) {
    const stored = userColumns.map((column, at) => toBound(column, has[at] ?? null));
    const sql = `INSERT INTO ${base}(id, ${sqlList(userColumns)}) VALUES (?, ${userColumns.map(() => '?').join(', ')})`;
    db.run(sql, row, ...stored);
  }
  for (const [at, { mask, code: field, spec }] of userColumns.entries()) {
    const isDisputed = !isNew && !wasNew && (bits & dirty & mask) !== 0 && has[at] !== service.base[at];
    const bound = (cell: Cell | undefined) => bindAny(toStored(spec, cell ?? null));
    if (isDisputed)
      db.run(
        `INSERT INTO conflict(kind, id, field, base, theirs, at) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET theirs = excluded.theirs, at = excluded.at`,
        code,
        row,
        field,
        bound(service.base[at]),
        bound(has[at]),
        nowMs,
      );
    if (mayEnd)
      db.run(
        'DELETE FROM conflict WHERE against = 0 AND kind = ? AND id = ? AND field = ? AND (? OR theirs IS base)',
        code,
        row,
        field,
        (bits & mask) === 0 ? 1 : 0,
      );
  }
}

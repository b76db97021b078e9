import { createWorkspaceLookup } from '../../main/files/spreadsheet/worker/collect-changes.ts';
import { type OpenDb, openDb } from '../../main/store/db/open-db.ts';
import { toStored } from '../../main/store/rows/codec.ts';
import { migrate } from '../../main/store/schema/migrate.ts';
import { allTables, type Column, sqlList, tableOf } from '../../main/store/schema/tables.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { AnyValues } from '../../shared/model/fields.ts';
import type { AnyRow } from '../../shared/model/row.ts';
import { textKey } from '../../shared/model/text.ts';
import type { SheetLookup } from '../../shared/spreadsheet/sheet-changes.ts';

let opened: OpenDb | null = null;

/** An empty workspace in memory, the same one for all tests of a file. */
function emptyDb(): OpenDb {
  if (opened === null) {
    opened = openDb(':memory:');
    migrate(opened);
  }
  for (const { name, base } of allTables()) for (const table of [name, base]) opened.exec(`DELETE FROM ${table}`);
  return opened;
}

/** The store's own lookup over these campaigns; it answers until the next one is made. */
export function lookupOf(trees: readonly CampaignTree[]): SheetLookup {
  const db = emptyDb();
  for (const { campaign, ...lists } of trees) {
    const rows: readonly AnyRow[] = [campaign, ...Object.values(lists).flat()];
    for (const row of rows) put(db, row);
  }
  return createWorkspaceLookup(db);
}

function put(db: OpenDb, { kind, id, campaignId, adGroupId, remoteId, dirty, values, base }: AnyRow): void {
  const { name, base: shadow, columns, userColumns, keyColumn } = tableOf(kind);
  const stored = (of: AnyValues, some: readonly Column[]) =>
    some.map(({ field, spec }) => toStored(spec, of[field] ?? null));
  const key = keyColumn === null ? undefined : (values as AnyValues)[keyColumn.field];
  const head = [id, campaignId, adGroupId, remoteId, dirty, ...stored(values, columns)];
  const whole = keyColumn === null ? head : [...head, typeof key === 'string' ? textKey(key) : null];
  const names = `id, campaign_id, ad_group_id, remote_id, dirty, ${sqlList(columns)}${keyColumn === null ? '' : ', sort_key'}`;
  const marks = (all: readonly unknown[]): string => all.map(() => '?').join(', ');
  db.run(`INSERT OR REPLACE INTO ${name}(${names}) VALUES (${marks(whole)})`, ...whole);
  if (base === null) return;
  const said = [id, ...stored(base, userColumns)];
  db.run(`INSERT OR REPLACE INTO ${shadow}(id, ${sqlList(userColumns)}) VALUES (${marks(said)})`, ...said);
}

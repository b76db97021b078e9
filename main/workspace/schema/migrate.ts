import { type Db, numberOf } from '../db/db.ts';
import { migrations } from './migrations.ts';
import { allTables } from './tables.ts';

/** "ADSL": tells a workspace from any other SQLite file. */
export const APPLICATION_ID = 0x4144534c;

export type SchemaState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'current' }
  | { readonly kind: 'older'; readonly version: number }
  | { readonly kind: 'newer'; readonly version: number; readonly known: number }
  | { readonly kind: 'foreign' };

/** What the file is, before anything of it is written. */
export function schemaState(db: Db): SchemaState {
  const version = numberOf(db, 'PRAGMA user_version');
  const application = numberOf(db, 'PRAGMA application_id');
  const known = migrations().length;
  if (application === 0 && version === 0) {
    return numberOf(db, 'SELECT count(*) FROM sqlite_schema') === 0 ? { kind: 'empty' } : { kind: 'foreign' };
  }
  if (application !== APPLICATION_ID) return { kind: 'foreign' };
  if (version > known) return { kind: 'newer', version, known };
  return version === known ? { kind: 'current' } : { kind: 'older', version };
}

/** The first table a workspace of this schema lacks, or null. Damage and tampering show here before a query fails. */
export function missingTable(db: Db): string | null {
  const present = new Set(db.all(`SELECT name FROM sqlite_schema WHERE type = 'table'`).map(([name]) => name));
  const wanted = [
    'meta',
    'counter',
    'step',
    'conflict',
    'outbox_op',
    'item_fact',
    'saved_view',
    'label',
    'row_label',
    'comment',
    'known_id',
    'campaign_read',
    'campaign_status',
    ...allTables().flatMap(({ name, base }) => [name, base]),
  ];
  return wanted.find((name) => !present.has(name)) ?? null;
}

/** Brings the file to the newest schema, one transaction a step, the version number within it. */
export function migrate(db: Db): void {
  const steps = migrations();
  for (let version = numberOf(db, 'PRAGMA user_version'); version < steps.length; version++) {
    const step = steps[version];
    if (step === undefined) throw new Error(`no migration from schema ${version}`);
    db.tx(() => {
      step(db);
      db.exec(`PRAGMA user_version = ${version + 1}; PRAGMA application_id = ${APPLICATION_ID}`);
    });
  }
}

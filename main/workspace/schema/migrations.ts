import type { Db } from '../db/db.ts';
import { CAMPAIGN_READ_DDL, CAMPAIGN_STATUS_DDL, KNOWN_DDL } from '../known/schema.ts';
import { notesSchema } from '../notes/schema.ts';
import { OUTBOX_DDL } from '../outbox/schema.ts';
import { VERDICT_DDL } from '../verdicts/schema.ts';
import { FINDING_RULES_DDL, firstSchema, ITEM_FACT_DDL, STEP_SIZE_DDL, STEP_WHO_DDL } from './ddl.ts';
import { openWordColumns } from './word-columns.ts';

/**
 * Every step from one schema to the next, by number: the step at position n makes schema n + 1. Steps are
 * appended, and once released never changed.
 */
export const migrations = (): readonly ((db: Db) => void)[] => [
  (db) => db.exec(firstSchema() + OUTBOX_DDL),
  (db) => db.exec(ITEM_FACT_DDL),
  (db) => db.exec(notesSchema()),
  (db) => db.exec(STEP_SIZE_DDL),
  (db) => db.exec(STEP_WHO_DDL),
  (db) => db.exec(VERDICT_DDL),
  (db) => db.exec(KNOWN_DDL),
  (db) => db.exec(CAMPAIGN_READ_DDL),
  (db) => db.exec(FINDING_RULES_DDL),
  (db) => db.exec(CAMPAIGN_STATUS_DDL),
  openWordColumns,
];

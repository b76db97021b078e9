import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { checkIntegrity } from '../../main/store/backup.ts';
import { type OpenDb, openDb } from '../../main/store/db/open-db.ts';
import { migrate } from '../../main/store/schema/migrate.ts';
import { createStore, type OwnStore } from '../../main/store/writer/create-store.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { aSmallCampaign } from '../store/a-workspace.ts';

/** What a power cut leaves of a workspace: the database, and as much of its log as had reached the disk. */
export interface Image {
  readonly database: Buffer;
  readonly log: Buffer;
}

/** A store whose log holds every commit until it is told to be moved into the database. */
export interface PoweredStore {
  readonly db: OpenDb;
  /** Writes this bid and returns when it is acknowledged. */
  setBid(bid: number): void;
  /** An edit of hundreds of rows, and its undo. */
  addAndTakeBack(rows: number): void;
  /** The files as they are now; closing would empty the log. */
  image(): Image;
}

export function aPoweredStore(folder: string): PoweredStore {
  const file = join(folder, 'workspace.db');
  const db = openDb(file);
  migrate(db);
  db.exec('PRAGMA wal_autocheckpoint = 0');
  const store = storeOn(db, true);
  const made = store.apply({ label: 'Create', source: 'user', creates: aSmallCampaign() });
  const ref = made.ok ? made.value.touched[3] : undefined;
  if (ref === undefined) throw new Error('nothing was created');
  return {
    db,
    setBid: (bid) => {
      const updates = [{ ...ref, field: 'bid', value: bid }];
      if (!store.apply({ label: `Bid ${bid}`, source: 'user', updates }).ok) throw new Error('the edit was refused');
    },
    addAndTakeBack: (rows) => {
      const creates = Array.from({ length: rows }, (_, i) => aSmallCampaign(`More ${i}`)[0]).flatMap(
        (one) => one ?? [],
      );
      store.apply({ label: 'More', source: 'user', creates });
      store.step('undo');
    },
    image: () => ({ database: readFileSync(file), log: readFileSync(`${file}-wal`) }),
  };
}

/** @param migrated whether item ids are; another answer than before has everything wait to be checked again */
export function storeOn(db: OpenDb, migrated: boolean): OwnStore {
  const profile = defaultDeploymentSettings();
  const store = createStore({ db, profile, migrated, onCommitted: () => undefined });
  store.setNow(Date.UTC(2026, 4, 4, 12));
  return store;
}

/** Starts on what a cut has left. @returns the bid that is there, after checking that the file is sound */
export const restart = (image: Image, folder: string): number =>
  restarted(image, folder, (db) => Number(db.get(`SELECT bid FROM keyword WHERE text = 'Paper Towel'`)?.[0]));

/** Starts on what a cut has left. @returns what `look` makes of it, after checking that the file is sound */
export function restarted<T>({ database, log }: Image, folder: string, look: (db: OpenDb) => T): T {
  const file = join(folder, 'restarted.db');
  writeFileSync(file, database);
  writeFileSync(`${file}-wal`, log);
  const db = openDb(file);
  try {
    expect(db.get('PRAGMA integrity_check')).toEqual(['ok']);
    expect(checkIntegrity(db)).toEqual([]);
    return look(db);
  } finally {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
  }
}

export const garbage = (bytes: number, seed: number): Buffer =>
  Buffer.from(Array.from({ length: bytes }, (_, i) => Math.imul(i + seed, 0x9e3779b1) >>> 24));

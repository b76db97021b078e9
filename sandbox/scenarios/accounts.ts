import { startOfDate } from '../calendar.ts';
import { schedule } from '../due.ts';
import { limits } from '../limits.ts';
import type { Service } from '../service.ts';
import { addCatalogue } from './catalogue.ts';

/** Advertisers and their migration ("Item identifier migration"): one by one, and all of them at the cutover. */
const ITEMS_OF_A_NEW_ADVERTISER = 300;

/** Adds an advertiser with a catalogue of its own. */
export function addAdvertiser(service: Service, advertiserId: number, name: string, migrated: boolean): void {
  insertAdvertiser(service, advertiserId, name, migrated);
  addCatalogue(service, advertiserId, ITEMS_OF_A_NEW_ADVERTISER);
}

/** After the cutover nobody is unmigrated. */
export function insertAdvertiser(service: Service, advertiserId: number, name: string, migrated: boolean): void {
  service.store.run(
    'INSERT INTO advertiser (advertiser_id, name, migrated) VALUES (?, ?, ?)',
    advertiserId,
    name,
    migrated || isPastCutover(service) ? 1 : 0,
  );
}

export function migrateAdvertiser(service: Service, advertiserId: number): void {
  service.store.run('UPDATE advertiser SET migrated = 1 WHERE advertiser_id = ?', advertiserId);
}

export function migrateEveryone(service: Service): void {
  service.store.run('UPDATE advertiser SET migrated = 1');
}

export function scheduleCutover(service: Service): void {
  if (!isPastCutover(service)) schedule(service, 'migration.cutover', 'all', startOfDate(limits.cutoverDate));
}

function isPastCutover(service: Service): boolean {
  return service.clock.now() >= startOfDate(limits.cutoverDate);
}

import { firstIds, stateTables } from '../schema.ts';
import type { ScenarioName, Service } from '../service.ts';
import { addAdvertiser, scheduleCutover } from './accounts.ts';
import { buildConformance } from './conformance.ts';
import { buildDemo } from './demo.ts';

/** Filling a sandbox: two advertisers with their catalogues, then the campaigns of the scenario. */
export const scenarioNames: readonly ScenarioName[] = ['empty', 'demo', 'conformance'];

const ITEMS_MIGRATED = 1400;
const ITEMS_NOT_MIGRATED = 800;

export function loadScenario(service: Service, name: ScenarioName): void {
  const { store } = service;
  store.inTransaction(() => {
    const clock = store.readSetting('clock');
    for (const table of stateTables) store.run(`DELETE FROM ${table}`);
    store.run('DELETE FROM principal WHERE standard = 0');
    store.run('DELETE FROM sqlite_sequence');
    for (const [table, first] of Object.entries(firstIds)) {
      store.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, first - 1);
    }
    if (clock !== null) store.writeSetting('clock', clock);
    store.writeSetting('scenario', name);
    addAdvertiser(service, 900001, 'Northwind Home', true, ITEMS_MIGRATED);
    addAdvertiser(service, 900002, 'Alder & Finch', false, ITEMS_NOT_MIGRATED);
    scheduleCutover(service);
    if (name === 'conformance') buildConformance(service);
    if (name === 'demo') buildDemo(service);
  });
}

/** True for a store that no scenario was loaded into yet. */
export function isNew(service: Service): boolean {
  return service.store.readSetting('scenario') === null;
}

import { firstIds, stateTables } from '../schema.ts';
import type { ScenarioName, Service } from '../service.ts';
import { insertAdvertiser, scheduleCutover } from './accounts.ts';
import { restoreCatalogue } from './catalogue.ts';
import { buildConformance } from './conformance.ts';
import { buildDemo } from './demo.ts';

/** Filling a sandbox: two advertisers with their catalogues, then the campaigns of the scenario. */
export const scenarioNames: readonly ScenarioName[] = ['empty', 'demo', 'conformance'];

export function loadScenario(service: Service, scenario: ScenarioName): void {
  const { store } = service;
  store.inTransaction(() => {
    const kept = ['clock', 'catalogue'].map((key) => [key, store.readSetting(key)] as const);
    for (const table of stateTables) store.run(`DELETE FROM ${table}`);
    store.run('DELETE FROM principal WHERE standard = 0');
    store.run("DELETE FROM sqlite_sequence WHERE name <> 'item'");
    for (const [table, first] of Object.entries(firstIds)) {
      store.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, first - 1);
    }
    for (const [key, value] of kept) if (value !== null) store.writeSetting(key, value);
    store.writeSetting('scenario', scenario);
    const advertisers = [
      { advertiserId: 900001, name: 'Northwind Home', migrated: true, items: 1400 },
      { advertiserId: 900002, name: 'Alder & Finch', migrated: false, items: 800 },
    ];
    restoreCatalogue(service, advertisers);
    for (const { advertiserId, name, migrated } of advertisers) insertAdvertiser(service, advertiserId, name, migrated);
    scheduleCutover(service);
    if (scenario === 'conformance') buildConformance(service);
    if (scenario === 'demo') buildDemo(service);
  });
}

/** True for a store that no scenario was loaded into yet. */
export function isNew(service: Service): boolean {
  return service.store.readSetting('scenario') === null;
}

import { rmSync } from 'node:fs';
import { isFields, readWord } from '../fields.ts';
import { loadScenario, scenarioNames } from '../scenarios/load.ts';
import type { Service } from '../service.ts';
import type { ControlRoute } from './route.ts';

/** `POST /sandbox/reset`: starts over, clock, faults, request log and rate limit included. Credentials stay. */
export const resetRoutes: readonly ControlRoute[] = [
  {
    method: 'POST',
    path: '/sandbox/reset',
    handle: (service: Service, { body }) => {
      const scenario = isFields(body) ? readWord(body, 'scenario', scenarioNames) : null;
      const name = scenario ?? service.settings.scenario;
      service.faults.clear();
      service.requests.clear();
      service.rate.setLimit(service.settings.operationsPerHour);
      service.rate.clear();
      service.modes.reset();
      service.clock.moveTo(startOf(service));
      loadScenario(service, name);
      // Upload ids begin anew; a film of before must not turn up under one of them.
      rmSync(service.settings.filesDir, { recursive: true, force: true });
      return { scenario: name, now: new Date(service.clock.now()).toISOString() };
    },
  },
];

function startOf(service: Service): number {
  const { now } = service.settings;
  return now === null ? Date.now() : Date.parse(now);
}

import { type Fields, fieldOf, isFields, readText, readWord } from '../fields.ts';
import { Refusal } from '../refusal.ts';
import type { Service } from '../service.ts';
import { type Fault, faultKinds } from './fault-list.ts';
import { type ControlCall, type ControlRoute, fieldsOf } from './route.ts';

/** `POST /sandbox/faults` orders failures, `DELETE` ends them; `POST /sandbox/rate` sets the limit or switches it off. */
export const faultControlRoutes: readonly ControlRoute[] = [
  { method: 'GET', path: '/sandbox/faults', handle: (service) => ({ faults: service.faults.list() }) },
  { method: 'POST', path: '/sandbox/faults', handle: orderFault },
  {
    method: 'DELETE',
    path: '/sandbox/faults',
    handle: (service) => {
      service.faults.clear();
      return { faults: [] };
    },
  },
  { method: 'POST', path: '/sandbox/rate', handle: setRate },
];

function orderFault(service: Service, call: ControlCall): unknown {
  const fields = fieldsOf(call);
  const match = fieldOf(fields, 'match') ?? {};
  if (!isFields(match)) throw new Refusal(400, 'match is an object with method and path');
  const kind = readWord(fields, 'kind', faultKinds);
  if (kind === null) throw new Refusal(400, `kind must be one of ${faultKinds.join(', ')}`);
  const method = readText(match, 'method');
  const path = readText(match, 'path');
  const status = readCount(fields, 'status', 100, 599);
  const delayMs = readCount(fields, 'delayMs', 0, 3_600_000);
  const headers = readHeaders(fieldOf(fields, 'headers'));
  const body = fieldOf(fields, 'body');
  const fault: Fault = {
    match: { ...(method === null ? {} : { method }), ...(path === null ? {} : { path }) },
    times: readCount(fields, 'times', 1, 1_000_000) ?? 1,
    kind,
    ...(status === null ? {} : { status }),
    ...(delayMs === null ? {} : { delayMs }),
    ...(headers === null ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  };
  service.faults.add(fault);
  return { faults: service.faults.list() };
}

function setRate(service: Service, call: ControlCall): unknown {
  const fields = fieldsOf(call);
  const limit = fieldOf(fields, 'operationsPerHour') === null ? null : readCount(fields, 'operationsPerHour', 1, 1e9);
  service.rate.setLimit(limit);
  service.rate.clear();
  return { operationsPerHour: limit };
}

function readCount(fields: Fields, name: string, min: number, max: number): number | null {
  const value = fieldOf(fields, name);
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw new Refusal(400, `${name} must be a whole number from ${min} to ${max}`);
  }
  return value;
}

function readHeaders(value: unknown): Readonly<Record<string, string>> | null {
  if (value === undefined || value === null) return null;
  if (!isFields(value)) throw new Refusal(400, 'headers is an object');
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name.toLowerCase(), String(text)]));
}

import { type Fields, isFields, parseId } from '../fields.ts';
import { Refusal } from '../messages.ts';
import type { Service } from '../service.ts';

/** A call of the control interface: JSON in, JSON out, without credentials, for the machine it runs on only. */
export interface ControlCall {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly handle: (service: Service, call: ControlCall) => unknown;
}

export function fieldsOf(call: ControlCall): Fields {
  if (!isFields(call.body)) throw new Refusal(400, 'Send a JSON object');
  return call.body;
}

export function idOf(call: ControlCall, name: string): number {
  const id = parseId(call.params[name]);
  if (id === null) throw new Refusal(400, `${name} is no identifier`);
  return id;
}

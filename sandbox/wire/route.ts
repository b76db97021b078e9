import type { Principal } from '../access.ts';
import { type Fields, isFields, parseId } from '../fields.ts';
import { Refusal } from '../messages.ts';
import type { Service } from '../service.ts';
import type { UploadForm } from './multipart.ts';

/** A call of the partner API whose credentials, rate and body are valid. */
export interface Call {
  readonly principal: Principal;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** The parts of a multipart call; null for any other. */
  readonly form: UploadForm | null;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body: 'none' | 'json' | 'form';
  /** Counts towards the rate limit. */
  readonly changes: boolean;
  /** Served only if the extensions are turned on; otherwise the path does not exist. */
  readonly extension: boolean;
  /** Returns the JSON body of a 200; any other answer is thrown as a `Refusal`. */
  readonly handle: (service: Service, call: Call) => unknown;
}

type Handle = Route['handle'];

export const read = (path: string, handle: Handle): Route => ({
  method: 'GET',
  path,
  body: 'none',
  changes: false,
  extension: false,
  handle,
});

/** A call with a body that changes nothing, such as a search. */
export const ask = (path: string, handle: Handle): Route => ({ ...read(path, handle), method: 'POST', body: 'json' });

export const create = (path: string, handle: Handle): Route => ({ ...ask(path, handle), changes: true });

export const update = (path: string, handle: Handle): Route => ({ ...create(path, handle), method: 'PUT' });

export const asExtension = (route: Route): Route => ({ ...route, extension: true });

/** A call of the control interface: JSON in, JSON out, without credentials, only from this computer. */
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

import { durationMs } from '../calendar.ts';
import { tick } from '../due-handlers.ts';
import { readText } from '../fields.ts';
import { Refusal } from '../refusal.ts';
import type { Service } from '../service.ts';
import { type ControlCall, type ControlRoute, fieldsOf } from './route.ts';

/** `POST /sandbox/clock`: time moves forward only, and everything on the way happens in order. */
export const clockRoutes: readonly ControlRoute[] = [{ method: 'POST', path: '/sandbox/clock', handle: moveClock }];

/** Beyond this year, dates no longer have four digits. */
const LAST_INSTANT = Date.parse('9999-12-31T00:00:00Z');

function moveClock(service: Service, call: ControlCall): unknown {
  const fields = fieldsOf(call);
  const advance = readText(fields, 'advance');
  const set = readText(fields, 'set');
  if ((advance === null) === (set === null)) throw new Refusal(400, 'Send exactly one of advance and set');
  const now = service.clock.now();
  const length = advance === null ? null : durationMs(advance);
  if (advance !== null && length === null)
    throw new Refusal(400, 'advance is no ISO 8601 duration such as PT30M or P2D');
  const target = set === null ? now + (length ?? 0) : Date.parse(set);
  if (Number.isNaN(target)) throw new Refusal(400, 'set is no ISO 8601 instant');
  if (target > LAST_INSTANT) {
    throw new Refusal(400, 'The time is too far ahead: the clock goes to 9999-12-31 (UTC) at most. Move it by less');
  }
  if (target < now) throw new Refusal(400, 'The clock moves forward only; use reset to start over');
  service.clock.moveTo(target);
  tick(service);
  return { now: new Date(service.clock.now()).toISOString() };
}

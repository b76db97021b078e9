import { expect } from 'vitest';
import { type Clock, systemClock } from '../../main/app/clock.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import { edit } from '../store/a-workspace.ts';
import type { SharedDesk } from './desks.ts';

/** Pauses are a tenth of what they are. */
export const hasty: Clock = { ...systemClock, sleep: (delayMs, signal) => systemClock.sleep(delayMs / 10, signal) };

export const until = (what: () => unknown, is: unknown = true) => expect.poll(what, { interval: 20 }).toEqual(is);

export async function stateOf({ workspace }: SharedDesk) {
  const state = await workspace.teamState();
  if (state === null) throw new Error('not in a team');
  return state;
}

export const bidOf = async ({ workspace }: SharedDesk, ref: RowRef): Promise<unknown> =>
  Reflect.get((await workspace.readRow(ref))?.values ?? {}, 'bid');

export const setBid = ({ workspace }: SharedDesk, ref: RowRef, value: number) =>
  edit(workspace, { updates: [{ ...ref, field: 'bid', value }] });

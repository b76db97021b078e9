import { expect, test } from 'vitest';
import { asRowId } from '../../shared/model/scalars.ts';
import { Heard } from './heard.ts';
import type { Said } from './killed-child.ts';

const item = asRowId(7);
const will = (bid: number, from: number): Said => ({ say: 'will', id: item, bid, from });
const edited = (bid: number): Said => ({ say: 'edited', id: item, bid });

const allowedAfter = (...lines: readonly Said[]): readonly number[] | null => {
  const heard = new Heard();
  for (const line of lines) heard.hear(line);
  return heard.allowedBids(item);
};

test('an edit that was announced and never acknowledged may be there or not, the first one of an item as well', () => {
  expect(allowedAfter(will(280, 160))).toEqual([160, 280]);
  expect(allowedAfter(will(280, 160), will(300, 160))).toEqual([160, 280, 300]);
});

test('after an acknowledgement only that bid will do', () => {
  expect(allowedAfter(will(280, 160), edited(280))).toEqual([280]);
  expect(allowedAfter(will(280, 160), will(300, 160), edited(300))).toEqual([300]);
  expect(allowedAfter(will(280, 160), edited(280), will(300, 160))).toEqual([280, 300]);
});

test('an item that nobody edited is held to nothing', () => {
  expect(allowedAfter({ say: 'made', rows: [{ kind: 'adItem', id: item }] })).toBeNull();
});

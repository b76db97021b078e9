import { type Fields, fieldOf, isFields, readWord } from '../fields.ts';
import { Refusal } from '../refusal.ts';
import type { Service } from '../service.ts';
import type { OtherWords } from '../wire/other-words.ts';
import type { Paging } from '../wire/paging.ts';
import { type ControlCall, type ControlRoute, fieldsOf } from './route.ts';

/** `POST /sandbox/wire`: lists in pages, ids beyond 2^53, other words of enumerations. What is left out is switched off. */
export const wireControlRoutes: readonly ControlRoute[] = [{ method: 'POST', path: '/sandbox/wire', handle: setModes }];

function setModes(service: Service, call: ControlCall): unknown {
  const fields = fieldsOf(call);
  const paging = fieldOf(fields, 'paging') ?? null;
  if (paging !== null && !isFields(paging)) throw new Refusal(400, 'paging is an object with size, or null');
  service.modes.set({
    paging: paging === null ? null : readPaging(paging),
    largeIds: fieldOf(fields, 'largeIds') === true,
    words: readWords(fieldOf(fields, 'words') ?? {}),
  });
  return service.modes.current();
}

function readWords(value: unknown): OtherWords {
  const isOf = (each: unknown, of: (entry: unknown) => boolean): boolean =>
    isFields(each) && Object.values(each).every(of);
  const isText = (each: unknown): boolean => typeof each === 'string' && each !== '';
  if (!isOf(value, (call) => isOf(call, (member) => isOf(member, isText)))) {
    throw new Refusal(400, 'words is an object: by call and member, the word of the document and the other one');
  }
  return value as OtherWords;
}

function readPaging(fields: Fields): Paging {
  const size = fieldOf(fields, 'size');
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 1) {
    throw new Refusal(400, 'size must be a whole number from 1');
  }
  return {
    size,
    listName: readWord(fields, 'listName', ['items', 'data', 'results'] as const) ?? 'items',
    tokenName: readWord(fields, 'tokenName', ['nextToken', 'nextPageToken', 'paginationToken'] as const) ?? 'nextToken',
  };
}

import type { Kind } from '../model/kinds.ts';
import type { RemoteId, RowId } from '../model/scalars.ts';
import type { PlanBatch, PlanElement, WireObject, WireValue } from './plan-types.ts';
import { joinKeywordLists } from './wire.ts';

/**
 * Bodies as the exact JSON text that goes on the wire. Numbers are written digit for digit as planned, so
 * 1500.00 stays 1500.00 and an id above 2^53 stays exact.
 */
export type ResolveId = (kind: Kind, id: RowId) => RemoteId | null;

export const unresolved: ResolveId = () => null;

/**
 * One element. A reference to a row without remote id is written as the text `"@kind/id"`.
 *
 * @param quote how texts become JSON
 */
export const renderBody = (element: PlanElement, resolve: ResolveId, quote: Quote = JSON.stringify): string =>
  renderValue(element.body, resolve, quote);

type Quote = (text: string) => string;

/**
 * The body of a whole request: an array of its elements; for keywords in seed words one object with all texts;
 * for a logo the object of the form's JSON part.
 */
export function renderBatch(batch: PlanBatch, resolve: ResolveId): string {
  return renderValue(batchBody(batch), resolve, JSON.stringify);
}

function batchBody(batch: PlanBatch): WireValue {
  const bodies: readonly WireObject[] = batch.elements.map((element) => element.body);
  const [first] = bodies;
  if (batch.verb === 'logo' && first !== undefined) return first;
  if (batch.verb === 'create' && first?.['keywords'] !== undefined) return joinKeywordLists(bodies);
  return bodies;
}

/** The rows whose remote ids a batch needs before it can be sent. */
export function refsOf(batch: PlanBatch): readonly { readonly kind: Kind; readonly id: RowId }[] {
  const found = new Map<string, { readonly kind: Kind; readonly id: RowId }>();
  const visit = (value: WireValue): void => {
    if (value === null || typeof value !== 'object') return;
    if (isList(value)) for (const item of value) visit(item);
    else if (isRef(value)) found.set(`${value.ref}/${value.id}`, { kind: value.ref, id: value.id });
    else if (!isNumber(value)) for (const item of Object.values(value)) visit(item);
  };
  visit(batchBody(batch));
  return [...found.values()];
}

function renderValue(value: WireValue, resolve: ResolveId, quote: Quote): string {
  if (typeof value === 'string') return quote(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map((item) => renderValue(item, resolve, quote)).join(',')}]`;
  if (isNumber(value)) return value.num;
  if (isRef(value)) return resolve(value.ref, value.id) ?? JSON.stringify(`@${value.ref}/${value.id}`);
  const members = Object.entries(value).map(([key, item]) => `${quote(key)}:${renderValue(item, resolve, quote)}`);
  return `{${members.join(',')}}`;
}

type Structured = Exclude<WireValue, string | boolean | null>;
const isList = (value: Structured): value is readonly WireValue[] => Array.isArray(value);
const isNumber = (value: Structured): value is { readonly num: string } =>
  !isList(value) && Object.hasOwn(value, 'num') && Object.keys(value).length === 1;
const isRef = (value: Structured): value is { readonly ref: Kind; readonly id: RowId } =>
  !isList(value) && Object.hasOwn(value, 'ref') && Object.keys(value).length === 2;

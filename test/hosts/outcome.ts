import { ORPCError } from '@orpc/client';
import { isContractProcedure } from '@orpc/contract';
import { contract } from '../../shared/api/contract.ts';
import type { Client } from './lines.ts';

/** What came back over a line: an answer, or an error as it crossed. */
export type Outcome =
  | { readonly answer: unknown }
  | { readonly code: string; readonly data: unknown; readonly declared: boolean; readonly text: string };

/** Calls the operation at a dotted path of the contract, as code without types would. */
export async function callAt(client: Client, path: string, input: unknown): Promise<Outcome> {
  let operation: unknown = client;
  for (const name of path.split('.')) operation = Reflect.get(Object(operation), name);
  if (typeof operation !== 'function') throw new Error(`${path} is no operation.`);
  try {
    return { answer: await operation(input) };
  } catch (error) {
    if (!(error instanceof ORPCError)) throw error;
    return { code: error.code, data: error.data, declared: error.defined, text: JSON.stringify(error.toJSON()) };
  }
}

/** A result, or an error that the operation declares or that every one has; never a defect. */
export const isFair = (outcome: Outcome): boolean =>
  'answer' in outcome || outcome.declared || outcome.code === 'BAD_REQUEST';

/** The dotted paths of every operation of the contract. */
export function operations(node: unknown = contract, path: readonly string[] = []): readonly string[] {
  if (isContractProcedure(node)) return [path.join('.')];
  return Object.entries(Object(node)).flatMap(([name, inner]) => operations(inner, [...path, name]));
}

/** The form of a value: names and types without the values, so that ids and times may differ. */
export function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [formOf(value[0])];
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, formOf(inner)]));
}

import { isContractProcedure } from '@orpc/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Account } from '../../shared/api/accounts.ts';
import { contract } from '../../shared/api/contract.ts';
import { operations } from './lines.ts';

/** What an operation has a place for, by the names in its schemas: what has none cannot cross. */
type Side = 'inputSchema' | 'outputSchema';

function placesOf(path: string, side: Side): readonly string[] {
  const found = path.split('.').reduce<unknown>((node, name) => Reflect.get(Object(node), name), contract);
  if (!isContractProcedure(found)) throw new Error(`${path} is no operation`);
  const schema = found['~orpc'][side];
  return schema instanceof z.ZodType ? namesIn(schema) : [];
}

const namesIn = (schema: z.ZodType): readonly string[] =>
  namesBelow(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input', cycles: 'ref' }));

function namesBelow(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, inner]) => [
    ...(key === 'properties' ? Object.keys(Object(inner)) : []),
    ...namesBelow(inner),
  ]);
}

const SECRET = /secret|token|passphrase|password|pem$|private|signValue|authorization/i;

test('no answer has a place for a secret, and none for a signature of a text that was asked for', () => {
  const paths = operations();
  expect(paths.length).toBeGreaterThan(100);
  const named = paths.flatMap((path) => placesOf(path, 'outputSchema').map((name) => `${path}: ${name}`));
  expect(named.length).toBeGreaterThan(500);
  const secret = named.filter((place) => SECRET.test(place.split(': ')[1] ?? ''));
  // One word that says how they are kept.
  expect(Account.shape.secrets).toBeInstanceOf(z.ZodEnum);
  expect(secret.filter((place) => !/^(accounts\.\w+|team\.connect): secrets$/.test(place))).toEqual([]);
});

test('no operation but the one that connects an account says where its requests go, so a draft cannot change sides', () => {
  const saying = operations().filter((path) =>
    placesOf(path, 'inputSchema').some((name) => /^(baseUrl|advertiserId|consumerId|practice)$/.test(name)),
  );
  expect(saying).toEqual(['accounts.connect']);
});

test('planted, a place for a secret is noticed at any depth', () => {
  const planted = z.array(z.strictObject({ kept: z.union([z.null(), z.strictObject({ privateKeyPem: z.string() })]) }));
  expect(namesIn(planted).filter((name) => SECRET.test(name))).toEqual(['privateKeyPem']);
});

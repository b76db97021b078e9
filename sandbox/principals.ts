import { createPublicKey, generateKeyPair, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { Role } from './access.ts';
import type { Service } from './service.ts';

/**
 * The principals that can call the service. The same five (or the owners among them) exist in every scenario and keep
 * their credentials over resets, so a client that read the ready line once stays signed in. `POST /sandbox/accounts`
 * adds more.
 */
export interface Account {
  readonly advertiserId: number;
  readonly name: string;
  readonly migrated: boolean;
  readonly role: Role;
  readonly token: string;
  readonly consumerId: string;
  readonly keyVersion: string;
  readonly privateKeyPem: string;
}

export interface KeyTexts {
  readonly publicKey: string;
  /** Empty if the caller sent its own public key. */
  readonly privateKey: string;
}

const KEY_VERSION = '2';

/** In the order of the ready line: the first account of an advertiser is its owner. */
const standardPrincipals: readonly (readonly [advertiser: 'first' | 'second', role: Role])[] = [
  ['first', 'owner'],
  ['second', 'owner'],
  ['first', 'reader'],
  ['first', 'adOps'],
  ['first', 'stranger'],
];

const generateKeys = promisify(generateKeyPair);

export async function createKeys(): Promise<KeyTexts> {
  return generateKeys('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

/**
 * Keys of the standard principals, in their order, made once per process for all services: each takes 0.05 s of CPU.
 * Services still differ in consumer IDs and tokens.
 */
const standardKeys: Promise<KeyTexts>[] = [];

/** Creates the standard principals in a new store. */
export async function createStandardPrincipals(service: Service): Promise<void> {
  if (service.store.one('SELECT 1 FROM principal') !== undefined) return;
  const { credentials, advertiser: first } = service.settings;
  const owners = standardPrincipals.filter(([, role]) => role === 'owner');
  const wanted = credentials === 'all' ? standardPrincipals : credentials === 'owners' ? owners : owners.slice(0, 1);
  while (standardKeys.length < wanted.length) standardKeys.push(createKeys());
  const keys = await Promise.all(standardKeys.slice(0, wanted.length));
  service.store.inTransaction(() => {
    wanted.forEach(([advertiser, role], index) => {
      const advertiserId = advertiser === 'first' ? first : first + 1;
      const keyTexts = keys[index];
      if (keyTexts !== undefined) insertPrincipal(service, advertiserId, role, keyTexts, true);
    });
  });
}

/** @returns the consumer id of the new principal */
export function insertPrincipal(
  service: Service,
  advertiserId: number,
  role: Role,
  keys: KeyTexts,
  standard = false,
  consumerId: string = randomUUID(),
): string {
  service.store.insert('principal', {
    consumer_id: consumerId,
    advertiser_id: advertiserId,
    role,
    token: `sandbox-${randomUUID()}`,
    key_version: KEY_VERSION,
    public_key: keys.publicKey,
    private_key: keys.privateKey,
    standard: standard ? 1 : 0,
  });
  return consumerId;
}

export function listAccounts(service: Service): readonly Account[] {
  return service.store.list('principal').map((row) => {
    const advertiser = service.store.find('advertiser', row.advertiser_id);
    return {
      advertiserId: row.advertiser_id,
      name: advertiser?.name ?? '',
      migrated: advertiser?.migrated === 1,
      role: row.role,
      token: row.token,
      consumerId: row.consumer_id,
      keyVersion: row.key_version,
      privateKeyPem: row.private_key,
    };
  });
}

/** Normalizes a caller's public key in PEM to the stored form; throws if it is none. */
export function normalisePublicKey(pem: string): string {
  return createPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString();
}

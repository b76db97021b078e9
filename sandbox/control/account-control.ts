import { type Role, roles } from '../access.ts';
import { fieldOf, readId, readText, readWord } from '../fields.ts';
import { findAdvertiser } from '../lookups.ts';
import { createKeys, insertPrincipal, type KeyTexts, listAccounts, normalisePublicKey } from '../principals.ts';
import { Refusal } from '../refusal.ts';
import { addAdvertiser, migrateAdvertiser } from '../scenarios/accounts.ts';
import type { Service } from '../service.ts';
import { type ControlCall, type ControlRoute, fieldsOf, idOf } from './route.ts';

/** Further principals, and the migration of one advertiser before the cutover. */
export const accountControlRoutes: readonly ControlRoute[] = [
  { method: 'POST', path: '/sandbox/accounts', handle: addAccount },
  { method: 'POST', path: '/sandbox/accounts/:advertiserId/migrate', handle: migrate },
];

async function addAccount(service: Service, call: ControlCall): Promise<unknown> {
  const fields = fieldsOf(call);
  const advertiserId = readId(fields, 'advertiserId');
  if (advertiserId === null || advertiserId < 0) throw new Refusal(400, 'advertiserId is needed');
  const role: Role = readWord(fields, 'role', roles) ?? 'owner';
  const consumerId = readText(fields, 'consumerId');
  const keys = await keysFor(readText(fields, 'publicKeyPem'));
  return service.store.inTransaction(() => {
    if (consumerId !== null && listAccounts(service).some((account) => account.consumerId === consumerId)) {
      throw new Refusal(409, 'consumerId is taken');
    }
    if (findAdvertiser(service, advertiserId) === undefined) {
      addAdvertiser(
        service,
        advertiserId,
        readText(fields, 'name') ?? `Advertiser ${advertiserId}`,
        fieldOf(fields, 'migrated') !== false,
      );
    }
    const added = insertPrincipal(service, advertiserId, role, keys, false, consumerId ?? undefined);
    return listAccounts(service).find((account) => account.consumerId === added);
  });
}

/** The caller may bring the public half of its own key; the private half then stays with it. */
async function keysFor(publicKeyPem: string | null): Promise<KeyTexts> {
  if (publicKeyPem === null) return createKeys();
  try {
    return { publicKey: normalisePublicKey(publicKeyPem), privateKey: '' };
  } catch {
    // node:crypto's text names an internal routine; the caller needs to know which field was wrong.
    throw new Refusal(400, 'publicKeyPem is no public key in PEM');
  }
}

function migrate(service: Service, call: ControlCall): unknown {
  const advertiserId = idOf(call, 'advertiserId');
  if (findAdvertiser(service, advertiserId) === undefined) throw new Refusal(404, 'No such advertiser');
  migrateAdvertiser(service, advertiserId);
  return { advertiserId, migrated: true };
}

import { generateKeyPairSync } from 'node:crypto';
import { createPartnerApi, type PartnerApi } from '../../main/api/partner-api.ts';
import { systemClock } from '../../main/app/clock.ts';
import type { RemoteId } from '../../shared/model/scalars.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const PRIVATE_KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** The client of an advertiser at an address, with a key and a token of its own. */
export const anApi = (baseUrl: string, more: Partial<Parameters<typeof createPartnerApi>[1]> = {}): PartnerApi =>
  createPartnerApi(
    {
      baseUrl,
      advertiserId: '900001' as RemoteId,
      consumerId: 'consumer',
      keyVersion: '2',
      headerPrefix: 'SVC',
      timestampUnit: 'ms',
      signatureAlgorithm: 'RS256',
    },
    { secrets: async () => ({ token: 'secret-token', privateKeyPem: PRIVATE_KEY }), clock: systemClock, ...more },
  );

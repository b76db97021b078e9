import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { beforeAll, expect, test } from 'vitest';
import { createPartnerApi } from '../../main/api/partner-api.ts';
import { systemClock } from '../../main/app/clock.ts';
import { remoteId } from '../../shared/model/scalars.ts';
import { aCertificate } from '../sync/a-certificate.ts';

/** A service that proves itself with a certificate nobody has signed, as one in the middle would. */
let server: Server;
let requests = 0;
beforeAll(async () => {
  server = createServer(aCertificate('localhost'), (_request, response) => {
    requests += 1;
    response.end('[]');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return () => server.close();
});

test('it gets no request, and there is no way to continue anyway', async () => {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  const advertiserId = remoteId('7');
  if (advertiserId === null) throw new Error('No id.');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const api = createPartnerApi(
    {
      baseUrl: `https://localhost:${address.port}`,
      advertiserId,
      consumerId: 'c',
      keyVersion: '1',
      headerPrefix: 'SVC',
      timestampUnit: 'ms',
      signatureAlgorithm: 'RS256',
    },
    { secrets: async () => ({ token: 'token-canary', privateKeyPem }), clock: systemClock },
  );
  const read = await api.media(null);
  api.close();
  expect(read.ok).toBe(false);
  expect(JSON.stringify(read)).not.toContain('token-canary');
  expect(requests).toBe(0);
});

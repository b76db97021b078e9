import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { beforeAll, expect, test } from 'vitest';
import { anApi } from '../api/an-api.ts';
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
  const api = anApi(`https://localhost:${address.port}`);
  const read = await api.media(null);
  api.close();
  expect(read.ok).toBe(false);
  expect(JSON.stringify(read)).not.toContain('secret-token');
  expect(requests).toBe(0);
});

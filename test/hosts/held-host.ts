import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { aWebHost, signedIn, type WebHost } from './a-web-host.ts';
import { prepare } from './prepared.ts';
import { stateHash } from './state-hash.ts';

/** A running host with a page that is signed in and an account that nothing may change. */
export interface HeldHost {
  readonly host: WebHost;
  /** Its name and port, as in a `Host` header. */
  readonly own: string;
  readonly secrets: { readonly cookie: string; readonly token: string };
}

/** Gives the tests of a file one host, and holds its account after each of them to the state that it had before all. */
export function onHeldHost(tell: (held: HeldHost) => void): void {
  let host: WebHost;
  let workspaceId: string;
  let before: string;
  beforeAll(async () => {
    host = await aWebHost();
    const secrets = await signedIn(host);
    ({ workspaceId } = await prepare(host.core, 'held'));
    before = await stateHash(host.core, workspaceId);
    tell({ host, own: `127.0.0.1:${host.server.port}`, secrets });
  });
  afterEach(async () => {
    expect(await stateHash(host.core, workspaceId), 'the account is as it was').toBe(before);
  });
  afterAll(() => host.close());
}

import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import type { SecretBox } from '../app/core-types.ts';

/**
 * The Ed25519 key by which others recognise files of this installation. It is made when something is first signed, and
 * kept as the keys of accounts are: sealed, or in memory alone, and then it is another one after every start.
 */
export interface SigningKey {
  /** Null while the secrets are locked or refused: nothing can be signed then. */
  read(): Promise<KeyObject | null>;
}

/** No workspace id holds a point, so no account can ever have this name. */
const BOX = 'installation.signing';

export function createSigningKey(secrets: SecretBox): SigningKey {
  const inTurn = createSerialQueue();
  return {
    read: () =>
      inTurn(async () => {
        const kept = await secrets.get(BOX);
        if (kept !== null) return createPrivateKey(kept.privateKeyPem);
        const { privateKey } = generateKeyPairSync('ed25519');
        const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
        const put = await secrets.put(BOX, { token: '', privateKeyPem });
        return put.ok ? privateKey : null;
      }),
  };
}

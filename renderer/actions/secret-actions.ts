import type { SecretsGrade } from '../../shared/contract/secrets.ts';
import { enSecrets } from '../messages/en-secrets.ts';
import { errorText } from '../messages/errors.ts';
import type { Doing } from './doing.ts';

/** How keys and tokens are kept. Each answers with why not, in words, or null when it was done. */
export interface SecretActions {
  unlockSecrets(passphrase: string): Promise<string | null>;
  lockSecrets(): Promise<string | null>;
  /** @param passphrase null for the ways that have none */
  chooseSecrets(grade: SecretsGrade, passphrase: string | null): Promise<string | null>;
}

export function secretActions({ connection: { client }, notes }: Doing): SecretActions {
  const done = async (call: () => Promise<unknown>): Promise<string | null> => {
    try {
      await call();
      return null;
    } catch (failure) {
      return errorText(failure);
    }
  };
  return {
    unlockSecrets: (passphrase) => done(() => client.secrets.unlock({ passphrase })),
    lockSecrets: () => done(() => client.secrets.lock()),
    chooseSecrets: async (grade, passphrase) => {
      const problem = await done(() =>
        client.secrets.choose({ grade, ...(passphrase === null ? {} : { passphrase }) }),
      );
      if (problem === null) notes.tell(enSecrets.changed);
      return problem;
    },
  };
}

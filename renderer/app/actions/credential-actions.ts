import type { CredentialStorage } from '../../../shared/api/accounts.ts';
import { enCredentials } from '../../texts/en-credentials.ts';
import { errorText } from '../../texts/errors.ts';
import type { ActionContext } from './action-context.ts';

/** How keys and tokens are kept. Each answers with why not, in words, or null when it was done. */
export interface CredentialActions {
  unlockSecrets(passphrase: string): Promise<string | null>;
  lockSecrets(): Promise<string | null>;
  /** @param passphrase null for the ways that have none */
  chooseSecrets(grade: CredentialStorage, passphrase: string | null): Promise<string | null>;
}

export function secretActions({ connection: { client }, notes }: ActionContext): CredentialActions {
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
      if (problem === null) notes.tell(enCredentials.changed);
      return problem;
    },
  };
}

import { ORPCError } from '@orpc/client';
import type { Account } from '../../shared/contract/accounts.ts';
import type { Preferences } from '../../shared/contract/app.ts';
import { foundSettingText } from '../../shared/explain/refused-connection.ts';
import type { CapabilityName } from '../../shared/plan/capabilities.ts';
import { capabilities } from '../data/account-questions.ts';
import { en } from '../messages/en.ts';
import { enResponses } from '../messages/en-answers.ts';
import { enSettings } from '../messages/en-settings.ts';
import { errorText } from '../messages/errors.ts';
import type { Client } from '../transport/connection.ts';
import type { ActionContext } from './doing.ts';

type ConnectInput = Parameters<Client['accounts']['connect']>[0];

/** Accounts and what is remembered for this user. */
export interface AccountActions {
  addPractice(name: string): Promise<Account | null>;
  /** Answers with the failure itself, because the form shows it next to its fields. */
  connectAccount(input: ConnectInput): Promise<{ readonly account: Account } | { readonly failure: unknown }>;
  renameAccount(workspaceId: string, name: string): Promise<void>;
  setMode(workspaceId: string, mode: Account['mode']): Promise<void>;
  /** @param text a policy that can be read (`shared/merge/conflict-policy.ts`) */
  setConflictPolicy(workspaceId: string, text: string): Promise<boolean>;
  /** Keeps no more than so many megabytes of what the service answered; 0 keeps none. */
  keepAnswers(workspaceId: string, boundMb: number): Promise<void>;
  /** Stores what a deployment has otherwise than usual. @returns what cannot be used of it, in sentences; none when it is in use */
  setProfile(workspaceId: string, text: string): Promise<readonly string[]>;
  /** Asks the service which requests it offers beyond the documented ones. */
  probeCapabilities(workspaceId: string): Promise<void>;
  /** @param use null follows what the service offers */
  setCapability(workspaceId: string, name: CapabilityName, use: boolean | null): Promise<void>;
  removeAccount(workspaceId: string): Promise<void>;
  openAccount(workspaceId: string): void;
  /** @returns whether main has them now; why not was told */
  remember(changes: Partial<Preferences>): Promise<boolean>;
}

export function accountActions(doing: ActionContext): AccountActions {
  const { client } = doing.connection;
  const remember = async (changes: Partial<Preferences>): Promise<boolean> => {
    try {
      await client.app.preferences.set(changes);
      return true;
    } catch (error) {
      doing.notes.fail(errorText(error));
      return false;
    }
  };
  const openAccount = (workspaceId: string): void => {
    doing.store.getState().openWorkspace(workspaceId);
    void remember({ lastWorkspaceId: workspaceId });
  };
  return {
    addPractice: async (name) => {
      try {
        const account = await client.accounts.addPractice({ name });
        openAccount(account.workspaceId);
        return account;
      } catch (error) {
        doing.notes.fail(errorText(error));
        return null;
      }
    },
    connectAccount: async (input) => {
      try {
        const { found, clockAheadSeconds: _, ...account } = await client.accounts.connect(input);
        openAccount(account.workspaceId);
        for (const { setting, value } of found) doing.notes.tell(foundSettingText(setting, value));
        return { account };
      } catch (failure) {
        return { failure };
      }
    },
    renameAccount: async (workspaceId, name) => {
      try {
        await client.accounts.rename({ workspaceId, name });
      } catch (error) {
        doing.notes.fail(errorText(error));
      }
    },
    setMode: async (workspaceId, mode) => {
      try {
        await client.accounts.setMode({ workspaceId, mode });
      } catch (error) {
        doing.notes.fail(errorText(error));
      }
    },
    setConflictPolicy: async (workspaceId, text) => {
      try {
        await client.conflictPolicy.set({ workspaceId, text });
      } catch (error) {
        doing.notes.fail(errorText(error));
        return false;
      }
      doing.queries.refetch(`conflict policy ${workspaceId}`);
      return true;
    },
    keepAnswers: async (workspaceId, boundMb) => {
      try {
        await client.answers.keep({ workspaceId, boundMb });
      } catch (error) {
        doing.notes.fail(errorText(error));
        return;
      }
      doing.queries.refetch(`answers kept ${workspaceId}`);
      doing.notes.tell(enResponses.kept.saved(boundMb));
    },
    setProfile: async (workspaceId, text) => {
      try {
        await client.accounts.setProfile({ workspaceId, text });
        doing.queries.refetch(`profile ${workspaceId}`);
        doing.notes.tell(enSettings.saved);
        return [];
      } catch (error) {
        return problemsOf(error);
      }
    },
    probeCapabilities: async (workspaceId) => {
      try {
        await client.accounts.probeCapabilities({ workspaceId });
        doing.notes.tell(enSettings.capabilities.probed);
      } catch (error) {
        doing.notes.fail(errorText(error));
      }
      doing.queries.refetch(capabilities(workspaceId).key);
    },
    setCapability: async (workspaceId, name, use) => {
      try {
        await client.accounts.setCapability({ workspaceId, name, use });
      } catch (error) {
        doing.notes.fail(errorText(error));
      }
      doing.queries.refetch(capabilities(workspaceId).key);
    },
    removeAccount: async (workspaceId) => {
      try {
        const { removed } = await client.accounts.remove({ workspaceId });
        doing.notes.tell(en.account.removed(removed.length));
      } catch (error) {
        doing.notes.fail(errorText(error));
      }
    },
    openAccount,
    remember,
  };
}

/** Every value that was refused, each in a sentence; another failure in one. */
function problemsOf(error: unknown): readonly string[] {
  if (!(error instanceof ORPCError) || error.code !== 'BAD_PROFILE') return [errorText(error)];
  const { problems } = error.data as { readonly problems: readonly { readonly problem: string }[] };
  return problems.map(({ problem }) => problem);
}

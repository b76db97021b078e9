import type { Account, ConnectedAccount } from '../../shared/api/accounts.ts';
import type { Failure } from '../../shared/api/operation.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { parseProfile, withProfileValues } from '../../shared/deployment/settings-text.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { err, fail, ok, type Result } from '../../shared/result.ts';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import type { DataFolder } from '../app/data-folder.ts';
import type { ActiveAccounts } from '../core/active-accounts.ts';
import type { CoreOptions } from '../core/core-options.ts';
import { type PracticeScenario, type PracticeUnavailable, startPracticeService } from '../practice/practice-service.ts';
import {
  type AccountRecord,
  accountView,
  colorOf,
  newWorkspaceId,
  practiceFolder,
  profileOf,
  removeAccountFiles,
  teamSecretId,
} from './account-record.ts';
import { type ConnectionDraft, testConnection, type WireForm } from './connection-test.ts';
import type { WorkspaceIdentity } from './open-workspace.ts';
import { type AccountRegistry, isSameName, sameAdvertiser } from './registry.ts';

/** Adds, changes and removes accounts. Its results may go to windows: no secret and no path. */
export type AccountService = ReturnType<typeof createAccountService>;

interface AccountDraft extends ConnectionDraft {
  readonly name: string;
  readonly extensions: boolean;
}

/** Why a connection is not stored. */
type NotKept = Failure<'NAME_TAKEN' | 'ALREADY_CONNECTED' | 'TOO_MANY_ACCOUNTS' | 'BAD_CREDENTIALS'>;

type NoPractice = Failure<'NAME_TAKEN' | 'TOO_MANY_ACCOUNTS'> | PracticeUnavailable;

/** Target ROAS of the sample account: its campaigns are above, at and below it. */
const SAMPLE_ROAS = 4;

/** Each practice service has two advertisers, of which the account is the first. */
const [FIRST_PRACTICE_ADVERTISER, PRACTICE_ADVERTISERS] = [900_001, 2];

/** An advertiser that no account has, so that two practice accounts and their archives can be distinguished. */
function newPracticeAdvertiser(others: readonly AccountRecord[]): string {
  const taken = new Set(others.map(({ advertiserId }) => advertiserId));
  let id = FIRST_PRACTICE_ADVERTISER;
  while (taken.has(String(id))) id += PRACTICE_ADVERTISERS;
  return String(id);
}

export interface AccountServiceDeps {
  readonly options: CoreOptions;
  readonly registry: AccountRegistry;
  readonly identity: WorkspaceIdentity;
  readonly folder: Pick<DataFolder, 'make'>;
  readonly open: Pick<ActiveAccounts, 'close' | 'whileClosed'>;
  readonly changed: () => void;
}

export function createAccountService(deps: AccountServiceDeps) {
  const { options, registry } = deps;
  /** Practice accounts are added one at a time, so that each finds a free advertiser at its first try. */
  const inTurn = createSerialQueue();
  const view = (record: AccountRecord): Promise<Account> => viewOf(record, options);
  const stored = async <E>(added: Result<AccountRecord, E>, isTold = true): Promise<Result<Account, E>> => {
    if (!added.ok) return added;
    if (isTold) deps.changed();
    return ok(await view(added.value));
  };
  const tryPractice = async (name: string, scenario: PracticeScenario) => {
    const others = await registry.list();
    const workspaceId = newWorkspaceId(name);
    deps.folder.make();
    const service = await startPracticeService(practiceFolder(options.dataDir, workspaceId), {
      scenario,
      advertiserId: newPracticeAdvertiser(others),
      start: options.threads.practice,
    });
    if (!service.ok) {
      await removeAccountFiles(options.dataDir, workspaceId);
      return service;
    }
    const { account, retailHost, headerPrefix } = service.value;
    await service.value.close();
    const record: AccountRecord = {
      workspaceId,
      name,
      advertiserId: account.advertiserId,
      practice: true,
      baseUrl: '',
      consumerId: account.consumerId,
      keyVersion: account.keyVersion,
      headerPrefix,
      retailHost,
      extensions: true,
      migrated: account.migrated,
      color: colorOf(others.length),
      mode: 'normal',
      keyFingerprint: null,
      ...(scenario === 'sample' ? { isSample: true as const, targetRoas: SAMPLE_ROAS } : {}),
      secrets: { kept: 'practice' },
    };
    const added = await registry.add(record, true);
    if (!added.ok) await removeAccountFiles(options.dataDir, workspaceId);
    return added;
  };

  return {
    list: async () => Promise.all((await registry.list()).map(view)),
    /** @param scenario initial content of the service; for a sample, the code that fills it announces it to windows */
    addPractice: (name: string, scenario: PracticeScenario = 'empty') =>
      inTurn(async (): Promise<Result<Account, NoPractice>> => {
        for (;;) {
          const added = await tryPractice(name, scenario);
          if (added.ok) return stored(added, scenario === 'empty');
          const { error } = added;
          // Another process has added an account with this advertiser in the meantime.
          if (error.code !== 'ALREADY_CONNECTED') return err(error);
        }
      }),
    /**
     * For an advertiser that is connected already under the same name, key and token are renewed. After an abort
     * during the test, nothing is stored.
     */
    connect: async (
      draft: AccountDraft,
      signal?: AbortSignal,
    ): Promise<Result<ConnectedAccount, NotKept | Failure<'CANCELLED'>>> => {
      // The command line keeps no secrets between runs: it stores the paths of the user's own files.
      const inFiles = options.host === 'cli';
      deps.folder.make();
      const { state } = await options.secrets.status();
      if (!inFiles && state !== 'open') return fail('BAD_CREDENTIALS', { step: 'secrets', detail: state });
      const others = await registry.list();
      // The same account again under its name: its key or token was renewed, or must be entered again after a start.
      const namesakes = others.filter(({ name }) => isSameName(name, draft.name));
      const known = (baseUrl: string) => sameAdvertiser(namesakes, { ...draft, baseUrl, practice: false });
      const elsewhere = (baseUrl: string) => {
        const other = known(baseUrl) === null ? sameAdvertiser(others, { ...draft, baseUrl, practice: false }) : null;
        return other === null ? ok(null) : fail('ALREADY_CONNECTED', { name: other.name });
      };
      const asEntered = elsewhere(draft.baseUrl);
      if (!asEntered.ok) return asEntered;
      // The request form that was accepted before is tried first.
      const before = namesakes.find(({ practice, advertiserId }) => !practice && advertiserId === draft.advertiserId);
      const { signature } = before === undefined ? defaultDeploymentSettings() : profileOf(before);
      const proven = await testConnection(
        draft,
        { timestampUnit: signature.timestampUnit, signatureAlgorithm: signature.algorithm },
        { clock: options.clock, ...(options.fetch === undefined ? {} : { fetch: options.fetch }) },
      );
      if (signal?.aborted === true) return fail('CANCELLED', {});
      if (!proven.ok) return proven;
      const { form } = proven.value;
      const connection = {
        consumerId: draft.consumerId,
        keyVersion: form.keyVersion,
        headerPrefix: form.headerPrefix,
        retailHost: draft.retailHost,
        extensions: draft.extensions,
        keyFingerprint: proven.value.keyFingerprint,
        secrets: inFiles
          ? ({
              kept: 'files',
              keyFile: draft.keyFile.path,
              ...(draft.keyPassphraseFile === null ? {} : { keyPassphraseFile: draft.keyPassphraseFile.path }),
              tokenFile: draft.tokenFile.path,
            } as const)
          : ({ kept: 'box' } as const),
        profile: withProfileValues(before?.profile ?? '', {
          'signature.timestampUnit': form.timestampUnit,
          'signature.algorithm': form.signatureAlgorithm,
        }),
      };
      const asFound = elsewhere(form.baseUrl);
      if (!asFound.ok) return asFound;
      const renewed = known(form.baseUrl);
      const workspaceId = renewed?.workspaceId ?? newWorkspaceId(draft.name);
      const keep = async (): Promise<Result<AccountRecord, NotKept>> => {
        const kept =
          renewed === null
            ? await registry.add({
                workspaceId,
                name: draft.name,
                advertiserId: draft.advertiserId,
                practice: false,
                baseUrl: form.baseUrl,
                migrated: null,
                color: colorOf(others.length),
                mode: 'normal',
                ...connection,
              })
            : await registry.change(workspaceId, connection);
        if (!kept.ok)
          return kept.error.code === 'NO_WORKSPACE' ? fail('NAME_TAKEN', { name: draft.name }) : err(kept.error);
        if (inFiles) return kept;
        const put = await options.secrets.put(workspaceId, proven.value.secret);
        return put.ok ? kept : fail('BAD_CREDENTIALS', { step: 'secrets', detail: put.error.data.reason });
      };
      // An open account still uses the old key and token.
      const added = await stored(await deps.open.whileClosed(workspaceId, keep));
      if (!added.ok) return added;
      return ok({ ...added.value, found: differences(draft, form), clockAheadSeconds: proven.value.clockAheadSeconds });
    },
    change: async (workspaceId: WorkspaceId, changes: { readonly name?: string; readonly mode?: Account['mode'] }) =>
      stored(await registry.change(workspaceId, changes)),
    /** Sets the limits that differ from the defaults. The next call opens the account again. */
    setProfile: async (
      workspaceId: WorkspaceId,
      text: string,
    ): Promise<Result<null, Failure<'BAD_PROFILE' | 'NO_WORKSPACE'>>> => {
      // Blank text means the default.
      const parsed = parseProfile(text);
      if (!parsed.ok) return fail('BAD_PROFILE', { problems: parsed.error });
      const changed = await registry.change(workspaceId, { profile: text });
      if (!changed.ok) return fail('NO_WORKSPACE', { workspaceId });
      await deps.open.close(workspaceId);
      deps.changed();
      return ok(null);
    },
    /** True when the user has switched off everything that changes the service. */
    isReadOnly: async (workspaceId: WorkspaceId) => (await registry.find(workspaceId))?.mode === 'read-only',
    /** Names of the removed files below the data folder; null when there is no such account. */
    remove: (workspaceId: WorkspaceId): Promise<readonly string[] | null> =>
      deps.open.whileClosed(workspaceId, async () => {
        const gone = await registry.remove(workspaceId);
        if (gone === null) return null;
        await options.secrets.forget(workspaceId);
        if (gone.team !== undefined) await options.secrets.forget(teamSecretId(gone.team.workspace));
        await deps.identity.forget(workspaceId);
        const removed = await removeAccountFiles(options.dataDir, workspaceId);
        deps.changed();
        return removed;
      }),
  };
}

/** Settings found that differ from what the user entered; time unit and signature are never entered. */
function differences(draft: AccountDraft, form: WireForm): ConnectedAccount['found'] {
  const { baseUrl, headerPrefix, keyVersion } = draft;
  const entered: WireForm = { baseUrl, headerPrefix, keyVersion, timestampUnit: 'ms', signatureAlgorithm: 'RS256' };
  const settings = ['baseUrl', 'headerPrefix', 'keyVersion', 'timestampUnit', 'signatureAlgorithm'] as const;
  return settings
    .filter((setting) => form[setting] !== entered[setting])
    .map((setting) => ({ setting, value: form[setting] }));
}

/** The secrets of an account that were only in memory are `none` after a start: the user must enter them again. */
async function viewOf(record: AccountRecord, { secrets }: CoreOptions): Promise<Account> {
  if (record.secrets.kept !== 'box') return accountView(record, 'none');
  const { storage, state } = await secrets.status();
  if (state === 'locked') return accountView(record, 'locked');
  return accountView(record, (await secrets.get(record.workspaceId)) === null ? 'none' : storage);
}

import type { AppEvent } from '../../shared/api/app.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { shownLimits } from '../../shared/deployment/limits.ts';
import { formatProfile, profileDifference } from '../../shared/deployment/settings-text.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { workspaceFolder } from '../accounts/account-record.ts';
import { checkData, readDataSafety } from '../accounts/data-check.ts';
import { appInfo, diagnosticReport, loadAboutDocuments } from '../app/app-info.ts';
import type { PreferencesPort, SecretsRefused } from '../app/host-ports.ts';
import type { ActiveAccount } from '../core/active-account.ts';
import { noAccount, noGrant, readFailed } from './failures.ts';
import type { AppOperations, MainOperations, RouterContext } from './router.ts';
import { addSampleAccount } from './sample-account.ts';

/** Operations on accounts that also work if an account can't be opened. */
export function accountOperations(parts: RouterContext): Pick<AppOperations, 'accounts' | 'credentials' | 'backups'> {
  const { accounts, backups, events, grants, open, options } = parts;
  const { secrets } = options;
  /** Publishes the changed state of the credentials. */
  const settled = async (done: Result<unknown, SecretsRefused>) => {
    if (!done.ok) return done;
    events.publish({ type: 'accounts.changed' });
    return ok(await secrets.status());
  };
  const isKnown = async (workspaceId: string): Promise<boolean> =>
    (await accounts.list()).some((account) => account.workspaceId === workspaceId);
  return {
    accounts: {
      list: async () => ok(await accounts.list()),
      addPractice: (_context, { name }) => accounts.addPractice(name),
      addSample: (_context, { name }) => addSampleAccount(parts, name),
      connect: async ({ signal }, input) => {
        // Grants for secrets are valid for one attempt, whatever its result, so that no secret stays in memory.
        const added = await connect(parts, input, signal).finally(() => {
          for (const grant of [input.keyGrant, input.tokenGrant, input.keyPassphraseGrant]) {
            if (grant !== undefined) grants.forget(grant);
          }
        });
        if (!added.ok || !input.extensions) return added;
        // If the probe fails, the service is probed again before the first sync.
        const account = await open.get(added.value.workspaceId);
        if (account.ok) await account.value.capabilities.probe();
        return added;
      },
      rename: (_context, { workspaceId, name }) => accounts.change(workspaceId, { name }),
      setMode: async (_context, { workspaceId, mode }) => {
        const changed = await accounts.change(workspaceId, { mode });
        return changed.ok ? changed : noAccount(workspaceId);
      },
      setProfile: async (_context, { workspaceId, text }) => {
        const set = await accounts.setProfile(workspaceId, text);
        if (!set.ok) return set;
        const account = await open.get(workspaceId);
        return account.ok ? ok(shown(account.value)) : account;
      },
      remove: async (_context, { workspaceId }) => {
        const removed = await accounts.remove(workspaceId);
        return removed === null ? noAccount(workspaceId) : ok({ removed });
      },
    },
    credentials: {
      status: async () => ok(await secrets.status()),
      setStorage: async (_context, { storage, passphrase = null }) =>
        settled(await secrets.choose(storage, passphrase)),
      unlock: async (_context, { passphrase }) => settled(await secrets.unlock(passphrase)),
      lock: async () => {
        await secrets.lock();
        events.publish({ type: 'accounts.changed' });
        return ok(await secrets.status());
      },
      remove: async (_context, { workspaceId }) => {
        if (!(await isKnown(workspaceId))) return noAccount(workspaceId);
        await secrets.forget(workspaceId);
        events.publish({ type: 'accounts.changed' });
        return ok(await secrets.status());
      },
    },
    backups: {
      list: async (_context, { workspaceId }) => ok(await backups.list(workspaceId)),
      preview: (_context, { workspaceId, backupId }) => backups.preview(workspaceId, backupId),
      restore: (_context, { workspaceId, backupId }) => backups.restore(workspaceId, backupId),
      recover: async (_context, { workspaceId }) =>
        (await isKnown(workspaceId)) ? backups.recover(workspaceId) : noAccount(workspaceId),
    },
  };
}

/** Operations on an open account. */
export const openAccountOperations = ({
  accounts,
  options,
}: RouterContext): Pick<MainOperations, 'accounts' | 'backups' | 'checklist' | 'practice'> => ({
  accounts: {
    profile: ({ account }) => ok(shown(account)),
    capabilities: async ({ account }) => ok(await account.capabilities.list()),
    probeCapabilities: async ({ account }) => {
      const probed = await account.capabilities.probe();
      return probed.ok ? probed : readFailed(probed.error);
    },
    setCapability: async ({ account }, { name, use }) => ok(await account.capabilities.set(name, use)),
  },
  backups: {
    make: async ({ account }) => {
      const made = await account.safety.backUp('by-hand');
      if (!made.ok) return made;
      const { id, reason, at, bytes } = made.value;
      return ok({ backupId: id, reason, at, bytes });
    },
    safety: async ({ account }, { workspaceId }) =>
      ok(await readDataSafety(account, workspaceFolder(options.dataDir, workspaceId))),
    check: async ({ account }, { workspaceId }) => {
      await account.whileOpen(() => checkData(account, options.clock.nowMs()));
      return ok(await readDataSafety(account, workspaceFolder(options.dataDir, workspaceId)));
    },
    condition: ({ account: { safety } }) => ok({ writable: safety.viewOnly === null, notes: safety.notes() }),
    settle: async ({ account }, input) => {
      if (input.this === 'copied') await accounts.change(input.workspaceId, { mode: 'read-only' });
      await account.safety.settleCopy();
      return ok({});
    },
  },
  checklist: {
    get: async ({ account }) => ok(await account.checklist.get()),
    seeOverview: async ({ account }) => ok(await account.checklist.seeOverview()),
    setClosed: async ({ account }, { closed }) => ok(await account.checklist.setClosed(closed)),
  },
  practice: {
    state: ({ account }) => practised(account, (control) => control.state()),
    advance: async ({ account }, { duration }) => {
      const state = await practised(account, (control) => control.advance(duration));
      if (state.ok) {
        account.reports.jobs.lookSoon();
        account.metricsFetch.soon();
      }
      return state;
    },
    decide: ({ account }, { reviewId, verdict }) => practised(account, (control) => control.decide(reviewId, verdict)),
  },
});

async function connect(
  { accounts, grants }: RouterContext,
  input: Parameters<AppOperations['accounts']['connect']>[1],
  signal: AbortSignal | undefined,
) {
  const { keyGrant, tokenGrant, keyPassphrase = null, keyPassphraseGrant, ...draft } = input;
  const keyFile = await grants.resolve(keyGrant);
  if (keyFile === null || !keyFile.ok) return noGrant(keyGrant);
  const tokenFile = await grants.resolve(tokenGrant);
  if (tokenFile === null || !tokenFile.ok) return noGrant(tokenGrant);
  const lock = keyPassphraseGrant === undefined ? null : await grants.resolve(keyPassphraseGrant);
  if (keyPassphraseGrant !== undefined && lock?.ok !== true) return noGrant(keyPassphraseGrant);
  const keyPassphraseFile = lock?.ok === true ? lock.value : null;
  const files = { keyFile: keyFile.value, tokenFile: tokenFile.value, keyPassphraseFile };
  return accounts.connect({ ...draft, ...files, keyPassphrase }, signal);
}

const shown = ({ profile, profileNotes }: Pick<ActiveAccount, 'profile' | 'profileNotes'>) => ({
  text: formatProfile(profile),
  differences: profileDifference(profile, defaultDeploymentSettings()),
  notes: profileNotes,
  limits: shownLimits(profile),
});

type Control = Extract<Awaited<ReturnType<NonNullable<ActiveAccount['practice']>['control']>>, { ok: true }>['value'];

async function practised(
  { practice, profile }: ActiveAccount,
  act: (control: Control) => ReturnType<Control['state']>,
) {
  if (practice === null) return fail('NOT_PRACTICE', {});
  const control = await practice.control();
  const state = control.ok ? await act(control.value) : control;
  return state.ok ? ok({ ...state.value, zone: profile.business.zone }) : state;
}

const OFF = { state: 'off' } as const;

export const appOperations = ({
  options,
  events,
  accounts,
  tasks,
  updates,
}: RouterContext): Pick<AppOperations, 'app' | 'tasks'> => ({
  app: {
    info: () => ok(appInfo(options.host)),
    support: async () => {
      const facts = { info: appInfo(options.host), dataDir: options.dataDir, nowMs: options.clock.nowMs() };
      const text = diagnosticReport({
        ...facts,
        accounts: await accounts.list(),
        secrets: await options.secrets.status(),
      });
      return ok({ fileName: 'adslate-support.txt', text });
    },
    about: async () => ok(await loadAboutDocuments()),
    update: {
      get: () => ok(updates?.state() ?? OFF),
      check: () => {
        updates?.check();
        return ok(updates?.state() ?? OFF);
      },
      restart: async () => ok({ refused: updates === null ? 'not-ready' : await updates.restart() }),
    },
    events: ({ page, signal }) => ok(beginningWith(firstNotice(options.preferences), events.subscribe(signal, page))),
    preferences: {
      get: () => ok(options.preferences.get()),
      set: (_context, input) => {
        // Absent and undefined mean "unchanged": only given values are written.
        const given = Object.entries(input).filter(([, value]) => value !== undefined);
        return ok(options.preferences.set(Object.fromEntries(given)));
      },
    },
  },
  tasks: {
    cancel: (_context, { taskId }) => ok({ cancelled: tasks.cancel(taskId) }),
  },
});

/** The notice for the first window that subscribes. */
function firstNotice(preferences: PreferencesPort): AppEvent | null {
  const message = preferences.takeProblem();
  if (message === null) return null;
  return { type: 'notice', workspaceId: null, severity: 'warning', message, params: {} };
}

async function* beginningWith(first: AppEvent | null, events: AsyncGenerator<AppEvent>): AsyncGenerator<AppEvent> {
  if (first !== null) yield first;
  yield* events;
}

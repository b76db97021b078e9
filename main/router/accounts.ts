import { shownLimits } from '../../shared/profile/document-limits.ts';
import { defaultProfile } from '../../shared/profile/profile.ts';
import { formatProfile, profileDifference } from '../../shared/profile/profile-text.ts';
import { unreachable } from '../../shared/result.ts';
import type { OpenAccount } from '../open-account.ts';
import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';
import { practiceRefusal } from './practice.ts';
import { readProblem } from './sync.ts';

export const accountsRouter = ({ accounts, grants, open }: CoreParts) => ({
  list: os.accounts.list.handler(async () => [...(await accounts.list())]),
  addPractice: os.accounts.addPractice.handler(async ({ input, errors }) => {
    const added = await accounts.addPractice(input.name);
    if (added.ok) return added.value;
    if (added.error.kind === 'name-taken') throw errors.NAME_TAKEN({ data: { name: added.error.name } });
    throw practiceRefusal(added.error, errors);
  }),
  connect: os.accounts.connect.handler(async ({ input, errors }) => {
    const { keyGrant, tokenGrant, keyPassphrase, keyPassphraseGrant, ...draft } = input;
    const attempt = async () => {
      const keyFile = await grants.resolve(keyGrant);
      if (keyFile === null || !keyFile.ok) throw errors.NO_GRANT({ data: { grant: keyGrant } });
      const tokenFile = await grants.resolve(tokenGrant);
      if (tokenFile === null || !tokenFile.ok) throw errors.NO_GRANT({ data: { grant: tokenGrant } });
      const files = { keyFile: keyFile.value, tokenFile: tokenFile.value };
      const lock = keyPassphraseGrant === undefined ? null : await grants.resolve(keyPassphraseGrant);
      if (keyPassphraseGrant !== undefined && lock?.ok !== true)
        throw errors.NO_GRANT({ data: { grant: keyPassphraseGrant } });
      const keyPassphraseFile = lock?.ok === true ? lock.value : null;
      return accounts.connect({ ...draft, ...files, keyPassphrase: keyPassphrase ?? null, keyPassphraseFile });
    };
    // A grant for a secret is good for one attempt, whatever comes of it, so that nothing of it waits in memory.
    const added = await attempt().finally(() => {
      for (const grant of [keyGrant, tokenGrant, keyPassphraseGrant ?? tokenGrant]) grants.forget(grant);
    });
    if (added.ok) {
      // A service that cannot say now what it offers is asked again before the first sync.
      const account = input.extensions ? await open.get(added.value.workspaceId) : null;
      if (account?.ok === true) await account.value.capabilities.probe();
      return added.value;
    }
    const problem = added.error;
    switch (problem.kind) {
      case 'name-taken':
        throw errors.NAME_TAKEN({ data: { name: problem.name } });
      case 'already-connected':
        throw errors.ALREADY_CONNECTED({ data: { name: problem.name } });
      case 'bad-credentials':
        throw errors.BAD_CREDENTIALS({
          data: {
            step: problem.step,
            detail: problem.detail,
            ...(problem.refused === undefined ? {} : { refused: problem.refused }),
          },
        });
      default:
        return unreachable(problem);
    }
  }),
  rename: os.accounts.rename.handler(async ({ input, errors }) => {
    const renamed = await accounts.change(input.workspaceId, { name: input.name });
    if (renamed.ok) return renamed.value;
    if (renamed.error.kind === 'name-taken') throw errors.NAME_TAKEN({ data: { name: input.name } });
    throw errors.NO_WORKSPACE({ data: { workspaceId: input.workspaceId } });
  }),
  setMode: os.accounts.setMode.handler(async ({ input, errors }) => {
    const changed = await accounts.change(input.workspaceId, { mode: input.mode });
    if (changed.ok) return changed.value;
    throw errors.NO_WORKSPACE({ data: { workspaceId: input.workspaceId } });
  }),
  profile: os.accounts.profile.handler(async ({ input, errors }) => {
    return shown(await opened(open, input.workspaceId, errors));
  }),
  setProfile: os.accounts.setProfile.handler(async ({ input, errors }) => {
    const set = await accounts.setProfile(input.workspaceId, input.text);
    if (set.ok) return shown(await opened(open, input.workspaceId, errors));
    if (set.error.kind === 'no-account') throw errors.NO_WORKSPACE({ data: { workspaceId: input.workspaceId } });
    throw errors.BAD_PROFILE({ data: { problems: [...set.error.problems] } });
  }),
  capabilities: os.accounts.capabilities.handler(async ({ input, errors }) => {
    return (await opened(open, input.workspaceId, errors)).capabilities.list();
  }),
  probeCapabilities: os.accounts.probeCapabilities.handler(async ({ input, errors }) => {
    const probed = await (await opened(open, input.workspaceId, errors)).capabilities.probe();
    if (!probed.ok) throw readProblem(probed.error, errors);
    return probed.value;
  }),
  setCapability: os.accounts.setCapability.handler(async ({ input, errors }) => {
    return (await opened(open, input.workspaceId, errors)).capabilities.set(input.name, input.use);
  }),
  remove: os.accounts.remove.handler(async ({ input, errors }) => {
    const removed = await accounts.remove(input.workspaceId);
    if (removed === null) throw errors.NO_WORKSPACE({ data: { workspaceId: input.workspaceId } });
    return { removed: [...removed] };
  }),
});

const shown = ({ profile, profileNotes }: Pick<OpenAccount, 'profile' | 'profileNotes'>) => ({
  text: formatProfile(profile),
  differences: [...profileDifference(profile, defaultProfile())],
  notes: [...profileNotes],
  limits: shownLimits(profile),
});

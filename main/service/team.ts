import { fail, ok } from '../../shared/result.ts';
import { newWorkspaceId } from '../accounts/account-record.ts';
import type { TeamSession } from '../team/session-types.ts';
import type { AppOperations, MainContext, MainOperations, RouterContext } from './router.ts';

/** Operations to create and join a team, which change the list of accounts. */
export const teamAppOperations = ({ teams, tasks }: RouterContext): Pick<AppOperations, 'team'> => ({
  team: {
    connect: async ({ signal }, { taskId, ...input }) => {
      const workspaceId = newWorkspaceId(input.name);
      const order = { id: taskId, workspaceId, name: 'join', canCancel: true, signal } as const;
      const done = await tasks.run(order, async (task) => (await teams()).connect(input, workspaceId, task));
      return done.ok ? done.value : done;
    },
  },
});

/** Operations on the team of an open account, run by its team session. */
export const teamOperations = ({ teams, exports }: RouterContext): Pick<MainOperations, 'team'> => ({
  team: {
    status: async ({ account }) => ok((await (await account.team())?.status()) ?? null),
    testConnection: async (context, input) => {
      if (input.connection === null) return inTeam((team) => team.testConnection)(context, input);
      return (await teams()).testConnection(input);
    },
    create: async ({ account }, input) => {
      if ((await account.team()) !== null) return fail('HAS_TEAM', { where: 'here' });
      return (await teams()).create(input);
    },
    leave: async ({ account }, { workspaceId }) =>
      (await account.team()) === null ? fail('NO_TEAM', {}) : (await teams()).leave(workspaceId),
    move: async ({ account }, input) =>
      (await account.team()) === null ? fail('NO_TEAM', {}) : (await teams()).move(input),
    upkeep: {
      show: inTeam((team) => team.upkeep.show),
      activity: inTeam((team) => team.upkeep.activity),
      verify: inTeam((team) => team.upkeep.verify),
      retire: inTeam((team) => team.upkeep.retire),
      approve: inTeam((team) => team.upkeep.approve),
      prune: inTeam((team) => team.upkeep.prune),
      restored: inTeam((team) => team.upkeep.restored),
      close: inTeam((team) => team.upkeep.close),
    },
    enterPassword: inTeam((team) => team.enterPassword),
    members: inTeam((team) => team.members),
    invite: async ({ account }, { workspaceId, ...input }) => {
      const team = await account.team();
      if (team === null) return fail('NO_TEAM', {});
      const invited = await team.invite(input);
      if (!invited.ok) return invited;
      const { file: text, words, member } = invited.value;
      const fileName = `${member.display}.adslate-invite`;
      const contentType = 'application/x-adslate-invite';
      const sealed = { contentType, fileName, bytes: Buffer.byteLength(text), workspaceId };
      const file = await exports.save(sealed, text, 1);
      return file.ok ? ok({ file: file.value, words: [...words], member }) : file;
    },
    setRoles: inTeam((team) => team.setRoles),
    remove: inTeam((team) => team.remove),
    policy: inTeam((team) => team.policy),
    setPolicy: inTeam((team) => team.setPolicy),
    share: inTeam((team) => team.share),
    log: inTeam((team) => team.log),
    takeOver: inTeam((team) => team.takeOver),
    presence: inTeam((team) => team.presence),
    setPlace: inTeam((team) => team.setPlace),
    requests: {
      list: inTeam((team) => team.requests.list),
      show: inTeam((team) => team.requests.show),
      submit: inTeam((team) => team.requests.submit),
      signOff: inTeam((team) => team.requests.signOff),
      askForChanges: inTeam((team) => team.requests.askForChanges),
      withdraw: inTeam((team) => team.requests.withdraw),
    },
  },
});

const inTeam =
  <Input, Answer>(operation: (team: TeamSession) => (input: Input) => Promise<Answer>) =>
  async ({ account }: MainContext, input: Input) => {
    const team = await account.team();
    return team === null ? fail('NO_TEAM', {}) : operation(team)(input);
  };

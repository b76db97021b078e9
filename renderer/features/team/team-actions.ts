import type { TeamRole } from '../../../shared/api/choices.ts';
import type { ChosenRows } from '../../../shared/api/sync.ts';
import type { TeamDesk, TeamPolicy } from '../../../shared/api/team.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { type ActionContext, inWords, runAction } from '../../app/actions.ts';
import { errorText } from '../../app/error-text.ts';
import { plural } from '../../app/locale/numbers.ts';
import { saveFrom } from '../../app/save-text.ts';
import { type Client, isRefused } from '../../app/transport/connection.ts';

const texts = {
  shared: (shared: number, taken: number) =>
    `${plural(shared, 'edit')} shared, ${plural(taken, 'edit')} of colleagues loaded.`,
  conflicts: (n: number) => `${plural(n, 'conflict')} with colleagues. Choose a value for each in the Sync tab.`,
  tested: (version: string, ms: number) => `Connected to PostgreSQL ${version}. Round trip: ${Math.round(ms)} ms.`,
  notPrepared: ' The database is not prepared for teams yet.',
  removed: (name: string) => `${name} no longer has access.`,
  renewKey: ' They could sync: renew the key and token of the service.',
  left: (n: number) =>
    n === 0
      ? 'You left the team. Your copy is read-only.'
      : `You left the team. ${plural(n, 'edit')} ${n === 1 ? 'stays' : 'stay'} in your copy.`,
  tookOver: (n: number) =>
    n === 0 ? 'You can sync now.' : `You can sync now. The next sync checks ${plural(n, 'unconfirmed row')} first.`,
  ask: 'Ask for sign-off',
  askTitle: 'Title for your colleagues',
  askAll: 'For all changes that are ready to sync.',
  askSome: (n: number) => `For the changes in ${plural(n, 'selected row')}, with everything below them.`,
  askLater: 'A row that is changed later needs a new sign-off.',
  asked: (title: string) => `Sign-off requested: ${title}.`,
  signedOff: (title: string) => `Signed off: ${title}.`,
  changesAsked: (title: string) => `Changes requested: ${title}.`,
  withdrawn: (title: string) => `Withdrawn: ${title}.`,
  moved: (host: string) => `This computer now uses ${host}. Do the same on each computer of the team.`,
  notCompared: ' The old database did not respond, so the copy was not compared with it.',
  retired: (name: string) => `${name} can no longer share or sync.`,
  pruned: (n: number) => `Deleted ${plural(n, 'old entry', 'old entries')}.`,
  restored: 'Computers now share again what the backup lacks.',
  closed: 'The team is closed.',
  opened: 'The team is open again.',
} as const;

/** Asks for the title of a change request, then creates it; null means all changes. */
export function askForTitle(context: ActionContext, chosen: ChosenRows | null): void {
  const rows = chosen?.rows.reduce((sum, { ids }) => sum + ids.length, 0) ?? 0;
  context.store.getState().show({
    name: 'name',
    title: texts.ask,
    label: texts.askTitle,
    hint: `${rows === 0 ? texts.askAll : texts.askSome(rows)} ${texts.askLater}`,
    value: '',
    button: texts.ask,
    run: (title) => teamActions(context).askForSignOff(title, chosen),
  });
}

interface ConnectionInput {
  /** Host names, separated by commas or spaces. */
  readonly hosts: string;
  readonly ca: File | null;
}

/** The connection to a team database, as typed. */
export interface ConnectionForm extends ConnectionInput {
  readonly database: string;
  readonly login: string;
  readonly password: string;
}

interface Invited {
  readonly display: string;
  readonly roles: readonly TeamRole[];
  /** The database administrator's login; empty for the member's own. */
  readonly login: string;
  readonly password: string;
}

type Judged = 'signOff' | 'askForChanges';

/** Actions for teams. Failures for a form are returned as text. */
export function teamActions(context: ActionContext) {
  const { toasts, store } = context;
  const { client, files } = context.connection;
  const inAccount = <T>(call: (workspaceId: string) => Promise<T>) => runAction(context, call);
  const grant = async (file: File): Promise<{ readonly grant: string } | { readonly problem: string }> => {
    const granted = await files.grant(file, 'secret');
    return isRefused(granted) ? { problem: errorText(granted) } : granted;
  };
  const connectionOf = async <Rest extends object>({ hosts, ca, ...rest }: ConnectionInput & Rest) => {
    const granted = ca === null ? null : await grant(ca);
    if (granted !== null && 'problem' in granted) return granted;
    const named = hosts.split(/[\s,]+/u).filter((host) => host !== '');
    return { ...rest, hosts: named, caGrant: granted?.grant ?? null };
  };
  return {
    /** @param form null tests the connection of the account. @returns the result as text, or why the test failed */
    test: async (workspaceId: string, form: ConnectionForm | null): Promise<Result<string, string>> => {
      const connection = form === null ? null : await connectionOf(form);
      if (connection !== null && 'problem' in connection) return err(connection.problem);
      const tested = await inWords(() => client.team.testConnection({ workspaceId, connection }));
      if (!tested.ok) return tested;
      const { version, roundTripMs, isPrepared } = tested.value;
      return ok(texts.tested(version, roundTripMs) + (isPrepared ? '' : texts.notPrepared));
    },
    /** @returns why not, as text; null when the account has joined the new team */
    create: async (workspaceId: string, form: ConnectionForm, display: string, computer: string) => {
      const connection = await connectionOf(form);
      if ('problem' in connection) return connection.problem;
      const made = await inWords(() => client.team.create({ workspaceId, connection, display, computer }));
      return made.ok ? null : made.error;
    },
    /** Opens the account that joins the team; `taskId` is the task of its progress. @returns why not, as text */
    join: async (file: File, input: Readonly<Record<'words' | 'computer' | 'name' | 'taskId', string>>) => {
      const granted = await grant(file);
      if ('problem' in granted) return granted.problem;
      const joined = await inWords(() => client.team.connect({ invitation: granted.grant, ...input }));
      if (!joined.ok) return joined.error;
      store.getState().openWorkspace(joined.value.workspaceId);
      return null;
    },
    /** Saves the invitation file. @returns its six words, or why there is none, as text */
    invite: async (workspaceId: string, input: Invited) => {
      const { login, password, ...rest } = input;
      const admin = login.trim() === '' ? null : { login, password };
      const roles = [...input.roles];
      const invited = await inWords(() => client.team.invite({ workspaceId, ...rest, roles, admin }));
      if (invited.ok) saveFrom(invited.value.file.fileName, invited.value.file.url);
      return invited;
    },
    setRoles: (no: number, roles: readonly TeamRole[]) =>
      inAccount((workspaceId) => client.team.setRoles({ workspaceId, no, roles: [...roles] })),
    remove: async ({ no, display }: { readonly no: number; readonly display: string }) => {
      const removed = await inAccount((workspaceId) => client.team.remove({ workspaceId, no }));
      if (removed !== null) toasts.tell(texts.removed(display) + (removed.couldSync ? texts.renewKey : ''));
    },
    leave: async () => {
      const left = await inAccount((workspaceId) => client.team.leave({ workspaceId }));
      if (left !== null) toasts.tell(texts.left(left.notShared));
    },
    /** @returns why not, as text */
    move: async (workspaceId: string, form: Pick<ConnectionForm, 'hosts' | 'database' | 'ca'>) => {
      const to = await connectionOf(form);
      if ('problem' in to) return to.problem;
      const moved = await inWords(() => client.team.move({ workspaceId, to }));
      if (!moved.ok) return moved.error;
      toasts.tell(texts.moved(form.hosts.trim()) + (moved.value.isCompared ? '' : texts.notCompared));
      return null;
    },
    /** @returns why not, as text */
    enterPassword: async (workspaceId: string, login: string, password: string) => {
      const entered = await inWords(() => client.team.enterPassword({ workspaceId, login, password }));
      return entered.ok ? null : entered.error;
    },
    retire: async (desk: TeamDesk) => {
      const { no, name } = desk;
      const retired = await inAccount((workspaceId) => client.team.upkeep.retire({ workspaceId, desk: no }));
      if (retired !== null) toasts.tell(texts.retired(name));
    },
    verify: () => inAccount((workspaceId) => client.team.upkeep.verify({ workspaceId })),
    approve: (seq: number) => inAccount((workspaceId) => client.team.upkeep.approve({ workspaceId, seq })),
    prune: async (days: number) => {
      const pruned = await inAccount((workspaceId) => client.team.upkeep.prune({ workspaceId, days }));
      if (pruned !== null) toasts.tell(texts.pruned(pruned.entries));
    },
    restored: async () => {
      const said = await inAccount((workspaceId) => client.team.upkeep.restored({ workspaceId }));
      if (said !== null) toasts.tell(texts.restored);
    },
    close: async (isClosed: boolean) => {
      const closed = await inAccount((workspaceId) => client.team.upkeep.close({ workspaceId, isClosed }));
      if (closed !== null) toasts.tell(isClosed ? texts.closed : texts.opened);
    },
    setPolicy: (policy: TeamPolicy) => inAccount((workspaceId) => client.team.setPolicy({ workspaceId, policy })),
    share: async () => {
      const done = await inAccount((workspaceId) => client.team.share({ workspaceId }));
      if (done === null) return;
      toasts.tell(done.conflicts > 0 ? texts.conflicts(done.conflicts) : texts.shared(done.shared, done.taken));
    },
    takeOver: async () => {
      const taken = await inAccount((workspaceId) => client.team.takeOver({ workspaceId }));
      if (taken !== null) toasts.tell(texts.tookOver(taken.unconfirmed));
    },
    askForSignOff: async (title: string, chosen: ChosenRows | null) => {
      const asked = await inAccount((workspaceId) => client.team.requests.submit({ workspaceId, title, chosen }));
      if (asked !== null) toasts.tell(texts.asked(title));
      return asked !== null;
    },
    /** @param campaignIds null for the whole request. @returns whether it succeeded */
    judge: async (says: Judged, id: string, campaignIds: readonly Ids[number][] | null, note: string) => {
      const ids = campaignIds === null ? null : [...campaignIds];
      const judged = await inAccount((workspaceId) =>
        client.team.requests[says]({ workspaceId, id, campaignIds: ids, note }),
      );
      if (judged !== null) toasts.tell((says === 'signOff' ? texts.signedOff : texts.changesAsked)(judged.title));
      return judged !== null;
    },
    withdraw: async (id: string) => {
      const gone = await inAccount((workspaceId) => client.team.requests.withdraw({ workspaceId, id }));
      if (gone !== null) toasts.tell(texts.withdrawn(gone.title));
    },
  };
}

type Ids = NonNullable<NonNullable<Parameters<Client['team']['requests']['signOff']>[0]['campaignIds']>>;

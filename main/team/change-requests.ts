import type { TeamRole } from '../../shared/api/choices.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import type { ChosenRows } from '../../shared/api/sync.ts';
import type { ChangeRequest, Person, RequestRow, RequestVerdict, TeamPolicy } from '../../shared/api/team.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import { type AnyRow, rowKey } from '../../shared/model/row.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { split } from '../../shared/plan/plan.ts';
import { contentOf, type OfferedRow, type SignOffs } from '../../shared/plan/sign-off.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { rowLabel } from '../../shared/rules/rule.ts';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import type { Workspace } from '../store/workspace.ts';
import { startTimer } from '../sync/service.ts';
import { type KnownMembers, personOf, rolesOf } from './session.ts';
import { type AskedRow, digestOf, isSame, type Requests, type SignOffDatabase, signOffsOf } from './sign-off.ts';

/** Why the database of the team did not answer. */
export type AskFailure =
  | { readonly code: 'TEAM_OFFLINE'; readonly data: { readonly since: number | null; readonly detail: string } }
  | { readonly code: 'NOT_ALLOWED'; readonly data: { readonly why: 'removed' } };

export interface ChangeRequestsDeps {
  readonly workspace: Pick<Workspace, 'readTrees' | 'getMeta' | 'setMeta' | 'onChanged' | 'callReader'>;
  /** Runs `work` on the database if it can be reached. */
  readonly ask: <T>(work: (db: SignOffDatabase) => Promise<T>) => Promise<Result<T, AskFailure>>;
  readonly facts: () => KnownMembers;
  /** Shares local changes and takes those of colleagues, so that colleagues see the rows of a request. */
  readonly exchange: () => Promise<Result<unknown, AskFailure>>;
  /** The last log entry that this computer has. */
  readonly seen: () => Promise<number>;
  /** What a sync would send of each row if it were signed off. */
  readonly offered: (chosen: ChosenRows | null) => Promise<readonly OfferedRow[]>;
  /** Called when requests differ from those last reported. */
  readonly changed: () => void;
}

/**
 * The requests last read are stored on this computer, so that they can be listed offline, up to this many characters.
 */
const KEPT_KEY = 'teamRequests';
const KEPT_MAX = 8 * 1024 * 1024;
const NONE: Requests = {
  mark: '',
  policy: { approvals: 0, authors: 'submitter' },
  requests: [],
  asked: [],
  verdicts: [],
};
const CAMPAIGNS_AT_ONCE = 25;
/** Maximum of rows for which the last author is looked up. */
const NAMED_MAX = 200;

/** Change requests of one open account: what this computer last read of them, and the actions of its member. */
export async function openChangeRequests(deps: ChangeRequestsDeps) {
  const { workspace, facts } = deps;
  const kept = jsonOrNull((await workspace.getMeta(KEPT_KEY)) ?? '') as Requests | null;
  // Requests stored by a version without signatures are read again.
  let known = kept?.verdicts.every(({ signature }) => signature !== undefined) === true ? kept : NONE;
  let waiting = Map.groupBy(known.asked, ({ request }) => request);

  const mayI = (role: TeamRole): boolean => rolesOf(facts()).includes(role);
  /** If the role is not known locally, an exchange reads it first. */
  const ifAllowed = async (role: TeamRole) => {
    if (mayI(role)) return ok(null);
    const read = await deps.exchange();
    return !read.ok || mayI(role) ? read : fail('NOT_ALLOWED', { why: role });
  };

  let isFresh = false;
  let isAway = false;
  const readRequests = async (db: SignOffDatabase): Promise<void> => {
    const read = await db.read(known.mark);
    isFresh = true;
    if (read === null) return;
    known = read;
    waiting = Map.groupBy(known.asked, ({ request }) => request);
    const text = JSON.stringify(known);
    await workspace.setMeta(KEPT_KEY, text.length > KEPT_MAX ? '' : text);
    deps.changed();
  };
  /** Runs an action on requests in the database and reads them again. */
  const change = <T>(work: (db: SignOffDatabase) => Promise<T>) =>
    deps.ask(async (db) => {
      const answer = await work(db);
      await readRequests(db);
      return answer;
    });

  /**
   * Cached content of requested rows as it would be sent now; null for a deleted row. An edit drops only the rows it
   * changes.
   */
  const here = new Map<string, LookedUp | null>();
  let edits = 0;
  workspace.onChanged((_revision, _kinds, only, patch) => {
    if (only !== null) return;
    edits++;
    const { rows = null, reread = [] } = patch ?? {};
    // A media file is part of what other rows send, so all rows are dropped.
    if (rows === null || reread.includes('media') || rows.some(({ kind }) => kind === 'media')) return here.clear();
    for (const { kind, row } of rows) here.delete(keyOf({ kind, id: row.id }));
    for (const key of here.keys()) if (reread.some((kind) => key.startsWith(`${kind}:`))) here.delete(key);
  });
  const inTurn = createSerialQueue();
  const lookUp = (): Promise<RowsHere> =>
    inTurn(async () => {
      const before = edits;
      // Drops rows of ended requests.
      if (here.size > 2 * known.asked.length) here.clear();
      const unknown = known.asked.filter((row) => !here.has(keyOf(row)));
      const found = await rowsHere(workspace, unknown);
      // Rows read during an edit may be outdated, so they are not cached.
      if (edits !== before) return new Map([...here, ...found]);
      for (const row of unknown) here.set(keyOf(row), found.get(keyOf(row)) ?? null);
      return here;
    });

  const needed = (): number => Math.max(1, known.policy.approvals);
  const stateOf = (row: AskedRow, rows: RowsHere): RequestRow['state'] => {
    if (!isSame(row, rows.get(keyOf(row))?.digest ?? '')) return 'changed-since';
    if (row.isHeld) return 'changes-asked';
    return row.given >= needed() ? 'signed-off' : 'open';
  };
  const wasSignedOff = (row: AskedRow): boolean => !row.isHeld && row.given >= needed();

  const viewOf = async (request: Requests['requests'][number]): Promise<ChangeRequest> => {
    const looked = await lookUp();
    const asked = waiting.get(request.id) ?? [];
    const states = asked.map((row) => stateOf(row, looked));
    const signedOff = request.sent + states.filter((state) => state === 'signed-off').length;
    const isOpen = request.state === 'open';
    const isMine = request.submitter === facts().me;
    const canJudge = isOpen && mayI('sign-off');
    return {
      id: String(request.id),
      title: request.title,
      by: personOf(facts(), request.submitter),
      at: request.at,
      state: !isOpen
        ? request.state
        : asked.some(({ isHeld }) => isHeld)
          ? 'changes-asked'
          : signedOff === request.rows
            ? 'signed-off'
            : 'open',
      campaigns: request.campaigns,
      rows: request.rows,
      signedOff,
      changedSince: asked.filter((row, at) => states[at] === 'changed-since' && wasSignedOff(row)).length,
      can: [
        ...(canJudge && !isMine ? (['sign-off'] as const) : []),
        ...(canJudge ? (['ask-for-changes'] as const) : []),
        ...(isOpen && (isMine || mayI('admin')) ? (['withdraw'] as const) : []),
      ],
      whyNot: !isOpen ? 'over' : !mayI('sign-off') ? 'role' : isMine ? 'submitter' : null,
    };
  };
  const noRequest = (id: string) => fail('NO_REQUEST', { id });
  const viewById = async (id: string) => {
    const found = known.requests.find((request) => String(request.id) === id);
    return found === undefined ? noRequest(id) : ok(await viewOf(found));
  };

  const changedBy = async (ref: RowRef): Promise<Person | null> => {
    const input = { ref, from: 0, count: 1, stepId: null, campaignId: null, member: null };
    const log = await workspace.callReader(['history', 'log'], input);
    if (!log.ok) return null;
    const [last] = (log.value as { entries: readonly { who: string; member?: number }[] }).entries;
    return last === undefined ? null : personOf(facts(), last.member ?? facts().me);
  };

  const judge =
    (says: 'sign-off' | 'changes') =>
    async ({ id, campaignIds, note }: { id: string; campaignIds: readonly RowId[] | null; note: string }) => {
      const may = await ifAllowed('sign-off');
      if (!may.ok) return may;
      const request = Number(id);
      const taken = await deps.exchange();
      if (!taken.ok) return taken;
      const read = await deps.ask(readRequests);
      if (!read.ok) return read;
      const looked = await lookUp();
      const without = (waiting.get(request) ?? []).filter((row) => stateOf(row, looked) === 'changed-since');
      const verdict = { request, says, note, campaigns: campaignIds, without: says === 'changes' ? [] : without };
      const said = await change((db) => db.judge(verdict));
      if (!said.ok) return said;
      if (said.value === 'submitter' || said.value === 'author') return fail('NOT_ALLOWED', { why: said.value });
      return said.value === 'ok' ? viewById(id) : noRequest(id);
    };

  return {
    /** Reads what is new; cheap when nothing is. */
    refresh: () => deps.ask(readRequests),
    /** The current sign-offs; those last read while the database can't be reached. */
    signOffs: async (): Promise<SignOffs | null> => {
      const wasAway = isAway;
      const asked = deps.ask(readRequests).then(({ ok: isRead }) => {
        isAway = !isRead;
      });
      // Offline, a plan waits only shortly for the connection.
      await (wasAway ? Promise.race([asked, offlineWait()]) : asked);
      return signOffsOf(known);
    },
    policy: async () => {
      const read = await deps.ask(readRequests);
      return read.ok ? ok(known.policy) : read;
    },
    setPolicy: async ({ policy }: { readonly policy: TeamPolicy }) => {
      const may = await ifAllowed('admin');
      if (!may.ok) return may;
      const done = await change((db) => db.setPolicy(policy));
      return done.ok ? ok(known.policy) : done;
    },
    list: async () => {
      // After a start the database is asked first; offline, the requests last read are listed.
      if (!isFresh) await deps.ask(readRequests);
      return ok(await Promise.all(known.requests.map(viewOf)));
    },
    show: async ({ id }: { readonly id: string }) => {
      const request = Number(id);
      const read = await deps.ask(async (db) => {
        await readRequests(db);
        return db.endedRows(request);
      });
      if (!read.ok) return read;
      const view = await viewById(id);
      if (!view.ok) return view;
      const looked = await lookUp();
      let named = 0;
      const rows: RequestRow[] = [];
      for (const row of waiting.get(request) ?? []) {
        const state = stateOf(row, looked);
        const isNamed = state === 'changed-since' && wasSignedOff(row) && named++ < NAMED_MAX;
        const changer = isNamed ? await changedBy(row) : null;
        rows.push({ ...namedRow(row, looked.get(keyOf(row))), state, changedBy: changer });
      }
      const ended = await rowsHere(workspace, read.value);
      for (const row of read.value)
        rows.push({ ...namedRow(row, ended.get(keyOf(row))), state: 'sent', changedBy: null });
      const verdicts = known.verdicts.filter((verdict) => verdict.request === request);
      const campaigns = await rowsHere(
        workspace,
        verdicts.flatMap((verdict) => (verdict.campaigns ?? []).map((campaign) => ownRow(campaign))),
      );
      return ok({
        request: view.value,
        rows,
        verdicts: verdicts.map(
          ({ member, at, says, note, campaigns: some, signature }): RequestVerdict => ({
            member: personOf(facts(), member),
            at,
            says,
            note,
            signature,
            campaigns:
              some?.map((campaign) => {
                const row = ownRow(campaign);
                return {
                  kind: row.kind,
                  id: row.id,
                  label: campaigns.get(keyOf(row))?.label ?? `campaign ${campaign}`,
                };
              }) ?? null,
          }),
        ),
      });
    },
    submit: async ({
      title,
      chosen,
      note,
    }: {
      readonly title: string;
      readonly chosen: ChosenRows | null;
      readonly note: string;
    }) => {
      const may = await ifAllowed('edit');
      if (!may.ok) return may;
      const shared = await deps.exchange();
      if (!shared.ok) return shared;
      const rows = await deps.offered(chosen);
      if (rows.length === 0) return fail('NOTHING_TO_DO', {});
      const seen = await deps.seen();
      const made = await change((db) => db.submit(title, note, seen, rows));
      if (!made.ok) return made;
      return made.value === null ? fail('NOTHING_TO_DO', {}) : viewById(String(made.value));
    },
    signOff: judge('sign-off'),
    askForChanges: judge('changes'),
    withdraw: async ({ id }: { readonly id: string }) => {
      const said = await change((db) => db.withdraw(Number(id)));
      if (!said.ok) return said;
      if (said.value === 'submitter') return fail('NOT_ALLOWED', { why: 'admin' });
      return said.value === 'ok' ? viewById(id) : noRequest(id);
    },
  };
}

const AWAY_MS = 300;
const offlineWait = (): Promise<void> => new Promise((resolve) => void startTimer(resolve, AWAY_MS));

interface LookedUp {
  readonly digest: string;
  readonly label: string;
  /** The name of its campaign. */
  readonly campaign: string;
}
type RowsHere = ReadonlyMap<string, LookedUp | null>;

type InCampaign = RowRef & { readonly campaignId: RowId };

const keyOf = ({ kind, id }: RowRef): string => rowKey(kind, id);
const ownRow = (campaignId: RowId): InCampaign => ({ kind: 'campaign', id: campaignId, campaignId });

const namedRow = ({ kind, id, campaignId }: InCampaign, found: LookedUp | null | undefined) => ({
  kind,
  id,
  label: found?.label ?? `${kind} ${id}`,
  campaignId,
  campaignName: found?.campaign ?? `campaign ${campaignId}`,
});

/** Rows with what would be sent of them. Reads a few campaigns at a time. */
async function rowsHere(workspace: Pick<Workspace, 'readTrees'>, wanted: readonly InCampaign[]) {
  const found = new Map<string, LookedUp>();
  const keys = new Set(wanted.map(keyOf));
  const campaigns = [...new Set(wanted.map(({ campaignId }) => campaignId))];
  for (const some of split(campaigns, CAMPAIGNS_AT_ONCE)) {
    for (const { campaign, media, ...lists } of await workspace.readTrees(some)) {
      const rows: readonly AnyRow[] = [campaign, ...Object.values(lists).flat()];
      for (const row of rows) {
        if (!keys.has(keyOf(row))) continue;
        const digest = digestOf(contentOf(row, media));
        found.set(keyOf(row), { digest, label: rowLabel(row), campaign: rowLabel(campaign) });
      }
    }
  }
  return found;
}

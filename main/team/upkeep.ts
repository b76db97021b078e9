import { z } from 'zod';
import { TEAM_ROLES } from '../../shared/api/choices.ts';
import type { TeamActivity } from '../../shared/api/team.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { PeopleRefusal, TeamAdmin } from './admin.ts';
import type { AskFailure } from './change-requests.ts';
import { personOf } from './session.ts';
import type { TeamSession } from './session-types.ts';
import type { Signing } from './signing.ts';
import type { TeamFacts } from './team-facts.ts';

export interface UpkeepDeps {
  readonly people: TeamAdmin;
  readonly ask: <T>(work: () => Promise<T>) => Promise<Result<T, AskFailure>>;
  /** Checks the role locally, else in the database. */
  readonly asAdmin: () => Promise<Result<unknown, AskFailure | NotAdmin>>;
  readonly facts: () => TeamFacts;
  readonly signing: () => Promise<Signing | null>;
  /** Called after each change, so that windows read again and a heartbeat is sent. */
  readonly changed: () => void;
}

type NotAdmin = { readonly code: 'NOT_ALLOWED'; readonly data: { readonly why: 'admin' } };

/** The details that database functions write with each line; newer ones may write more. */
const Detail = z
  .object({
    member: z.int(),
    as: z.string(),
    desk: z.int(),
    desks: z.array(z.int()),
    name: z.string(),
    roles: z.array(z.enum(TEAM_ROLES)),
    hosts: z.array(z.string()),
    seq: z.int(),
    entries: z.int(),
    request: z.int(),
    approvals: z.int(),
  })
  .partial()
  .catch({});

/** The maintenance that admins do in the window. */
export function openUpkeep({ people, ask, asAdmin, facts, signing, changed }: UpkeepDeps): TeamSession['upkeep'] {
  const computer = (no: number): string => facts().desks.find((desk) => desk.no === no)?.name ?? `#${no}`;
  const asked = async <T>(work: () => Promise<T>) => {
    const may = await asAdmin();
    return may.ok ? ask(work) : may;
  };
  const done = async (work: () => Promise<Result<unknown, PeopleRefusal>>, run = asked) => {
    const answered = await run(work);
    if (!answered.ok) return answered;
    changed();
    // A missing member was removed by another admin.
    return answered.value.ok || answered.value.error === 'no-member' ? ok({}) : fail('NOT_ALLOWED', { why: 'admin' });
  };
  const activity = ({ detail, ...line }: Awaited<ReturnType<TeamAdmin['activity']>>['entries'][number]) => {
    const said = Detail.parse(detail);
    const { member, as, desk, desks = desk === undefined ? [] : [desk], name, hosts, roles = [] } = said;
    return {
      ...line,
      member: as ?? (member === undefined ? null : personOf(facts(), member).display),
      computers: name === undefined ? desks.map(computer) : [name],
      roles,
      host: hosts?.[0] ?? null,
      number: said.entries ?? said.request ?? said.approvals ?? said.seq ?? null,
    } satisfies TeamActivity;
  };
  return {
    show: () =>
      asked(async () => {
        const { unreported, ...health } = await people.health();
        const snapshots = await people.snapshots();
        return { ...health, unreported: [...unreported], snapshots: snapshots.map(({ digest: _, ...rest }) => rest) };
      }),
    activity: ({ from, count }) =>
      asked(async () => {
        const { total, entries } = await people.activity(from, count);
        return { total, entries: entries.map(activity) };
      }),
    verify: () =>
      asked(async () => {
        const { head, from, alarms, problem, signed, unsigned, wrong, verdicts } = await people.verify(await signing());
        const counts = { signed, unsigned, wrong: wrong + verdicts.wrong };
        return { entries: head - from, differences: alarms, damaged: problem?.seq ?? null, ...counts };
      }),
    // Members may also retire their own computers.
    retire: ({ desk }) => {
      const isOwn = facts().desks.some(({ no, member }) => no === desk && member === facts().me);
      return done(() => people.revokeDesk(desk), isOwn ? ask : asked);
    },
    approve: ({ seq }) => done(() => people.approveSnapshot(seq)),
    prune: async ({ days }) => {
      const pruned = await asked(() => people.prune(days));
      if (pruned.ok) changed();
      return pruned.ok ? ok({ entries: pruned.value.entries, parts: pruned.value.parts }) : pruned;
    },
    restored: () => done(async () => ok(await people.restored())),
    close: ({ isClosed }) => done(async () => ok(await people.close(isClosed))),
  };
}

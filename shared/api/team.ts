import { z } from 'zod';
import { Account, AccountName } from './accounts.ts';
import { TaskIdSchema } from './bulk.ts';
import { REQUEST_STATES, TEAM_ROLES, TEAM_STATES } from './choices.ts';
import { ExportedFile } from './files.ts';
import { appOperation, operation } from './operation.ts';
import { GrantSchema, NamedRow, RowIdSchema, RowRefSchema, seenName, WindowSchema } from './scalars.ts';
import { ChosenRows } from './sync.ts';

/**
 * Shared data of a team on one account. A member is a person, a desk one installation of that person, on screen a
 * computer. Times are milliseconds since 1970; those of shared entries are the clock of the team's database.
 */
const Roles = z.array(z.enum(TEAM_ROLES));

const memberNo = z.int().min(1);

/** A member by the name that all computers show. */
const Person = z.strictObject({ no: memberNo, display: z.string() });
export type Person = z.infer<typeof Person>;

/** The campaign and screen that a member views, never a cell. */
const Place = z.strictObject({ campaignId: RowIdSchema.nullable(), screen: z.string().max(40) });

const Desk = z.strictObject({
  no: z.int(),
  member: Person,
  /** The name of the computer. */
  name: z.string(),
  /** The format of shared changes that it writes; a team may require a newer one. */
  format: z.int(),
  /** Number of the last log entry that it has. */
  seen: z.int(),
  lastSeenAt: z.int(),
  isHere: z.boolean(),
  isRevoked: z.boolean(),
});
export type TeamDesk = z.infer<typeof Desk>;

/** The computer that may send to the service now. Its right expires unless the computer renews it. */
const Sender = z.strictObject({
  member: Person,
  computer: z.string(),
  desk: z.int(),
  since: z.int(),
  until: z.int(),
  /** Whether it expired during requests: another computer takes over before the next sync. */
  isOver: z.boolean(),
  /** Rows whose requests are unconfirmed; the labels of the first few. */
  unconfirmed: z.int(),
  firstUnconfirmed: z.array(NamedRow),
});

export const TeamStatus = z.strictObject({
  workspace: z.string(),
  desk: z.int(),
  member: Person.extend({ roles: Roles }),
  /** The login of the member in the database. */
  login: z.string(),
  state: z.enum(TEAM_STATES),
  /** Since when it has this state. */
  since: z.int(),
  /** The message of the database; null where the state is enough. */
  problem: z.string().nullable(),
  /** Last log entry on this computer, and last log entry of the team at the last connection. */
  seen: z.int(),
  head: z.int(),
  /** Edits that are not in the log yet. */
  notShared: z.int(),
  /** Cells and rows that a colleague has changed too. */
  conflicts: z.int(),
  sender: Sender.nullable(),
  desks: z.array(Desk),
  /** Whether the rows here equal those of the others; null until two computers have compared them. */
  digest: z.enum(['same', 'differs']).nullable(),
  /** Number of sign-offs that a row needs before it is sent; 0 for none. */
  approvals: z.int(),
  /** The new database of the team, if it has moved. */
  movedTo: z.strictObject({ hosts: z.array(z.string()), database: z.string() }).nullable(),
});
export type TeamStatus = z.infer<typeof TeamStatus>;

const Member = Person.extend({
  login: z.string(),
  roles: Roles,
  state: z.enum(['invited', 'active', 'removed']),
  invitedBy: Person.nullable(),
  invitedAt: z.int(),
  isHere: z.boolean(),
});
export type TeamMember = z.infer<typeof Member>;

const Policy = z.strictObject({
  approvals: z.int().min(0).max(2),
  /** Members who may not sign off: only the submitter, or all who changed the campaigns since they were last sent. */
  authors: z.enum(['submitter', 'strict']),
});
export type TeamPolicy = z.infer<typeof Policy>;

/** A name that is sent to the database, where a NUL would end it. */
const plainName = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^\P{Cc}*$/u, 'has a character that cannot be seen');

/** Address of the database. Plain text is allowed on loopback only; any other server needs a valid certificate. */
const Connection = z.strictObject({
  /** Tried in order, each with or without a port; only one that can be written is used. */
  hosts: z.array(plainName(300)).min(1).max(8),
  database: plainName(63),
  login: plainName(63),
  password: z.string().min(1).max(1000),
  /** A private certificate authority; null for those of the system. */
  caGrant: GrantSchema.nullable().default(null),
});
export type TeamConnection = z.infer<typeof Connection>;

const DatabaseLogin = z.strictObject({ login: Connection.shape.login, password: Connection.shape.password });

/** The display name of a member, and the name of a computer. */
const shown = seenName(60);

const Request = z.strictObject({
  id: z.string(),
  title: z.string(),
  by: Person,
  at: z.int(),
  state: z.enum(REQUEST_STATES),
  campaigns: z.int(),
  rows: z.int(),
  /** Rows that are signed off as they are now. */
  signedOff: z.int(),
  /** Rows that were signed off and then changed: these need it again. */
  changedSince: z.int(),
  /** What this member may do with it now. */
  can: z.array(z.enum(['sign-off', 'ask-for-changes', 'withdraw'])),
  /** Why this member may not sign off; null where they may. */
  whyNot: z.enum(['role', 'submitter', 'author', 'over']).nullable(),
});
export type ChangeRequest = z.infer<typeof Request>;

const Verdict = z.strictObject({
  member: Person,
  at: z.int(),
  says: z.enum(['sign-off', 'changes']),
  note: z.string(),
  /** The campaigns it is about; null for all of the request. */
  campaigns: z.array(NamedRow).nullable(),
  /**
   * Requests of an older version, or of a computer without a key, are unsigned. With a wrong signature, no sign-off of
   * the request counts.
   */
  signature: z.enum(['signed', 'unsigned', 'wrong']),
});
export type RequestVerdict = z.infer<typeof Verdict>;

const RequestRow = NamedRow.extend({
  campaignId: RowIdSchema,
  campaignName: z.string(),
  state: z.enum(['open', 'signed-off', 'changed-since', 'changes-asked', 'sent']),
  /** Who changed it after the sign-off. */
  changedBy: Person.nullable(),
});
export type RequestRow = z.infer<typeof RequestRow>;

/** State of a team's database. Sizes in bytes, of all teams in it except for the log of this one. */
const Upkeep = z.strictObject({
  databaseBytes: z.int(),
  logBytes: z.int(),
  head: z.int(),
  /** Entries up to this one were deleted; a snapshot has their results. */
  prunedTo: z.int(),
  lastSharedAt: z.int().nullable(),
  /** Rows whose requests are unconfirmed. */
  unconfirmed: z.int(),
  /** Parts of large changes that were never completed. */
  unusedParts: z.int(),
  /** Computers that were not here for 14 days and lack entries. */
  away: z.int(),
  /** Computers that have not reported yet what they sent, after a restore of the database. */
  unreported: z.array(z.string()),
  /** How often computers had different rows in the last 30 days. */
  differences: z.int(),
  snapshots: z.array(
    z.strictObject({
      seq: z.int(),
      at: z.int(),
      computer: z.string(),
      /** New computers start from a usable snapshot: a second computer has found the same rows, or an admin has approved it. */
      state: z.enum(['making', 'made', 'usable', 'refused']),
      rows: z.int(),
      bytes: z.int(),
    }),
  ),
});
export type TeamUpkeep = z.infer<typeof Upkeep>;

/** An administrative event of the team, as recorded in its database. */
const Activity = z.strictObject({
  no: z.int(),
  at: z.int(),
  /** The member, or the login of an administrator of the database. */
  by: z.string(),
  /** A word of the database; newer ones may follow. */
  what: z.string(),
  member: z.string().nullable(),
  computers: z.array(z.string()),
  roles: Roles,
  host: z.string().nullable(),
  /** Number of an entry, of a change request, or a count, depending on the event. */
  number: z.int().nullable(),
});
export type TeamActivity = z.infer<typeof Activity>;

const days = z.int().min(90).max(3650);

const requestId = z.string().min(1).max(64);
const note = z.string().trim().max(2000).default('');
const ofTeam = ['NO_TEAM', 'TEAM_OFFLINE', 'NOT_ALLOWED'] as const;

/** For a request as a whole, or for some of its campaigns. */
const verdict = operation({
  access: 'write',
  input: { id: requestId, campaignIds: z.array(RowIdSchema).min(1).max(10_000).nullable().default(null), note },
  output: Request,
  errors: [...ofTeam, 'NO_REQUEST'],
});

export const teamContract = {
  /** From local data, so it works offline; null for an account without a team. */
  status: operation({ output: TeamStatus.nullable() }),
  members: operation({ output: z.array(Member), errors: ofTeam }),
  /** Connects and returns what it found; nothing is written. Null tests the stored connection of the account. */
  testConnection: operation({
    input: { connection: Connection.nullable().default(null) },
    output: z.strictObject({
      version: z.string(),
      /** Protection of the connection; `plain` on loopback only. */
      tls: z.enum(['verified', 'plain']),
      roundTripMs: z.number(),
      /** Whether `adslate team init` has prepared the database. */
      isPrepared: z.boolean(),
    }),
    errors: ['NO_TEAM', 'BAD_TEAM_CONNECTION', 'NO_GRANT', 'BAD_FILE'],
  }),
  /** Creates a team for the account and shares its rows. The member who creates it is its first admin. */
  create: operation({
    access: 'write',
    announced: true,
    input: { connection: Connection, display: shown, computer: shown },
    output: TeamStatus,
    errors: ['BAD_TEAM_CONNECTION', 'NO_GRANT', 'BAD_FILE', 'HAS_TEAM', 'SYNC_RUNNING'],
  }),
  /** Joins the team of an invitation: reads the team's data, and creates an account of this name once it is complete. */
  connect: appOperation({
    input: z.strictObject({
      invitation: GrantSchema,
      /** The six words, which the new member received separately. */
      words: z.string().trim().min(1).max(200),
      computer: shown,
      name: AccountName,
      /** Names the task in `task.progress` and for `tasks.cancel`. */
      taskId: TaskIdSchema.optional(),
    }),
    output: Account,
    errors: [
      'CANCELLED',
      'BAD_INVITATION',
      'BAD_TEAM_CONNECTION',
      'NAME_TAKEN',
      'ALREADY_CONNECTED',
      'TOO_MANY_ACCOUNTS',
      'NO_GRANT',
      'BAD_FILE',
      'NOT_WRITABLE',
    ],
  }),
  /** A file for the new member, and six words to pass on separately; neither works without the other. */
  invite: operation({
    input: {
      display: shown,
      roles: Roles,
      /** A database login that may create others; null if the member's own login may. */
      admin: DatabaseLogin.nullable().default(null),
    },
    output: z.strictObject({ file: ExportedFile, words: z.array(z.string()), member: Person }),
    errors: [...ofTeam, 'NAME_TAKEN', 'BAD_TEAM_CONNECTION'],
  }),
  setRoles: operation({
    input: { no: memberNo, roles: Roles },
    output: Member,
    errors: [...ofTeam, 'NO_MEMBER', 'LAST_ADMIN'],
  }),
  /** Ends the access of a member at once. Data on their computers stays there. */
  remove: operation({
    input: { no: memberNo },
    output: z.strictObject({ couldSync: z.boolean() }),
    errors: [...ofTeam, 'NO_MEMBER', 'LAST_ADMIN'],
  }),
  /**
   * Stores the password of the database again, after a restart has removed it from memory or it was changed in the
   * database. The password of another login that may change those of others gives the account's own login a new one.
   */
  enterPassword: operation({
    access: 'write',
    input: DatabaseLogin.shape,
    output: z.strictObject({}),
    errors: ['NO_TEAM', 'BAD_TEAM_CONNECTION'],
  }),
  /** Leaves the team with a read-only copy. Edits that are not shared stay in it. */
  leave: operation({
    access: 'write',
    announced: true,
    output: z.strictObject({ notShared: z.int() }),
    errors: ['NO_TEAM', 'SYNC_RUNNING', 'LAST_ADMIN'],
  }),
  /** Switches this computer to a copy of the database elsewhere. If done by an admin, it also closes the old database for all. */
  move: operation({
    access: 'write',
    announced: true,
    input: {
      to: Connection.pick({ hosts: true, database: true, caGrant: true }),
      /** A login other than that of the account. */
      admin: DatabaseLogin.nullable().default(null),
    },
    /** Whether the old database responded, so that the copy could be compared with it. */
    output: z.strictObject({ isCompared: z.boolean() }),
    errors: ['NO_TEAM', 'BAD_TEAM_CONNECTION', 'OTHER_HISTORY', 'NO_GRANT', 'BAD_FILE', 'SYNC_RUNNING'],
  }),
  /** For admins. `adslate team` has the same commands. */
  upkeep: {
    show: operation({ output: Upkeep, errors: ofTeam }),
    /** Newest first. */
    activity: operation({
      input: WindowSchema,
      output: z.strictObject({ total: z.int(), entries: z.array(Activity) }),
      errors: ofTeam,
    }),
    /** Reads all entries, and compares the digests that computers have reported of their rows. */
    verify: operation({
      output: z.strictObject({
        entries: z.int(),
        /** Entries where computers have different rows. */
        differences: z.int(),
        /** The first entry that differs from what was shared. */
        damaged: z.int().nullable(),
        /** Entries by their signatures: valid, none, and wrong, with verdicts among the last. */
        signed: z.int(),
        unsigned: z.int(),
        wrong: z.int(),
      }),
      errors: ofTeam,
    }),
    /** Retires a computer that is lost or no longer used: it can't share or sync any more. */
    retire: operation({ input: { desk: z.int().min(1) }, output: z.strictObject({}), errors: ofTeam }),
    approve: operation({ input: { seq: z.int().min(1) }, output: z.strictObject({}), errors: ofTeam }),
    /** Deletes entries that are older than this and in a usable snapshot. */
    prune: operation({
      input: { days },
      output: z.strictObject({ entries: z.int(), parts: z.int() }),
      errors: ofTeam,
    }),
    /** The database was restored from a backup: computers restore missing entries before new changes are sent. */
    restored: operation({ output: z.strictObject({}), errors: ofTeam }),
    close: operation({ input: { isClosed: z.boolean() }, output: z.strictObject({}), errors: ofTeam }),
  },
  policy: operation({ output: Policy, errors: ofTeam }),
  setPolicy: operation({ input: { policy: Policy }, output: Policy, errors: ofTeam }),
  /** Shares pending changes and loads new ones now. While an account is open, this happens automatically. */
  share: operation({
    access: 'write',
    output: z.strictObject({ shared: z.int(), taken: z.int(), conflicts: z.int() }),
    errors: ofTeam,
  }),
  /** Shared changes, newest first: of all, of one member, or of one row. Read on this computer. */
  log: operation({
    input: {
      ...WindowSchema,
      member: memberNo.nullable().default(null),
      ref: RowRefSchema.nullable().default(null),
    },
    output: z.strictObject({
      total: z.int(),
      entries: z.array(
        z.strictObject({
          seq: z.int(),
          at: z.int(),
          member: Person,
          /** The computer it was shared from. */
          desk: z.string(),
          label: z.string(),
          rows: z.int(),
        }),
      ),
    }),
    errors: ['NO_TEAM'],
  }),
  /** Requests the right to send after the computer that had it is unreachable; its open requests become unconfirmed. */
  takeOver: operation({
    access: 'send',
    output: z.strictObject({ unconfirmed: z.int() }),
    errors: [...ofTeam, 'COLLEAGUE_SYNCS'],
  }),
  /** Other active members; those not seen for 30 seconds are omitted. */
  presence: operation({
    output: z.array(z.strictObject({ member: Person, computer: z.string(), place: Place })),
    errors: ['NO_TEAM'],
  }),
  /** Shares the place of this window with the others; null shares none, which is the initial state. */
  setPlace: operation({
    input: { place: Place.nullable() },
    output: z.strictObject({}),
    errors: ['NO_TEAM'],
  }),
  requests: {
    /** Newest first; those closed for 30 days are omitted. Read on this computer, as of the last connection. */
    list: operation({ output: z.array(Request), errors: ['NO_TEAM'] }),
    /** One request with its rows and comments; the sync plan of the rows shows what each would send. */
    show: operation({
      input: { id: requestId },
      output: z.strictObject({ request: Request, rows: z.array(RequestRow), verdicts: z.array(Verdict) }),
      errors: [...ofTeam, 'NO_REQUEST'],
    }),
    /** Requests a sign-off of exactly the present changes of these rows; without rows, of all changes. */
    submit: operation({
      access: 'write',
      input: { title: seenName(200), chosen: ChosenRows.nullable().default(null), note },
      output: Request,
      errors: [...ofTeam, 'NOTHING_TO_DO'],
    }),
    signOff: verdict,
    askForChanges: verdict,
    withdraw: operation({
      access: 'write',
      input: { id: requestId },
      output: Request,
      errors: [...ofTeam, 'NO_REQUEST'],
    }),
  },
};

import type { Contract } from '../../shared/api/contract.ts';
import type { AnswerOf, InputOf } from '../../shared/api/operation.ts';
import type { Person, TeamStatus } from '../../shared/api/team.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';

type Team = Contract['team'];

type Asked<T> = (input: Omit<InputOf<T>, 'workspaceId'>) => Promise<AnswerOf<T>>;
type AskedOf<T> = (input: InputOf<T>) => Promise<AnswerOf<T>>;

/** What makes or ends a session, and what is answered without one. */
type BesideSession =
  | ('create' | 'connect' | 'leave' | 'move' | 'status')
  | ('requests' | 'upkeep' | 'invite' | 'testConnection');

/**
 * The team of an open account, for as long as the account is open: connected to the database, or trying to be. Answers what
 * `shared/api/team.ts` declares, and `testConnection` for the connection of the account alone.
 */
export type TeamSession = { readonly [N in Exclude<keyof Team, BesideSession>]: Asked<Team[N]> } & {
  readonly requests: { readonly [N in keyof Team['requests']]: Asked<Team['requests'][N]> };
  readonly upkeep: { readonly [N in keyof Team['upkeep']]: Asked<Team['upkeep'][N]> };
  /** A sealed invitation as text. */
  invite(input: Pick<InputOf<Team['invite']>, 'display' | 'roles' | 'admin'>): Promise<Sealed>;
  /** Of the connection of the account. */
  testConnection(): Promise<AnswerOf<Team['testConnection']>>;
  /** From what this computer knows; the database is not asked. */
  status(): Promise<TeamStatus>;
  /** Goes on sharing by itself from now on. Hosts that stay open begin with it, commands do not. */
  start(): void;
  close(): Promise<void>;
};

type Refused = Extract<AnswerOf<Team['invite']>, { ok: false }>;
type Sealed =
  | {
      readonly ok: true;
      readonly value: { readonly file: string; readonly words: readonly string[]; readonly member: Person };
    }
  | Refused;

/** How far joining is, and how it is told to stop. */
export interface JoiningTask {
  readonly tellShare?: (done: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** How an account gets a team, and leaves it: this changes the list of accounts, and the account opens anew. */
export interface TeamSetup {
  readonly testConnection: AskedOf<Team['testConnection']>;
  readonly create: AskedOf<Team['create']>;
  connect(
    input: InputOf<Team['connect']>,
    workspaceId: WorkspaceId,
    task: JoiningTask,
  ): Promise<AnswerOf<Team['connect']>>;
  leave(workspaceId: WorkspaceId): Promise<AnswerOf<Team['leave']>>;
  readonly move: AskedOf<Team['move']>;
}

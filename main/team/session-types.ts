import type { Contract } from '../../shared/api/contract.ts';
import type { AnswerOf, InputOf } from '../../shared/api/operation.ts';
import type { Person, TeamStatus } from '../../shared/api/team.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';

type Team = Contract['team'];

type Asked<T> = (input: Omit<InputOf<T>, 'workspaceId'>) => Promise<AnswerOf<T>>;
type AskedOf<T> = (input: InputOf<T>) => Promise<AnswerOf<T>>;

/** Operations that start or end a session or run without one. */
type BesideSession =
  | ('create' | 'connect' | 'leave' | 'move' | 'status')
  | ('requests' | 'upkeep' | 'invite' | 'testConnection');

/**
 * The team of an open account, while the account is open: connected to the database, or reconnecting. Implements
 * `shared/api/team.ts`; its `testConnection` tests only the account's connection.
 */
export type TeamSession = { readonly [N in Exclude<keyof Team, BesideSession>]: Asked<Team[N]> } & {
  readonly requests: { readonly [N in keyof Team['requests']]: Asked<Team['requests'][N]> };
  readonly upkeep: { readonly [N in keyof Team['upkeep']]: Asked<Team['upkeep'][N]> };
  /** Returns an encrypted invitation as text. */
  invite(input: Pick<InputOf<Team['invite']>, 'display' | 'roles' | 'admin'>): Promise<Sealed>;
  /** Tests the account's connection. */
  testConnection(): Promise<AnswerOf<Team['testConnection']>>;
  /** Uses only what is stored on this computer; the database is not asked. */
  status(): Promise<TeamStatus>;
  /** Starts sharing in the background. Hosts that stay open call it, commands do not. */
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

/** Reports the progress of joining, and cancels it. */
export interface JoiningTask {
  readonly tellShare?: (done: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** How an account joins and leaves a team. This changes the list of accounts, and the account is opened again. */
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

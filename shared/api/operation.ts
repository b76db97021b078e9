import { type AnySchema, ContractProcedure, type InferSchemaInput, type InferSchemaOutput } from '@orpc/contract';
import { z } from 'zod';
import type { Result } from '../result.ts';
import { type Errors, may } from './errors.ts';
import { WorkspaceIdSchema } from './scalars.ts';

/**
 * Where an operation runs. `writer` and `reader` are the threads of the account's store; a call of the writer is one
 * transaction. `main` needs the account open; `app` does not, because it belongs to no account or must work on one
 * that can't be opened.
 */
export type Runs = 'app' | 'main' | 'writer' | 'reader';

/**
 * Effects of an operation besides reading and editing. The store refuses edits of a view-only account.
 *
 * - `write`: writes into the account's files; refused for a view-only account
 * - `ask`: sends reads to the service; the service of a practice account writes into the account's files as well
 * - `send`: like `write`, and changes the service; also refused for an account that is set to read-only
 */
export type Access = 'write' | 'ask' | 'send';

/** Priority of a call in the reader thread: reads of rows on screen run at once, counts when no such read is pending. */
export type ReadPriority = 'rows' | 'counts';

/** Name of a long operation in `task.progress`. */
export const TASK_NAMES = [
  'preview',
  'import',
  'export',
  'prepare',
  'change',
  'copy',
  'trim',
  'join',
  'undo',
  'redo',
  'launch',
  'plan',
] as const;
export type TaskName = (typeof TASK_NAMES)[number];

// A type, not an interface: oRPC requires an index signature.
export type OperationMeta<R extends Runs = Runs> = {
  readonly runs: R;
  /** For an operation of the reader; null for the order of calls. */
  readonly priority: ReadPriority | null;
  readonly access: Access | null;
  readonly task: TaskName | null;
  /** Its area is emitted to every window as `settings.changed`, because no other event reports its write. */
  readonly announced: boolean;
};

type Code = keyof Errors;
/** Errors of every operation that names an account: there is none of this id, or its store cannot be written. */
type AccountCode = 'NO_WORKSPACE' | 'NOT_WRITABLE';

/** An operation is an oRPC contract procedure with metadata on where it runs and who may call it. */
export type Operation<
  R extends Runs,
  Input extends AnySchema,
  Output extends AnySchema,
  C extends Code,
> = ContractProcedure<Input, Output, Pick<Errors, C>, OperationMeta<R>>;

interface Declared<R, Output, C> {
  /** Default: `main`. */
  readonly runs?: R;
  readonly priority?: ReadPriority;
  readonly access?: Access;
  readonly task?: TaskName;
  readonly announced?: boolean;
  readonly output: Output;
  readonly errors?: readonly C[];
}

type WithAccount<Shape extends z.ZodRawShape> = z.ZodObject<
  { readonly workspaceId: typeof WorkspaceIdSchema } & Shape,
  z.core.$strict
>;

/** Declares an operation on an account; the account's ID is part of the input. */
export function operation<
  Output extends AnySchema,
  R extends Runs = 'main',
  Shape extends z.ZodRawShape = Record<never, never>,
  C extends Code = never,
>(
  declared: Declared<R, Output, C> & { readonly input?: Shape },
): Operation<R, WithAccount<Shape>, Output, C | AccountCode> {
  const { runs = 'main' as R, priority = null, access = null, task = null, announced = false } = declared;
  const { input, output, errors = [] } = declared;
  const shape = { workspaceId: WorkspaceIdSchema, ...input } as { workspaceId: typeof WorkspaceIdSchema } & Shape;
  return new ContractProcedure({
    inputSchema: z.strictObject(shape) as WithAccount<Shape>,
    outputSchema: output,
    errorMap: may<C | AccountCode>('NO_WORKSPACE', 'NOT_WRITABLE', ...errors),
    meta: { runs, priority, access, task, announced },
    route: {},
  });
}

/** Declares an operation that belongs to no account. */
export function appOperation<Output extends AnySchema, Input extends AnySchema = AnySchema, C extends Code = never>({
  input,
  output,
  errors = [],
}: {
  readonly input?: Input;
  readonly output: Output;
  readonly errors?: readonly C[];
}): Operation<'app', Input, Output, C> {
  return new ContractProcedure({
    ...(input === undefined ? {} : { inputSchema: input }),
    outputSchema: output,
    errorMap: may(...errors),
    meta: { runs: 'app', priority: null, access: null, task: null, announced: false },
    route: {},
  });
}

/** A failure that crosses the contract: one of the declared codes with its facts. */
export type Failure<C extends Code = Code> = {
  [K in C]: { readonly code: K; readonly data: DeepReadonly<z.input<Errors[K]['data']>> };
}[C];

/** The input of an operation, as its implementation gets it. */
export type InputOf<T> =
  // biome-ignore lint/suspicious/noExplicitAny: stands for whatever the operation has
  T extends ContractProcedure<infer Input, any, any, any> ? InferSchemaOutput<Input> : never;

/** The result of an implementation: the output, or a failure that its operation declares. */
export type AnswerOf<T> =
  // biome-ignore lint/suspicious/noExplicitAny: stands for whatever the operation has
  T extends ContractProcedure<any, infer Output, infer E, any>
    ? Result<DeepReadonly<InferSchemaInput<Output>>, Failure<Extract<keyof E, Code>>>
    : never;

/** Lets implementations return read-only values. */
export type DeepReadonly<T> = T extends string | number | boolean | bigint | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly DeepReadonly<Item>[]
    : T extends AsyncIterable<unknown>
      ? T
      : { readonly [K in keyof T]: DeepReadonly<T[K]> };

// biome-ignore lint/suspicious/noExplicitAny: stands for whatever the operation has
type RunsIn<R extends Runs> = ContractProcedure<any, any, any, OperationMeta<R>>;
// biome-ignore lint/suspicious/noExplicitAny: stands for whatever the operation has
type AnyOperation = ContractProcedure<any, any, any, any>;

/** The names in a tree with operations that run in `R`. */
type NamesIn<T, R extends Runs> = {
  [N in keyof T]: T[N] extends AnyOperation
    ? T[N] extends RunsIn<R>
      ? N
      : never
    : [NamesIn<T[N], R>] extends [never]
      ? never
      : N;
}[keyof T];

/**
 * One function for every operation of a tree that runs in `R`. A missing function, or a failure that its operation
 * does not declare, does not compile.
 */
export type Implementations<T, R extends Runs, Context> = {
  readonly [N in NamesIn<T, R>]: T[N] extends AnyOperation
    ? (context: Context, input: InputOf<T[N]>) => AnswerOf<T[N]> | Promise<AnswerOf<T[N]>>
    : Implementations<T[N], R, Context>;
};

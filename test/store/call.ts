import type { ContractProcedure, InferSchemaInput, InferSchemaOutput } from '@orpc/contract';
import type { z } from 'zod';
import type { Workspace } from '../../main/store/workspace.ts';
import { type Contract, contract } from '../../shared/api/contract.ts';
import type { Failure, OperationMeta } from '../../shared/api/operation.ts';
import type { Result } from '../../shared/result.ts';

/** The input of an operation without its account. */
export type InputTo<T> =
  // biome-ignore lint/suspicious/noExplicitAny: stands for whatever the operation has
  T extends ContractProcedure<infer Input, any, any, any> ? Omit<InferSchemaInput<Input>, 'workspaceId'> : never;

/** Its output as a window gets it, or a failure. */
type AnswerOf<T> =
  // biome-ignore lint/suspicious/noExplicitAny: stands for whatever the operation has
  T extends ContractProcedure<any, infer Output, any, any> ? Result<InferSchemaOutput<Output>, Failure> : never;

/** Calls an operation of the contract in the thread of the workspace that answers it, as main does. */
export async function call<Area extends keyof Contract, Name extends keyof Contract[Area] & string>(
  workspace: Pick<Workspace, 'callReader' | 'callWriter'>,
  area: Area,
  name: Name,
  input?: InputTo<Contract[Area][Name]>,
): Promise<AnswerOf<Contract[Area][Name]>> {
  const declared: unknown = contract[area][name];
  const { inputSchema, meta } = (declared as Declared)['~orpc'];
  const whole = inputSchema.parse({ workspaceId: 'acme', ...input });
  const answer =
    meta.runs === 'reader'
      ? await workspace.callReader([area, name], whole)
      : await workspace.callWriter([area, name], whole, null);
  return answer as AnswerOf<Contract[Area][Name]>;
}

interface Declared {
  readonly '~orpc': { readonly inputSchema: z.ZodType; readonly meta: OperationMeta };
}

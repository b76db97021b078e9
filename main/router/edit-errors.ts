import type { Kind } from '../../shared/model/kinds.ts';
import { unreachable } from '../../shared/result.ts';
import type { Cancelled, ToolProblem } from '../workspace/bulk/bulk-rows.ts';
import type { EditProblem } from '../workspace/port.ts';
import { type NotWritableError, notWritable } from './opening.ts';

type BadValueReason = Extract<EditProblem, { kind: 'bad-value' }>['reason'];

/** The error makers of an operation that edits. */
export interface EditErrors {
  readonly NO_ROW: (facts: { data: { kind: Kind; id: number } }) => Error;
  readonly BAD_VALUE: (facts: { data: { kind: Kind; field: string; reason: BadValueReason } }) => Error;
  readonly NOT_WRITABLE: NotWritableError;
}

/** Throws the declared error for why an edit was not done. */
export function refuseEdit(problem: EditProblem, errors: EditErrors): never {
  switch (problem.kind) {
    case 'no-row':
      throw errors.NO_ROW({ data: { kind: problem.ref.kind, id: problem.ref.id } });
    case 'bad-value':
      throw errors.BAD_VALUE({ data: { kind: problem.ref.kind, field: problem.field, reason: problem.reason } });
    case 'not-writable':
      throw notWritable(problem, errors.NOT_WRITABLE);
    default:
      return unreachable(problem);
  }
}

/** Also of an operation that edits many rows at once, and can be stopped. */
export interface ToolErrors extends EditErrors {
  readonly BAD_TOOL: (facts: { data: { at: number; problem: string } }) => Error;
  readonly CANCELLED: (facts: { data: Record<never, never> }) => Error;
}

/** Throws the declared error for why a tool or a paste has changed nothing. */
export function refuseTool(problem: EditProblem | ToolProblem | Cancelled, errors: ToolErrors): never {
  switch (problem.kind) {
    case 'bad-tool':
      throw errors.BAD_TOOL({ data: { at: problem.at, problem: problem.problem } });
    case 'cancelled':
      throw errors.CANCELLED({ data: {} });
    default:
      return refuseEdit(problem, errors);
  }
}

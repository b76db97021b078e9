import type { Kind } from '../../shared/model/kinds.ts';
import { unreachable } from '../../shared/result.ts';
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

import type { RowRef } from '../../shared/contract/scalars.ts';
import { unreachable } from '../../shared/result.ts';
import type { NoteProblem } from '../workspace/notes/note-commands.ts';
import type { NotWritable } from '../workspace/port.ts';
import { type NotWritableError, notWritable } from './opening.ts';

/** The error makers of an operation that writes notes; each declares those that can happen to it. */
export interface NoteErrors {
  readonly NO_NOTE: (facts: { data: { id: number } }) => Error;
  readonly NOT_WRITABLE: NotWritableError;
  readonly NO_ROW?: (facts: { data: RowRef }) => Error;
  readonly NAME_TAKEN?: (facts: { data: { name: string } }) => Error;
}

/** Throws the declared error for why a note was not written. */
export function refuseNote(problem: NoteProblem | NotWritable, errors: NoteErrors): never {
  switch (problem.kind) {
    case 'no-note':
      throw errors.NO_NOTE({ data: { id: problem.id } });
    case 'not-writable':
      throw notWritable(problem, errors.NOT_WRITABLE);
    case 'no-row':
      throw errors.NO_ROW?.({ data: problem.ref }) ?? new Error('a note on a row was refused where no row is named');
    case 'name-taken':
      throw (
        errors.NAME_TAKEN?.({ data: { name: problem.name } }) ?? new Error('a name was refused where none is given')
      );
    default:
      return unreachable(problem);
  }
}

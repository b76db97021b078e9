import type { RemoteId } from '../../shared/model/scalars.ts';
import { isJsonList, type JsonValue } from './json.ts';
import type { ElementOutcome } from './outcome.ts';
import { idOf, membersOf, textOf } from './reading.ts';

/** How the results of a batch are found in its answer. */
export interface ResultShape {
  readonly elements: number;
  /** Names the new id may have; the platform operations name it either way (document, "Multiplier batch result"). */
  readonly idNames: readonly string[];
  /** True for creates: a success without an id proves nothing. */
  readonly needsId: boolean;
  /** Ids that rows of ours already have: a "new" one among them is somebody else's. */
  readonly isTaken: (id: RemoteId) => boolean;
}

const doubt = (cause: string): ElementOutcome => ({ is: 'in-doubt', cause });

/**
 * Results by position, the only link between request and answer (wire shapes, section 7). A wrong length, an
 * unknown code, a success without its id, or an id seen twice puts the elements concerned in doubt.
 *
 * @returns null when the answer holds no results at all
 */
export function elementResults(value: JsonValue, shape: ResultShape): readonly ElementOutcome[] | null {
  const list = resultList(value, shape.elements);
  if (list === null) return null;
  if (list.length !== shape.elements) {
    const cause = `the answer has ${list.length} results for ${shape.elements} elements`;
    return Array.from({ length: shape.elements }, () => doubt(cause));
  }
  const outcomes = list.map((element) => elementOutcome(element, shape));
  return withoutRepeats(outcomes);
}

function elementOutcome(element: JsonValue, shape: ResultShape): ElementOutcome {
  const members = membersOf(element);
  const code = textOf(members?.get('code'))?.trim().toLowerCase();
  if (members === null || code === undefined) return doubt('a result without a code');
  if (code === 'failure') return { is: 'rejected', message: textOf(members.get('details', 'message')) ?? '' };
  if (code !== 'success') return doubt(`a result with the unknown code "${code.slice(0, 40)}"`);
  const id = idOf(members.get(...shape.idNames));
  if (!shape.needsId) return { is: 'done', remoteId: id };
  if (id === null) return doubt('a success without an id');
  if (shape.isTaken(id)) return doubt(`a success with the id ${id}, which another row has`);
  return { is: 'done', remoteId: id };
}

/** Two new rows cannot have one id; neither result is believed then. */
function withoutRepeats(outcomes: readonly ElementOutcome[]): readonly ElementOutcome[] {
  const seen = new Map<RemoteId, number>();
  for (const outcome of outcomes) {
    if (outcome.is === 'done' && outcome.remoteId !== null) {
      seen.set(outcome.remoteId, (seen.get(outcome.remoteId) ?? 0) + 1);
    }
  }
  return outcomes.map((outcome) =>
    outcome.is === 'done' && outcome.remoteId !== null && (seen.get(outcome.remoteId) ?? 0) > 1
      ? doubt(`two results with the id ${outcome.remoteId}`)
      : outcome,
  );
}

/** An array; one bare result for one element; or `{results: []}` beside `keywordIds` (wire shapes, section 4). */
function resultList(value: JsonValue, elements: number): readonly JsonValue[] | null {
  if (isJsonList(value)) return value;
  const members = membersOf(value);
  if (members === null) return null;
  const results = members.get('results', 'items', 'data');
  if (isJsonList(results)) return results;
  const keywordIds = members.get('keywordIds');
  if (isJsonList(keywordIds)) return keywordIds.map((id) => ({ code: 'success', keywordId: id }));
  return elements === 1 && members.get('code') !== undefined ? [value] : null;
}

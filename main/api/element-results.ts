import type { RemoteId } from '../../shared/model/scalars.ts';
import { isJsonList, type JsonValue } from './lossless-json.ts';
import { idOf, recordFieldsOf, textOf } from './parse-record.ts';
import type { ElementOutcome } from './request-outcome.ts';
import { normalizeMessage } from './service-message.ts';

/** How the results of a batch are found in its answer. */
export interface ResultShape {
  readonly elements: number;
  /** Names the new id may have; the platform operations name it either way (document, "Multiplier batch result"). */
  readonly idNames: readonly string[];
  /** True for creates: a success without an id proves nothing. */
  readonly needsId: boolean;
  /** Ids that rows of ours already have: a "new" one among them is somebody else's. */
  readonly isTaken: (id: RemoteId) => boolean;
  /** By element, what a result may say of it beside its place: the name of a member, and its text. */
  readonly names?: readonly Readonly<Record<string, string>>[];
}

const doubt = (cause: string): ElementOutcome => ({ is: 'in-doubt', cause });

/**
 * Results by position, the only link between request and answer (wire shapes, section 7), as long as nothing speaks
 * against it. When there are too many or too few, when an id comes twice, or when a result names another element than the
 * one in its place, no place counts: then only results that name one element for certain are believed, and every other
 * element is in doubt. An unknown code and a success without its id put their own element in doubt.
 *
 * @returns null when the answer holds no results at all
 */
export function elementResults(value: JsonValue, shape: ResultShape): readonly ElementOutcome[] | null {
  const list = resultList(value, shape.elements);
  if (list === null) return null;
  if (list.length !== shape.elements) {
    return byName(list, shape, `the answer has ${list.length} results for ${shape.elements} elements`);
  }
  const outcomes = list.map((element) => elementOutcome(element, shape));
  const [twice] = repeatedIds(outcomes);
  if (twice !== undefined) return byName(list, shape, `two results with the id ${twice}`);
  const isElsewhere = list.some((element, at) => {
    const fits = fitsOf(element, shape);
    return fits.length > 0 && !fits.includes(at);
  });
  return isElsewhere ? byName(list, shape, 'the results are not in the order of the elements') : outcomes;
}

/** Results of elements that they name; an element that none names, or more than one, is in doubt for the reason given. */
function byName(list: readonly JsonValue[], shape: ResultShape, cause: string): readonly ElementOutcome[] {
  const claims = list.map((element) => ({ element, fits: fitsOf(element, shape) }));
  const outcomes = Array.from({ length: shape.elements }, (_, at) => {
    // One that may be of several elements leaves all of them in doubt.
    const [only, ...others] = claims.filter(({ fits }) => fits.includes(at));
    const isSure = only !== undefined && others.length === 0 && only.fits.length === 1;
    return isSure ? elementOutcome(only.element, shape) : doubt(cause);
  });
  const twice = repeatedIds(outcomes);
  return outcomes.map((outcome) =>
    outcome.is === 'done' && outcome.remoteId !== null && twice.has(outcome.remoteId)
      ? doubt(`two results with the id ${outcome.remoteId}`)
      : outcome,
  );
}

/** The elements that a result can be of by what it says; none when it says nothing that tells elements apart. */
function fitsOf(element: JsonValue, { names = [] }: ResultShape): readonly number[] {
  const members = recordFieldsOf(element);
  if (members === null) return [];
  return names.flatMap((expected, at) => {
    const said = Object.entries(expected).flatMap(([name, text]) => {
      const value = textOf(members.get(name));
      return value === null || value === '' || value === '0'
        ? []
        : [normalizeMessage(value) === normalizeMessage(text)];
    });
    return said.length > 0 && said.every(Boolean) ? [at] : [];
  });
}

function elementOutcome(element: JsonValue, shape: ResultShape): ElementOutcome {
  const members = recordFieldsOf(element);
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

/** Ids that more than one result gives: two new rows cannot have one, so none of these results is believed. */
function repeatedIds(outcomes: readonly ElementOutcome[]): ReadonlySet<RemoteId> {
  const seen = new Set<RemoteId>();
  const twice = new Set<RemoteId>();
  for (const outcome of outcomes) {
    if (outcome.is !== 'done' || outcome.remoteId === null) continue;
    if (seen.has(outcome.remoteId)) twice.add(outcome.remoteId);
    seen.add(outcome.remoteId);
  }
  return twice;
}

/** An array; one bare result for one element; or `{results: []}` beside `keywordIds` (wire shapes, section 4). */
function resultList(value: JsonValue, elements: number): readonly JsonValue[] | null {
  if (isJsonList(value)) return value;
  const members = recordFieldsOf(value);
  if (members === null) return null;
  const results = members.get('results', 'items', 'data');
  if (isJsonList(results)) return results;
  const keywordIds = members.get('keywordIds');
  if (isJsonList(keywordIds)) return keywordIds.map((id) => ({ code: 'success', keywordId: id }));
  return elements === 1 && members.get('code') !== undefined ? [value] : null;
}

import { keywordKey } from '../model/keyword-key.ts';

/** What users have written beside a row: its comments, oldest first, and the labels it carries. */
export interface RowNotes {
  readonly comments: readonly NotedComment[];
  readonly labels: readonly NotedLabel[];
}

export interface NotedComment {
  /** The field it is about, or null for the row as a whole. */
  readonly field: string | null;
  readonly author: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly resolved: boolean;
}

export interface NotedLabel {
  readonly name: string;
  /** `#rrggbb`; counts only where no label of this name is yet. */
  readonly color: string;
}

export const NO_NOTES: RowNotes = { comments: [], labels: [] };

/**
 * The notes of a file that a row does not have yet; null when it has them all. Notes are only ever added: a comment
 * that is here stays as it is, resolved or not, and a label that the file lacks stays on.
 */
export function missingNotes(here: RowNotes, arriving: RowNotes): RowNotes | null {
  const said = new Set(here.comments.map(keyOf));
  const worn = new Set(here.labels.map(({ name }) => keywordKey(name)));
  const comments = arriving.comments.filter((comment) => !said.has(keyOf(comment)));
  const labels = arriving.labels.filter(({ name }) => !worn.has(keywordKey(name)));
  return comments.length + labels.length === 0 ? null : { comments, labels };
}

const keyOf = ({ field, author, text, at }: NotedComment): string => JSON.stringify([field, author, text, at]);

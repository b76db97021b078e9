import { z } from 'zod';
import { operation } from './operation.ts';
import { RowRefSchema, rowsByKind, seenName, seenText } from './scalars.ts';

/** A label of this workspace. Labels and comments stay on this computer and are never sent to the service. */
export const Label = z.strictObject({
  id: z.int(),
  name: z.string(),
  color: z.string(),
  /** Number of rows with this label. */
  rows: z.int(),
});
export type Label = z.infer<typeof Label>;

export const Comment = z.strictObject({
  id: z.int(),
  ref: RowRefSchema,
  /** Its field, or null for the whole row. */
  field: z.string().nullable(),
  author: z.string(),
  text: z.string(),
  at: z.int(),
  resolved: z.boolean(),
});
export type Comment = z.infer<typeof Comment>;

const name = seenName(60);
const color = z.string().regex(/^#[0-9a-f]{6}$/);
const written = z.strictObject({ revision: z.int() });
const errors = ['NO_ROW', 'NO_NOTE'] as const;
const rows = rowsByKind(200_000);

export const notesContract = {
  labels: operation({ runs: 'reader', output: z.array(Label) }),
  /** Creates a label, or renames and recolors the one with that ID. Names differ by more than case. */
  saveLabel: operation({
    runs: 'writer',
    announced: true,
    input: { id: z.int().nullable().default(null), name, color: color.default('#868e96') },
    output: Label,
    errors: [...errors, 'NAME_TAKEN'],
  }),
  removeLabel: operation({ runs: 'writer', announced: true, input: { id: z.int() }, output: written, errors }),
  /** Adds labels to rows and removes others. */
  label: operation({
    runs: 'writer',
    announced: true,
    input: { rows, add: z.array(z.int()).max(50), remove: z.array(z.int()).max(50) },
    output: written,
    errors,
  }),
  /** Comments on a row, or on all rows; oldest first. */
  comments: operation({
    runs: 'reader',
    input: {
      ref: RowRefSchema.nullable().default(null),
      resolved: z.boolean().nullable().default(null),
    },
    output: z.array(Comment),
  }),
  comment: operation({
    runs: 'writer',
    input: {
      ref: RowRefSchema,
      field: z.string().max(60).nullable().default(null),
      author: z.string().trim().max(100).default(''),
      text: seenText(5000),
    },
    output: Comment,
    errors: [...errors, 'BAD_VALUE'],
  }),
  editComment: operation({
    runs: 'writer',
    input: {
      id: z.int(),
      text: seenText(5000).optional(),
      resolved: z.boolean().optional(),
    },
    output: Comment,
    errors,
  }),
  removeComment: operation({ runs: 'writer', input: { id: z.int() }, output: written, errors }),
};
